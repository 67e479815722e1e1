"""The tables of a document, whole: also where they go over several pages and repeat their header."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rag.answering.tables.cells import quantity
from rag.records import PAGE_BREAK, Document, Table

_BAR = re.compile(r"(?<!\\)\|")
_ESCAPED = re.compile(r"\\([|\\])")
_RULE = re.compile(r"[\s|:+=_─━-]+")
"""A line that only draws, as the second one of a Markdown table."""
_TOTAL = re.compile(r"(?:grand\s+|sub-?)?totals?|sum|in\s+all|(?:合|总|小|共)计|总和|总数", re.IGNORECASE)
_GAP = 160
"""Characters that may stand between the pieces of one table: a page's foot and head."""
_TITLE = 120


@dataclass(frozen=True, slots=True)
class Row:
    """cells: as written, white space cut. [start, end): its line in the document's text."""

    cells: tuple[str, ...]
    start: int
    end: int

    def cell(self, column: int) -> str:
        """What stands in a column; "" where the row has fewer."""
        return self.cells[column] if column < len(self.cells) else ""

    @property
    def is_total(self) -> bool:
        """Whether it sums up the others."""
        first = next((cell for cell in self.cells if cell), "")
        return _TOTAL.fullmatch(first.strip(" *:：")) is not None


@dataclass(frozen=True, slots=True)
class Whole:
    """header: titles of the columns, () if the table shows none. rows: all others, none left out.

    title: the line above the table or the heading it stands under, "" if there is none. [start, end): from
    its first line to its last. pages: (physical number or None, start, end) of each page that it touches, cut
    to the table.
    """

    header: tuple[str, ...]
    rows: tuple[Row, ...]
    title: str
    start: int
    end: int
    header_span: tuple[int, int]
    pages: tuple[tuple[int | None, int, int], ...] = ()

    @property
    def width(self) -> int:
        return max([len(self.header), *(len(row.cells) for row in self.rows)], default=0)

    def column(self, index: int) -> list[str]:
        return [row.cell(index) for row in self.rows]


def tables_of(document: Document) -> list[Whole]:
    """All tables of a document in their order; pieces of one table are joined."""
    text = document.text
    spans = list(document.tables) or list(_by_lines(text))
    pieces = [piece for table in spans if (piece := _piece(text, table, document)) is not None]
    joined: list[Whole] = []
    for piece in pieces:
        if joined and _continues(joined[-1], piece, text):
            joined[-1] = _together(joined[-1], piece)
        else:
            joined.append(piece)
    return [replace(table, pages=_pages(document, table)) for table in joined]


def cells(line: str, *, framed: bool | None = None) -> tuple[str, ...]:
    """The cells of a row as they read: between bars, of which "\\|" is none, or between tab stops.

    framed: whether the table's rows begin and end with a bar; None if this row alone tells. A row of a PDF or
    a text file knows no borders between cells: it is one cell.

    >>> cells("| a | | c |"), cells(r"a \\| b | c"), cells("a\\tb\\t"), cells(" | b", framed=False)
    (('a', '', 'c'), ('a | b', 'c'), ('a', 'b', ''), ('', 'b'))
    """
    plain = "\\" not in line  # tables may have tens of thousands of rows
    parts = line.split("|") if plain else _BAR.split(line)
    if len(parts) == 1:
        parts = line.strip(" \r\n").split("\t")
    elif line.strip().startswith("|") if framed is None else framed:
        parts = parts[1:] if parts[-1].strip() else parts[1:-1]
    if plain:
        return tuple([part.strip().replace("**", "") for part in parts])
    return tuple(_ESCAPED.sub(r"\1", part.strip()).replace("**", "") for part in parts)


def _by_lines(text: str) -> Iterator[Table]:
    """Runs of lines with cells, for documents whose tables were not told apart when they were read."""
    start: int | None = None
    at = count = first_end = 0
    for line in [*text.split("\n"), ""]:
        bordered = "|" in line and bool(line.strip(" |"))
        if bordered and start is None:
            start, count, first_end = at, 1, at + len(line) + 1
        elif bordered:
            count += 1
        elif start is not None:
            if count > 1:
                yield Table(start, at - 1, first_end)
            start = None
        at += len(line) + 1


def _piece(text: str, table: Table, document: Document) -> Whole | None:
    lines = [row for row in _rows(text, table.start, table.end) if row.cells]
    header_rows = [row for row in lines if row.start < table.header_end]
    rows = tuple(row for row in lines if row.start >= table.header_end)
    header = _header(header_rows)
    if not rows or max(len(row.cells) for row in rows) < 2:
        return None
    span = (header_rows[0].start, header_rows[-1].end) if header_rows else (rows[0].start, rows[0].end)
    return Whole(header, rows, title_above(text, table.start, document), lines[0].start, lines[-1].end, span)


def _rows(text: str, start: int, end: int) -> Iterator[Row]:
    lines = text[start:end].split("\n")
    framed = all(line.strip().startswith("|") for line in lines if line.strip())
    at = start
    for line in lines:
        stripped = line.strip()
        if stripped and not _RULE.fullmatch(stripped):
            first = at + line.index(stripped)
            yield Row(cells(line, framed=framed), first, first + len(stripped))
        at += len(line) + 1


def _header(rows: Sequence[Row]) -> tuple[str, ...]:
    """Titles of several header rows are put together column by column."""
    if not rows:
        return ()
    width = max(len(row.cells) for row in rows)
    columns = [
        list(dict.fromkeys(row.cells[index] for row in rows if index < len(row.cells) and row.cells[index]))
        for index in range(width)
    ]
    return tuple(" ".join(column) for column in columns)


def title_above(text: str, start: int, document: Document) -> str:
    """The heading over a place and the line directly above it, as one; "" if there is neither."""
    above = text[max(0, start - 2 * _TITLE) : start].rstrip().rpartition("\n")[2].strip()
    heading = next((each.title for each in reversed(document.headings) if each.start < start), "")
    line = above if above and len(above) <= _TITLE and "|" not in above and above != heading else ""
    return " — ".join(dict.fromkeys(part for part in (heading, line.lstrip("# ")) if part))


def _continues(one: Whole, other: Whole, text: str) -> bool:
    """Whether a table goes on: it stands on a later page with the same titles, or with none of its own."""
    between = text[one.end : other.start]
    if PAGE_BREAK not in between or len(between.strip()) > _GAP or "|" in between:
        return False
    if other.header:
        return other.header == one.header
    # Rows go on with values; a row of words alone names the columns of another table.
    return other.width == one.width and any(map(quantity, other.rows[0].cells))


def _together(one: Whole, other: Whole) -> Whole:
    return Whole(one.header, (*one.rows, *other.rows), one.title, one.start, other.end, one.header_span)


def _pages(document: Document, table: Whole) -> tuple[tuple[int | None, int, int], ...]:
    spans = []
    for page, at in zip(document.pages, document.page_starts, strict=True):
        start, end = max(at, table.start), min(at + len(page.text), table.end)
        if start < end:
            spans.append((page.number, start, end))
    return tuple(spans)
