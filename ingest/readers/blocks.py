"""Puts a document's blocks (headings, paragraphs, list items, table rows) together with right offsets."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ingest.errors import Unreadable
from ingest.readers.base import Content, Limits, Member, seen
from ingest.readers.table_headers import header_rows
from rag.records import PAGE_BREAK, Heading, Page, Table

CELL = " | "
"""Between the cells of a table row, which is one line."""


class Blocks:
    """A document's text under construction. Paragraphs stand apart by a blank line, rows and items do not.

    Without a call of `page` everything is one page without a number.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._pages: list[Page] = []
        self._number: int | None = None
        self._label: str | None = None
        self._parts: list[str] = []
        self._offset = 0  # of the page under construction
        self._length = 0  # of the document up to here
        self._last_tight: str | None = None
        self._expected: tuple[str, int] | None = None
        self.headings: list[Heading] = []
        self.tables: list[Table] = []

    def page(self, number: int, label: str | None = None) -> None:
        """What follows stands on this page."""
        if self._number is not None or self._parts:
            self._close_page(1.0)
        if number > self._limits.pages:
            raise Unreadable(f"more than {self._limits.pages} pages")
        self._number, self._label = number, label

    def heading(self, text: str, level: int) -> None:
        """A heading on a line of its own; level from 1."""
        text = one_line(seen(text))
        if text:
            start = self._add(text, None)
            self.headings.append(Heading(start, max(1, level), text))

    def next_is_heading(self, title: str, level: int) -> None:
        """What is written next begins with a heading that looks like any other text."""
        self._expected = (title, level)

    def paragraph(self, text: str) -> None:
        text = lines(seen(text))
        if text:
            self._add(text, None)

    def item(self, text: str) -> None:
        """A list item: directly under the one before it."""
        text = lines(seen(text))
        if text:
            self._add(text, "item")

    def verbatim(self, text: str) -> None:
        """Lines whose blanks mean something (program code); only blank lines at the ends go."""
        text = re.sub(r"\A(?:[^\S\n]*\n)+", "", seen(text).rstrip())
        if text:
            self._add(text, None)

    def table(self, rows: Sequence[Sequence[str]], header: int | None = None) -> None:
        """Rows of cells; every row becomes one line. Empty rows are left out.

        header: how many of the rows at the top are header rows; None where the document does not say, which
        leaves it to the look of the rows.
        """
        cleaned = [[one_line(cell) for cell in row] for row in rows]
        if header is not None:
            header = sum(any(row) for row in cleaned[:header])
        kept = [row for row in cleaned if any(row)]
        if not kept:
            return
        # A column that is empty throughout says nothing (spacers of layout tables).
        width = max(map(len, kept))
        used = [any(len(row) > column and row[column] for row in kept) for column in range(width)]
        kept = [[cell for cell, keep in zip(row, used, strict=False) if keep] for row in kept]
        top = header_rows(kept) if header is None else header
        self.rows([CELL.join(row).rstrip() for row in kept], top)

    def rows(self, rows: Sequence[str], header: int) -> None:
        """The lines of a table that is already written out, none of them empty; the first `header` are its
        header rows."""
        if not rows:
            return
        rows = [seen(row) for row in rows]
        start = self._add("\n".join(rows), None)
        # Where everything is header, nothing is.
        top = sum(map(len, rows[:header])) + header - 1 if 0 < header < len(rows) else 0
        self.tables.append(Table(start, self._length, start + top))

    def append(self, content: Content) -> None:
        """Another document's text as a part of this one, with its headings and tables; its pages are lost."""
        if not content.text.strip():
            return
        at = self._add(content.text, None)
        self.headings += [replace(heading, start=at + heading.start) for heading in content.headings]
        self.tables += [
            Table(at + table.start, at + table.end, at + table.header_end) for table in content.tables
        ]

    @property
    def empty(self) -> bool:
        return not self._parts and not self._pages

    def content(self, title: str | None = None, members: Sequence[Member] = ()) -> Content:
        """Everything so far; nothing can be added afterwards."""
        self._close_page(1.0)
        return Content(tuple(self._pages), tuple(self.headings), title, tuple(self.tables), tuple(members))

    def _close_page(self, quality: float) -> None:
        text = "".join(self._parts)
        self._pages.append(Page(self._number, text, self._label, quality))
        self._parts = []
        self._offset += len(text) + len(PAGE_BREAK)
        self._length = self._offset
        self._last_tight = None

    def _add(self, text: str, tight: str | None) -> int:
        if self._parts:
            self._put("\n" if tight and tight == self._last_tight else "\n\n")
        start = self._length
        if self._expected:
            title, level = self._expected
            self._expected = None
            self.headings.append(Heading(start, level, title))
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
