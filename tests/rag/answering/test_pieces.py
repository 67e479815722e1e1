"""The small decisions: pages of places, words that are missing, silence, rarity."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.answering.pages import Pages
from rag.answering.silence import declines, not_found_text
from rag.answering.unmentioned import unmentioned
from rag.errors import LibraryError
from rag.records import Document, Evidence, Page


def evidence(text: str, pages: tuple[int, ...] = (), document: str = "d", path: str = "a.pdf") -> Evidence:
    return Evidence(
        n=1, document=document, path=path, collection="default", text=text, start=0, end=len(text),
        pages=pages, heading=(), score=1.0, tokens=1,
    )  # fmt: skip


@dataclass
class Shelf:
    papers: dict[str, Document]

    def document(self, sha256: str) -> Document:
        if sha256 not in self.papers:
            raise LibraryError("It has gone.")
        return self.papers[sha256]


@given(st.lists(st.text("ab\n ", max_size=8), min_size=1, max_size=6), st.data())
def test_the_page_of_every_place(texts: list[str], data: st.DataObject) -> None:
    paper = Document("d", "pdf", tuple(Page(n, text) for n, text in enumerate(texts, start=1)))
    pages = Pages(Shelf({"d": paper}))
    touched = evidence(paper.text, tuple(range(1, len(texts) + 1)))
    number = data.draw(st.integers(1, len(texts)))
    before = sum(len(text) + 2 for text in texts[: number - 1])
    if not texts[number - 1]:
        return
    place = before + data.draw(st.integers(0, len(texts[number - 1]) - 1))
    assert pages.page_of(touched, place) == number


def test_no_page_is_invented() -> None:
    pages = Pages(Shelf({}))
    assert pages.page_of(evidence("x"), 0) is None
    assert pages.page_of(evidence("x", (7,)), 0) == 7
    assert pages.page_of(evidence("x", (7, 8)), 0) is None  # its document has left the library


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("What is the hotel limit for a trip to New York?", ["New York"]),
        ("What is the hotel limit in Shanghai?", []),
        ("Does Article 12 apply to the HK-440?", ["HK-440"]),
        ("What was the limit in 2019?", ["2019"]),
        ("HK-440 的住宿标准是多少？", ["HK-440"]),
        ("Who is the CEO?", []),
        ("do the papers mention How long the limit lasts, and Which floor it is for?", []),
        ("Say please What Boston has as its limit", ["Boston"]),
        ("纽约的住宿标准是多少？", []),
    ],
)
def test_names_codes_and_years_that_stand_nowhere(question: str, missing: list[str]) -> None:
    papers = [evidence("Article 12: the new hotel limit in Shanghai is 750 since 2026, also for the HK-420.")]
    assert unmentioned(question, papers) == missing


SILENT = "The documents do not contain this."


@pytest.mark.parametrize(
    "answer",
    [
        SILENT,
        "The provided sources do not mention the price of the machine.",
        "The price is not stated in the documents.",
        "There is no information on this in the documents.",
        "I cannot answer this. The context does not provide any details.",
        "文档中没有这项内容。",
        "资料中未提及新机器的价格。",
        "根据提供的资料，没有找到相关信息。",
        "无法从资料中得知。",
        "",
    ],
)
def test_silence_is_recognised(answer: str) -> None:
    assert declines(answer, "文档中没有这项内容。" if "文" in answer else SILENT)


@pytest.mark.parametrize(
    "answer",
    [
        "The machine costs 5,000 euros [1].",
        "The price is 5,000 euros [1]. The sources do not mention the delivery date.",
        "Contractors are not mentioned in the document [2].",
        "The machine packs 40 boxes a minute.",
        "机器价格为五千欧元[1]。资料中没有提到交货期。",
    ],
)
def test_answers_are_not_silence(answer: str) -> None:
    assert not declines(answer, SILENT)


def test_what_is_said_when_nothing_is_found() -> None:
    assert "a.pdf, b.md" in not_found_text("en", ["a.pdf", "b.md"])
    assert "a.pdf、b.md" in not_found_text("zh", ["a.pdf", "b.md"])
    assert len(not_found_text("en", [])) < 80
    assert "no documents" in not_found_text("en", [], empty=True)
