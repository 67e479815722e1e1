"""A document's table as a whole: what counting and adding up need, which no passage can answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rag.records import PAGE_BREAK, Document, Table

_RULE = re.compile(r"[\s|:+=_─━-]*")
"""A line that only draws, as the second one of a Markdown table."""
_ESCAPED = re.compile(r"\\([|\\])")
_BAR = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True)
class WholeTable:
    """Every row of one table, each a line of the document's text as it stands there.

    header: its header lines, () if none is known. rows: all others, in order, without lines that only
    draw. start, end: its place in the document text. pages: physical pages it stands on, ascending.
    heading: titles above it, outermost first.
    """

    header: tuple[str, ...]
    rows: tuple[str, ...]
    start: int
    end: int
    pages: tuple[int, ...] = ()
    heading: tuple[str, ...] = ()


def tables_of(document: Document) -> list[WholeTable]:
    """The document's tables in the order of its text.

    >>> from rag.records import Page
    >>> text = "Town | People\\nA | 3\\nB | 4"
    >>> (towns,) = tables_of(Document("0", "html", (Page(None, text),), tables=(Table(0, len(text), 13),)))
    >>> towns.header, len(towns.rows), cells(towns.rows[1])
    (('Town | People',), 2, ['B', '4'])
    """
    text = document.text
    found = []
    for table in sorted(document.tables, key=lambda table: table.start):
        found.append(
            WholeTable(
                _rows(text[table.start : table.header_end]),
                _rows(text[max(table.start, table.header_end) : table.end]),
                table.start,
                table.end,
                _pages(document, table),
                _heading(document, table.start),
            )
        )
    return found


def tables_within(document: Document, start: int, end: int) -> list[WholeTable]:
    """The whole tables of which document.text[start:end], a passage for example, shows at least a part."""
    return [table for table in tables_of(document) if table.start < end and start < table.end]


def cells(row: str) -> list[str]:
    """The cells of a row. A row of a PDF or a text file knows no borders between them: it is one cell."""
    if "\t" in row:
        return [cell.strip() for cell in row.split("\t")]
    row = row.strip()
    parts = _BAR.split(row)
    if len(parts) > 1 and row.startswith("|"):
        parts = parts[1:]
        if not parts[-1].strip():
            parts = parts[:-1]
    return [_ESCAPED.sub(r"\1", part.strip()) for part in parts]


def _rows(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.split("\n") if not _RULE.fullmatch(line))


def _pages(document: Document, table: Table) -> tuple[int, ...]:
    numbers = []
    position = 0
    for page in document.pages:
        end = position + len(page.text)
        if page.number is not None and position < table.end and table.start < end:
            numbers.append(page.number)
        position = end + len(PAGE_BREAK)
    return tuple(numbers)


def _heading(document: Document, position: int) -> tuple[str, ...]:
    """The titles of the headings above a place."""
    open_headings: list[tuple[int, str]] = []
    for heading in _before(document, position):
        while open_headings and open_headings[-1][0] >= heading[0]:
            open_headings.pop()
        open_headings.append(heading)
    return tuple(title for _, title in open_headings)


def _before(document: Document, position: int) -> Sequence[tuple[int, str]]:
    return [(heading.level, heading.title) for heading in document.headings if heading.start <= position]
