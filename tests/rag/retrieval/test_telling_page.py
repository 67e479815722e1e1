from __future__ import annotations

from rag.records import Document, Page
from rag.retrieval import telling_page
from tests.rag.library.samples import document

PAPER = document(
    "The gate opens at seven.", "", "The gate of the yard closes at nine.", "第四页：门在九点关。"
)


def page(question: str, start: int = 0, end: int = len(PAPER.text)) -> int | None:
    return telling_page(PAPER, start, end, question)


def test_the_page_with_most_of_the_words() -> None:
    assert page("When does the gate of the yard close?") == 3
    assert page("门几点关？") == 4


def test_the_first_of_equals_and_none_beyond_the_passage() -> None:
    assert page("When does it rain?") == 1
    assert page("When does the yard close?", 0, 10) == 1
    second = PAPER.page_starts[2]
    assert page("When does the gate open?", second, second + 12) == 3


def test_without_pages_there_is_none() -> None:
    assert telling_page(Document("x", "text", (Page(None, "The gate opens."),)), 0, 5, "gate?") is None
