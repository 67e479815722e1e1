"""Puts a document's blocks (headings, paragraphs, list items, table rows) together with right offsets."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ingest.errors import Unreadable
from ingest.readers.base import Content, Limits
from rag.records import Heading, Page

CELL = " | "
"""Between the cells of a table row, which is one line."""


class Blocks:
    """A page's text under construction. Paragraphs stand apart by a blank line, rows and items do not."""

    def __init__(self, limits: Limits) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._limits = limits
        self._last_tight: str | None = None
        self.headings: list[Heading] = []

    def heading(self, text: str, level: int) -> None:
        """A heading on a line of its own; level from 1."""
        text = one_line(text)
        if text:
            start = self._add(text, None)
            self.headings.append(Heading(start, max(1, level), text))

    def paragraph(self, text: str) -> None:
        text = lines(text)
        if text:
            self._add(text, None)

    def item(self, text: str) -> None:
        """A list item: directly under the one before it."""
        text = lines(text)
        if text:
            self._add(text, "item")

    def table(self, rows: Sequence[Sequence[str]]) -> None:
        """Rows of cells, the header row first; every row becomes one line. Empty rows are left out."""
        kept = [[one_line(cell) for cell in row] for row in rows]
        kept = [row for row in kept if any(row)]
        if not kept:
            return
        # A column that is empty throughout says nothing (spacers of layout tables).
        width = max(map(len, kept))
        used = [any(len(row) > column and row[column] for row in kept) for column in range(width)]
        text = "\n".join(
            CELL.join(cell for cell, keep in zip(row, used, strict=False) if keep).rstrip() for row in kept
        )
        self._add(text, None)

    @property
    def empty(self) -> bool:
        return not self._parts

    def content(self, title: str | None = None) -> Content:
        """One page without a number: these formats know no pages."""
        return Content((Page(None, "".join(self._parts)),), tuple(self.headings), title)

    def _add(self, text: str, tight: str | None) -> int:
        if self._parts:
            self._put("\n" if tight and tight == self._last_tight else "\n\n")
        start = self._length
        self._put(text)
        self._last_tight = tight
        if self._length > self._limits.text_chars:
            raise Unreadable(f"more than {self._limits.text_chars >> 20} million characters of text")
        return start

    def _put(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)


def one_line(text: str) -> str:
    return " ".join(text.split())


def lines(text: str) -> str:
    """Blanks collapsed inside lines, empty lines dropped, line ends kept."""
    return "\n".join(filter(None, (re.sub(r"[^\S\n]+", " ", line).strip() for line in text.split("\n"))))
