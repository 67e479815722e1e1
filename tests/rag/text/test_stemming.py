from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.text.stemming import stem
from rag.text.words import words


@pytest.mark.parametrize(
    ("one", "other"),
    [("vote", "votes"), ("company", "companies"), ("class", "class"), ("proposal", "proposals")],
)
def test_plural_meets_singular(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@pytest.mark.parametrize(
    "word", ["this", "gas", "ties", "basis", "virus", "4031s", "19718780", "绿茶", "errs-1", "é", ""]
)
def test_left_alone(word: str) -> None:
    assert stem(word) == word


@given(st.text().flatmap(lambda text: st.sampled_from(words(text) or [""])))
def test_a_stem_is_a_beginning_of_its_word_but_for_a_y(word: str) -> None:
    assert word.startswith(stem(word).removesuffix("y"))
    assert bool(stem(word)) == bool(word)
