from __future__ import annotations

import pytest

from rag.library import Hit, WordStatistics
from rag.retrieval.coverage import coverage, rarities, said_shares, telling

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


def test_words_that_ask_are_not_searched_for_unless_there_are_no_others() -> None:
    assert telling(["what", "is", "the", "leave", "leave"]) == ["leave"]
    assert telling(["what", "is", "it"]) == ["what", "is", "it"]
    assert telling([]) == []


def test_shares_of_what_bm25_can_give_at_most() -> None:
    hits = [Hit(1, 8.0), Hit(2, 2.0)]
    shares = said_shares(hits, WordStatistics({"leave": 1}, 100))
    assert 0 < shares[2] < shares[1] <= 1
    lower = said_shares(hits, WordStatistics({"leave": 1, "zeppelin": 0}, 100))
    assert lower[1] < shares[1]  # a word that no passage has
    assert said_shares(hits, WordStatistics({"leave": 90}, 100)) == {1: 0, 2: 0}
    assert said_shares([], WordStatistics({}, 0)) == {}
