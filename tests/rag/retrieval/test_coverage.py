from __future__ import annotations

import pytest

from rag.library import WordStatistics
from rag.retrieval.coverage import coverage, rarities

RARITY = rarities(WordStatistics({"the": 90, "leave": 5, "annual": 5, "zeppelin": 0}, 100))


def test_rare_words_count_most_and_absent_ones_above_all() -> None:
    assert RARITY["the"] < RARITY["leave"] == RARITY["annual"] < RARITY["zeppelin"]


def test_the_best_text_counts() -> None:
    whole = coverage(RARITY, ["the annual leaves: a zeppelin"])
    assert whole == pytest.approx(1)
    assert 0 < coverage(RARITY, ["the"]) < coverage(RARITY, ["the", "annual leave"]) < whole


def test_nothing_to_cover() -> None:
    assert coverage({}, ["text"]) == 0
    assert coverage(RARITY, []) == 0
    assert coverage(rarities(WordStatistics({"a": 0}, 0)), ["a"]) == pytest.approx(1)
