from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rag.retrieval.duplicates import Alike, alike

CLAUSE = "Late delivery costs one percent of the price per week, at most ten percent."
MINUTES = f"Minutes of 3 May. The clause reads: {CLAUSE} The board takes note of it."


def kept(*texts: str) -> list[int]:
    """Which of these texts say something that no earlier one says."""
    return [group.first for group in groups(len(texts), *texts)]


def groups(most: int, *texts: str) -> list[Alike[int]]:
    return alike(range(len(texts)), texts, most)


def test_copies_in_another_form_go() -> None:
    assert kept("The fee is 30 euros.", "THE  FEE\nis 30 euros", "fee is 30", "另外") == [0, 3]


def test_one_other_number_or_word_stays() -> None:
    assert kept("The fee is 30 euros.", "The fee is 31 euros.", "The fee is not 30 euros.") == [0, 1, 2]


def test_a_part_of_a_word_is_no_repeat() -> None:
    assert kept("The fees are 301", "fee", "30") == [0, 1, 2]


def test_a_longer_one_that_comes_later_stays() -> None:
    assert kept("fee is 30", "The fee is 30 euros.") == [0, 1]


def test_the_ends_of_lines_inside_chinese_sentences_are_no_difference() -> None:
    assert kept("迟延交货每周扣除合同价款的百分之一。", "迟延交货每周\n扣除合同价款 的百分之一。") == [0]
    assert kept("年假为十五天。", "年假为十五天半。") == [0, 1]


def test_what_repeats_is_told_with_what_it_repeats() -> None:
    found = groups(
        2, CLAUSE, "Something else.", CLAUSE.upper(), "at most ten percent", MINUTES, "A third one."
    )
    assert found == [Alike(0, equal=[2], parts=[3], longer=[4]), Alike(1)]


def test_words_in_full_width_are_the_same_words() -> None:
    wide = "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in CLAUSE)
    assert groups(1, CLAUSE, wide) == [Alike(0, equal=[1])]


@given(
    st.lists(st.sampled_from([CLAUSE, CLAUSE.lower(), MINUTES, "迟延交货每周扣除", "naïve Café", "one", "é"]))
)
def test_looking_no_further_changes_nothing_of_what_is_kept(texts: list[str]) -> None:
    every = alike(range(len(texts)), texts, len(texts))
    for most in range(len(every) + 1):
        found = alike(range(len(texts)), texts, most)
        assert [group.first for group in found] == [group.first for group in every[:most]]
        assert [(group.equal, group.parts) for group in found] == [
            (group.equal, group.parts) for group in every[:most]
        ]
