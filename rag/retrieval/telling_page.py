"""Which page of a passage that touches several says most of a question: where a reader should look first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rag.retrieval.coverage import telling
from rag.text.holding import held
from rag.text.words import words

if TYPE_CHECKING:
    from rag.records import Document


def telling_page(document: Document, start: int, end: int, question: str) -> int | None:
    """The physical page of text[start:end] whose part of it holds most of the question's words, the earlier
    one of equals; None where the format has no pages."""
    asked = telling(words(question))
    parts = [
        (page.number, page.text[max(0, start - at) : max(0, end - at)])
        for page, at in zip(document.pages, document.page_starts, strict=True)
        if page.number is not None
    ]
    touched = [(number, text) for number, text in parts if text]
    best = max(touched, key=lambda part: len(held(asked, part[1])), default=None)
    return best[0] if best else None
