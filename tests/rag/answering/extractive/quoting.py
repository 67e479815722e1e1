"""Evidence of given texts, and what is quoted of it: for tests of quotations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rag.answering.extractive import Extract, extract
from rag.embedding.protocol import Embedder
from rag.records import Evidence
from tests.rag.library.samples import WordEmbedder


def evidence(*texts: str) -> list[Evidence]:
    """Each text from a page of its own of a PDF, behind other text."""
    return [_evidence(n, text, f"p{n}.pdf", 1000 * n, (n,)) for n, text in enumerate(texts, start=1)]


def whole_files(*texts: str) -> list[Evidence]:
    """Each text a file without pages."""
    return [_evidence(n, text, f"p{n}.md", 0, ()) for n, text in enumerate(texts, start=1)]


def even(words: Iterable[str]) -> Mapping[str, float]:
    """Every word tells as much as any other."""
    return dict.fromkeys(words, 1.0)


def quoted(question: str, *texts: str) -> Extract:
    """What is quoted of pages."""
    return extract(
        question, evidence(*texts), rarity=even, embedder=WordEmbedder(), page_of=lambda item, _: item.page
    )


def quoted_of_files(question: str, embedder: Embedder, *texts: str) -> Extract:
    return extract(
        question, whole_files(*texts), rarity=even, embedder=embedder, page_of=lambda item, _: None
    )


def _evidence(n: int, text: str, path: str, start: int, pages: tuple[int, ...]) -> Evidence:
    return Evidence(
        n=n,
        document=f"d{n}",
        path=path,
        collection="default",
        text=text,
        start=start,
        end=start + len(text),
        pages=pages,
        heading=(),
        score=1.0,
        tokens=1,
    )
