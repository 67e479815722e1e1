"""ODS: one page a sheet, its cells as they are shown, which is how the format keeps them.

Rows are taken one by one and dropped, since a sheet may be large; empty runs are only counted.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from ingest.readers.archive import Archive
from ingest.readers.base import Content, Source
from ingest.readers.blocks import Blocks, one_line
from ingest.readers.docx_text import local
from ingest.readers.odf import attribute, flat_document, inline_of, text_of
from ingest.readers.odf_locked import unlocked
from ingest.readers.sheets import Merged, Row, write_sheet
from ingest.readers.titles import plausible_title
from ingest.readers.xml_mending import for_parsing

_MOST_REPEATED = 256


def read(source: Source) -> Content:
    title = None
    if source.decoded is not None:
        data = flat_document(source)
    else:
        archive = Archive(unlocked(source).data, source.limits)
        data = archive.read("content.xml")
        if "meta.xml" in archive:
            for element in archive.aside("meta.xml").iter("{http://purl.org/dc/elements/1.1/}title"):
                title = plausible_title(element.text)
    blocks = Blocks(source.limits)
    book = _Book(for_parsing(data))
    for number, (name, hidden, merged, rows) in enumerate(book.sheets(), start=1):
        write_sheet(blocks, number, name, rows, source.limits, hidden=hidden, merged=merged)
        for text in book.beside:
            blocks.paragraph(text)
    return blocks.content(title)


class _Book:
    """beside: texts over the cells and comments of the sheet that was read last."""

    def __init__(self, data: bytes) -> None:
        from lxml import etree

        self._events = iter(
            etree.iterparse(
                io.BytesIO(data), events=("start", "end"), resolve_entities=False, no_network=True,
                load_dtd=False,
                huge_tree=True,
            )
        )  # fmt: skip
        self._hidden: set[str] = set()
        self.beside: list[str] = []

    def sheets(self) -> Iterator[tuple[str, bool, Merged, Iterator[tuple[int, Row]]]]:
        for event, element in self._events:
            name = local(element)
            if event == "end" and name == "style":
                if any(attribute(part, "display") == "false" for part in element):
                    self._hidden.add(attribute(element, "name"))
            elif event == "start" and name == "table":
                self.beside = []
                merged: Merged = {}
                rows = self._rows(element, merged)
                hidden = attribute(element, "style-name") in self._hidden
                yield one_line(attribute(element, "name")), hidden, merged, rows
                for _ in rows:  # what the reader of the sheet has left
                    pass
                element.clear()

    def _rows(self, table: Any, merged: Merged) -> Iterator[tuple[int, Row]]:
        row = 0
        for event, element in self._events:
            if event != "end":
                continue
            if element is table:
                return
            name = local(element)
            if name == "shapes":
                self.beside.append(text_of(element))
            elif name == "table-row":
                cells = self._cells(element, row, merged)
                repeated = _count(element, "number-rows-repeated")
                for again in range(min(repeated, _MOST_REPEATED) if cells else 0):
                    yield row + again, cells
                row += repeated
                element.clear()
                while element.getprevious() is not None:
                    del element.getparent()[0]

    def _cells(self, element: Any, row: int, merged: Merged) -> list[tuple[int, str]]:
        cells: list[tuple[int, str]] = []
        column = 0
        for cell in element:
            name = local(cell)
            if name not in ("table-cell", "covered-table-cell"):
                continue
            repeated = _count(cell, "number-columns-repeated")
            text = self._text(cell)
            if text:
                cells.extend((column + again, text) for again in range(min(repeated, _MOST_REPEATED)))
                rows = _count(cell, "number-rows-spanned")
                if rows > 1:
                    merged.setdefault(row, []).append((column, row + rows - 1))
            column += repeated
        return cells

    def _text(self, cell: Any) -> str:
        lines = [inline_of(part) for part in cell if local(part) in ("p", "h")]
        for note in cell:
            if local(note) == "annotation":
                text = text_of(note)
                self.beside.append(f"Comment: {text}" if text else "")
        shown = " ".join(line.text for line in lines)
        return shown or (attribute(cell, "value") or attribute(cell, "date-value") if not lines else "")


def _count(element: Any, name: str) -> int:
    given = attribute(element, name, "1")
    return int(given) if given.isdigit() and len(given) < 9 else 1
