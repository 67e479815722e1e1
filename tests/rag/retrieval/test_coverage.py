from __future__ import annotations

import pytest

from rag.library import Hit, WordStatistics
from rag.retrieval.coverage import best_share, held_words, rarities, said_shares, share, telling

RARITY = rarities(WordStatistics({"the": 90, "leave": 5, "annual": 5, "zeppelin": 0}, 100))


def test_rare_words_count_most_and_absent_ones_above_all() -> None:
    assert RARITY["the"] < RARITY["leave"] == RARITY["annual"] < RARITY["zeppelin"]


def test_a_text_holds_words_in_any_form_and_their_share_goes_by_rarity() -> None:
    texts = ["the annual leaves: a zeppelin", "the", "annual leave", ""]
    held = held_words(RARITY, texts)
    assert held == [set(RARITY), {"the"}, {"annual", "leave"}, set()]
    whole, least, more, nothing = (share(RARITY, words) for words in held)
    assert 0 == nothing < least < more < whole == pytest.approx(1)
    assert best_share(RARITY, held[1:]) == more
    assert best_share(RARITY, []) == 0


def test_another_name_stands_for_a_word_where_a_text_has_all_of_it() -> None:
    others = {"zeppelin": [frozenset(["air", "ship"])]}
    assert held_words({"zeppelin": 1.0}, ["an air ship", "an air"], others) == [{"zeppelin"}, set()]


def test_nothing_to_cover() -> None:
    assert share({}, set()) == 0
    assert held_words(RARITY, []) == []
    assert held_words({}, ["text"]) == [set()]


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
