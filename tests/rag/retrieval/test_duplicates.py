from __future__ import annotations

from rag.retrieval.duplicates import without_repeats


def kept(*texts: str) -> list[int]:
    return list(without_repeats(range(len(texts)), texts))


def test_copies_in_another_form_go() -> None:
    assert kept("The fee is 30 euros.", "THE  FEE\nis 30 euros", "fee is 30", "另外") == [0, 3]


def test_one_other_number_or_word_stays() -> None:
    assert kept("The fee is 30 euros.", "The fee is 31 euros.", "The fee is not 30 euros.") == [0, 1, 2]


def test_a_part_of_a_word_is_no_repeat() -> None:
    assert kept("The fees are 301", "fee", "30") == [0, 1, 2]


def test_a_longer_one_that_comes_later_stays() -> None:
    assert kept("fee is 30", "The fee is 30 euros.") == [0, 1]
