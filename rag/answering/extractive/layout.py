"""What a document tells beside its words: rows of tables with their columns, headings, heads of pages."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rag.answering.tables.borderless import columns_of
from rag.answering.tables.whole import tables_of, title_above
from rag.records import Document, Evidence
from rag.text.language import language
from rag.text.words import words

_PAGE_HEAD = 90
_FRONT = 800
"""Characters at a document's beginning that hold its title, its number and its version."""
_SAYS_NOTHING = re.compile(
    r"\s*|(?:item|field|entry|key|name|value|content|description|details?|subject|attribute|parameter"
    r"|characteristic|feature|specification)s?|property|properties|data"
    r"|项目|内容|名称|数?值|说明|字段|事项|描述|参数|属性|特性|指标",
    re.IGNORECASE,
)
"""Titles of columns that say no more than that there is a name and what belongs to it."""
_ENDED = re.compile(r"[.。!！?？;；:：,，]$")


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table. [start, end): its line in the document's text. cells: as they read; one if the row
    knows no borders. titles: those of the columns, never (), in as many cells. header: their place.
    table: the place of the table, so that rows of one table are known as such. caption: what stands above
    it, "" if nothing does."""

    start: int
    end: int
    cells: tuple[str, ...]
    titles: tuple[str, ...]
    header: tuple[int, int]
    table: int
    caption: str = ""

    def told(self) -> str:
        """The row so that each cell says what it is; "" if it cannot be told so.

        >>> Row(0, 9, ("A", "3", ""), ("Town", "People", "Note"), (0, 0), 0).told()
        'Town: A; People: 3'
        """
        if len(self.cells) < 2 or len(self.cells) > len(self.titles):
            return ""
        if len(self.cells) == 2 and all(_SAYS_NOTHING.fullmatch(title) for title in self.titles[:2]):
            colon = "：" if language("".join(self.cells)) == "zh" else ": "
            return colon.join(filter(None, self.cells))
        zh = language("".join([*self.titles, *self.cells])) == "zh"
        colon, semicolon = ("：", "；") if zh else (": ", "; ")
        return semicolon.join(
            f"{title}{colon}{cell}" if title and title != cell else cell
            for title, cell in zip(self.titles, self.cells, strict=False)
            if cell
        )


@dataclass(frozen=True, slots=True)
class Layout:
    """In offsets of the document's text. rows: of tables whose columns have titles, by their places.

    headings: where headings begin. heads: lines that stand at the top of pages and only name the document.
    """

    rows: tuple[Row, ...] = ()
    headings: frozenset[int] = frozenset()
    heads: frozenset[int] = frozenset()

    def rows_within(self, start: int, end: int) -> Sequence[Row]:
        first = bisect_left(self.rows, start, key=lambda row: row.start)
        last = bisect_left(self.rows, end, key=lambda row: row.start)
        return [row for row in self.rows[first:last] if row.end <= end]


LayoutOf = Callable[[Evidence], Layout]


def layout(document: Document) -> Layout:
    """What can be told of a document from its record."""
    headings = frozenset(heading.start for heading in document.headings)
    rows = sorted([*_rows(document), *_borderless(document)], key=lambda row: row.start)
    return Layout(tuple(rows), headings, frozenset(_heads(document, headings)))


def _rows(document: Document) -> Iterator[Row]:
    for table in tables_of(document):
        if any(table.header):
            for row in table.rows:
                yield Row(
                    row.start, row.end, row.cells, table.header, table.header_span, table.start, table.title
                )


def _borderless(document: Document) -> Iterator[Row]:
    """Rows that know no borders between their cells, as those of a PDF; with columns where they are told."""
    text = document.text
    for table in document.tables:
        body = text[table.header_end : table.end]
        titles = " ".join(text[table.start : table.header_end].split())
        if not titles or "|" in titles or "|" in body or "\t" in body:
            continue
        start = table.start + len(text[table.start :]) - len(text[table.start :].lstrip())
        caption = title_above(text, table.start, document)
        at = table.header_end
        lines: list[tuple[int, str]] = []
        for line in body.split("\n"):
            if stripped := line.strip():
                lines.append((at + line.index(stripped), stripped))
            at += len(line) + 1
        columns, rows = columns_of(text[table.start : table.header_end], [line for _, line in lines])
        for (first, line), cells in zip(lines, rows or [None] * len(lines), strict=True):
            yield Row(
                first,
                first + len(line),
                cells or (line,),
                columns if cells else (titles,),
                (start, table.header_end),
                table.start,
                caption,
            )


def _heads(document: Document, headings: frozenset[int]) -> Iterator[int]:
    """Lines that open a page and say nothing but the document's own title, number and version."""
    front: set[str] = set()
    for place, (page, at) in enumerate(zip(document.pages, document.page_starts, strict=True)):
        if place == 0:
            front = set(words(page.text[:_FRONT]))
        else:
            line, behind, _ = page.text.lstrip().partition("\n")
            start = at + len(page.text) - len(page.text.lstrip())
            said = line.strip()
            short = bool(behind) and 0 < len(said) <= _PAGE_HEAD and not _ENDED.search(said)
            if short and start not in headings and "|" not in said and set(words(said)) <= front:
                yield start
