"""Words and phrases that ask are kept apart from those that tell."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.retrieval.coverage import telling
from rag.text.asking import ASKING, without_asking
from rag.text.words import words


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("违约金怎么计算？", {"违约", "约金"}),
        ("请问年假有多少天", {"年假", "天"}),
        ("怎么报销？", {"报销"}),
        ("保修期多久", {"保修", "修期"}),
        ("What is the warranty period?", {"warranty", "period"}),
        ("How are penalties calculated?", {"penalties"}),
        ("What do the documents say about the warranty?", {"warranty"}),
        ("According to my files, how long is the warranty?", {"long", "warranty"}),
        ("What is said about the warranty?", {"warranty"}),
        ("How long is the warranty in these documents?", {"long", "warranty"}),
        ("文档中关于保修期是怎么说的？", {"保修", "修期"}),
        ("根据文档，保修期多长？", {"保修", "修期"}),
        # Where they are what is asked about they stay.
        ("Which documents must I bring?", {"documents", "bring"}),
        ("How are the documents in the archive kept?", {"documents", "archive", "kept"}),
        ("哪些文件？", {"文件"}),
    ],
)
def test_only_what_tells_is_left(question: str, left: set[str]) -> None:
    assert set(telling(words(without_asking(question)))) - ASKING == left - ASKING


@pytest.mark.parametrize("question", ["什么？", "怎么办", "多少钱呢？", "", "？？", "In the documents?"])
def test_a_question_of_nothing_else_stays(question: str) -> None:
    assert without_asking(question) == question


@given(st.text(alphabet="年假违约金abc 是的", max_size=30))
def test_what_does_not_ask_stays(text: str) -> None:
    assert without_asking(text) == text
