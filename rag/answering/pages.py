"""What a document says of a place of its text: on which page it is, whether it names columns."""

from __future__ import annotations

from bisect import bisect_right
from typing import Protocol

from rag.answering.extractive.layout import Layout, layout
from rag.errors import LibraryError
from rag.records import Document, Evidence


class Documents(Protocol):
    """Where documents come from (rag.library.Library is one)."""

    def document(self, sha256: str) -> Document: ...


class Pages:
    """Finds pages; remembers the documents it has looked into, so make one for each answer."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._layouts: dict[str, Layout] = {}
        self._starts: dict[str, tuple[list[int], list[int | None]]] = {}

    def page_of(self, evidence: Evidence, offset: int) -> int | None:
        """The physical page of an offset in the evidence's document; None if it has no pages.

        None too if the document has left the library meanwhile and the evidence touches several pages:
        a page that may be wrong is worse than none.
        """
        if len(evidence.pages) < 2:
            return evidence.page
        if evidence.document not in self._starts:
            try:
                document = self._documents.document(evidence.document)
                known = document.page_starts, [page.number for page in document.pages]
            except LibraryError:
                known = [], []
            self._starts[evidence.document] = known
        starts, numbers = self._starts[evidence.document]
        return numbers[bisect_right(starts, offset) - 1] if numbers else None

    def layout_of(self, evidence: Evidence) -> Layout:
        """Where its document has headings, rows of tables and heads of pages; nothing if it has gone."""
        if evidence.document not in self._layouts:
            try:
                self._layouts[evidence.document] = layout(self._documents.document(evidence.document))
            except LibraryError:
                self._layouts[evidence.document] = Layout()
        return self._layouts[evidence.document]
