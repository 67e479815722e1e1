"""Questions that name a page are answered from that page."""

from __future__ import annotations

import pytest

from rag.answering import Mode
from rag.answering.named_pages import pages_named, without_pages
from rag.embedding.protocol import Embedder
from rag.records import Document, Page
from rag.settings import Settings
from tests.rag.answering.answers import answered
from tests.rag.library.samples import fill

KEEPERS = ("Ada", "Boris", "Chen", "Dora", "Emil", "Fay", "Gus")


def sheets(kind: str, count: int, *, every: int = 1) -> Document:
    """A PDF whose pages differ in little but their figures; those that are not `every`-th are empty."""
    pages = [
        Page(
            n,
            f"Sheet of the {kind}. {KEEPERS[n % 7]} counted {n * 7} crates. It had {10 + n % 13} degrees.",
        )
        if n % every == 0
        else Page(n, "")
        for n in range(1, count + 1)
    ]
    return Document(kind.encode().hex().ljust(64, "0"), "pdf", tuple(pages))


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Settings:
    papers = {
        "harbour.pdf": sheets("harbour", 36),
        "lists/quay-list-B4-2024.pdf": sheets("quay", 9),
        "annex/depot.pdf": sheets("depot", 240, every=20),
    }
    return fill(tmp_path_factory.mktemp("paged"), embedder, papers)


@pytest.mark.parametrize("mode", ["quick", "complete"])
@pytest.mark.parametrize(
    ("question", "name", "page", "said"),
    [
        ("Who counted the crates on page 23 of harbour.pdf?", "harbour.pdf", 23, "Chen"),
        ("How many crates does page 12 of the harbour sheets say?", "harbour.pdf", 12, "84"),
        ("How many degrees did it have on p. 31 of the harbour?", "harbour.pdf", 31, "15"),
        ("What does page 140 of depot.pdf say about crates?", "annex/depot.pdf", 140, "980"),
        ("depot.pdf 第180页 counted 多少 crates？", "annex/depot.pdf", 180, "1260"),
        ("What is on page 200 of depot.pdf?", "annex/depot.pdf", 200, "1400"),
        ("What is on page 6 of quay-list-B4-2024.pdf?", "lists/quay-list-B4-2024.pdf", 6, "42"),
    ],
)
def test_the_page_that_is_named_answers(
    settings: Settings, embedder: Embedder, question: str, name: str, page: int, said: str, mode: Mode
) -> None:
    answer = answered(settings, embedder, question, mode=mode)
    assert {(citation.path, citation.page) for citation in answer.citations} == {(name, page)}
    assert said in answer.text


def test_a_page_that_is_not_there_does_not_hide_the_rest(settings: Settings, embedder: Embedder) -> None:
    answer = answered(
        settings, embedder, "How many crates were counted on page 900 of harbour.pdf?", mode="complete"
    )
    assert {citation.path for citation in answer.citations} <= {
        "harbour.pdf",
        "annex/depot.pdf",
        "lists/quay-list-B4-2024.pdf",
    }


@pytest.mark.parametrize(
    ("question", "pages", "rest"),
    [
        ("What is the limit on page 4?", {4}, "What is the limit?"),
        ("Compare pages 2 and 3 of the lease", {2, 3}, "Compare lease"),
        ("第五页的租金是多少？", {5}, "的租金是多少？"),
        ("See slides 7-9 for the plan", {7, 8, 9}, "for the plan"),
        ("How many pages does the lease have?", set(), "How many pages does the lease have?"),
        ("Is it on page 2.1?", set(), "Is it on page 2.1?"),
        ("On page 3?", {3}, "On page 3?"),
    ],
)
def test_pages_are_told_from_the_rest(question: str, pages: set[int], rest: str) -> None:
    assert pages_named(question) == pages
    assert without_pages(question) == rest
