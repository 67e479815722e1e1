"""A slip of the pen in a question does not hide its answer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.answering.extractive.misspelt import meant
from tests.rag.answering.extractive.quoting import quoted_of_files
from tests.rag.library.samples import WordEmbedder

KNOWN = frozenset(["default", "install", "receive", "trace", "warranty", "months", "port"])


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("defualt", "default"),
        ("instal", "install"),
        ("recieve", "receive"),
        ("warrenty", "warranty"),
        ("warrranty", "warranty"),
        ("trade", None),  # another word
        ("prot", None),  # too short to tell
        ("months", None),  # known
        ("保修期限说明", None),
        ("a31b7", None),
    ],
)
def test_one_slip_is_believed(word: str, expected: str | None) -> None:
    assert meant([word], KNOWN).get(word) == expected


def test_of_two_that_may_be_meant_none_is() -> None:
    assert meant(["contant"], {"content", "constant"}) == {}
    assert meant(["contant"], {"content"}) == {"contant": "content"}


@given(st.lists(st.text("abcdé保1-", max_size=9)), st.frozensets(st.text("abcdé保1-", max_size=9)))
def test_only_known_words_are_meant(asked: list[str], known: frozenset[str]) -> None:
    found = meant(asked, known)
    assert set(found.values()) <= known
    assert not set(found) & known


def test_the_answer_is_quoted() -> None:
    text = (
        "# Ferry\n\nThe ferry leaves at six and is never full.\n\nThe warranty covers eighteen months.\n\n"
        "Tickets are sold on board."
    )
    assert "eighteen months" in quoted_of_files("what is the warrenty", WordEmbedder(), text).text
