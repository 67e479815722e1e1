"""XLSX: one page a sheet, its cells as they are shown, then its text boxes, charts' titles and comments, and
what is printed above and below its pages, once a workbook.

Cells are read as they stand in the file and empty ones are never built, so a sheet whose only cells are in
its first and its last row costs two cells.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from ingest.readers.archive import Archive
from ingest.readers.base import Content, Source
from ingest.readers.blocks import Blocks, one_line
from ingest.readers.docx_text import children, local
from ingest.readers.drawing_text import chart_of, diagram_of, lines_of
from ingest.readers.embedded import Embedded
from ingest.readers.number_formats import shown
from ingest.readers.office_properties import title_of
from ingest.readers.sheet_margins import margins_of
from ingest.readers.sheets import Merged, Row, write_sheet
from ingest.readers.xlsx_styles import formats, rich_text, shared_texts, unescaped
from ingest.readers.xml_mending import for_parsing

_MERGED = re.compile(
    rb"<(?:\w+:)?mergeCell\s[^>]{0,200}?ref=[\"']\$?([A-Z]{1,3})\$?(\d+):\$?([A-Z]{1,3})\$?(\d+)[\"']"
)
_USUAL = {kind: (kind, f"xl/{kind}.xml") for kind in ("sharedStrings", "styles")}
_LONG = re.compile(r"-?\d{16,40}")
_CELL = re.compile(r"([A-Za-z]{1,3})(\d{1,7})")


def read(source: Source) -> Content:
    archive = Archive(source.data, source.limits)
    main = archive.main_part(("xl/workbook.xml",))
    related = archive.related(main)
    workbook = _Workbook(archive, main, related)
    blocks = Blocks(source.limits)
    embedded = Embedded(archive)
    printed: set[str] = set()
    number = 0
    for sheets in children(archive.xml(main), "sheets"):
        for sheet in children(sheets, "sheet"):
            identity = next((value for key, value in sheet.attrib.items() if key.endswith("}id")), "")
            number += 1
            # Where the list of parts is lost, the usual name is all there is.
            kind, part = related.get(identity, ("worksheet", f"xl/worksheets/sheet{number}.xml"))
            name = one_line(sheet.get("name", f"Sheet{number}"))
            hidden = sheet.get("state", "visible") != "visible"
            if part not in archive:
                blocks.page(number, name)
                continue
            beside = archive.related(part)
            embedded.add(beside)
            data = for_parsing(archive.read(part)) if kind == "worksheet" else b""
            write_sheet(
                blocks, number, name, workbook.rows(data), source.limits, hidden=hidden, merged=_merged(data)
            )
            _beside(archive, beside, blocks)
            for text in margins_of(data):
                if text not in printed:
                    printed.add(text)
                    blocks.paragraph(text)
    return blocks.content(title_of(archive), embedded.members())


class _Workbook:
    def __init__(self, archive: Archive, main: str, related: dict[str, tuple[str, str]]) -> None:
        parts = {kind: part for kind, part in (related or _USUAL).values() if part in archive}
        self._texts = shared_texts(archive.xml(parts["sharedStrings"])) if "sharedStrings" in parts else []
        self._formats = formats(archive.aside(parts["styles"])) if "styles" in parts else []
        properties = next(children(archive.xml(main), "workbookPr"), None)
        self._from_1904 = properties is not None and properties.get("date1904") in ("1", "true")

    def rows(self, data: bytes) -> Iterator[tuple[int, Row]]:
        """Cells that show something. Rows and columns without a place of their own follow the one before."""
        if not data:
            return
        from lxml import etree

        row = -1
        stream = etree.iterparse(
            io.BytesIO(data), events=("end",), tag="{*}row", resolve_entities=False, no_network=True,
            load_dtd=False, huge_tree=True, remove_comments=True, remove_pis=True,
        )  # fmt: skip
        for _, element in stream:
            given = element.get("r", "")
            row = int(given) - 1 if given.isdigit() else row + 1
            cells: list[tuple[int, str]] = []
            column = -1
            for cell in element:
                if local(cell) != "c":
                    continue
                place = _CELL.fullmatch(cell.get("r", ""))
                column = column_number(place.group(1)) if place else column + 1
                text = self._shown(cell)
                if text:
                    cells.append((column, text))
            yield row, sorted(cells)
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]

    def _shown(self, cell: Any) -> str:
        kind = cell.get("t", "n")
        value = formula = ""
        for child in cell:
            tag = child.tag
            if tag.endswith("}v"):
                value = child.text or ""
            elif tag.endswith("}is"):
                return rich_text(child)
            elif tag.endswith("}f"):
                formula = child.text or ""
        if kind == "s":
            return self._texts[int(value)] if value.isdigit() and int(value) < len(self._texts) else ""
        if kind == "b":
            return {"1": "TRUE", "0": "FALSE"}.get(value, value)
        if kind in ("str", "e", "d"):
            return unescaped(value)
        if not value:
            # Calculated by nobody yet: the formula is all there is.
            return f"={formula}" if formula else ""
        try:
            number = float(value)
        except ValueError:
            return value
        style = cell.get("s", "0")
        code = self._formats[int(style)] if style.isdigit() and int(style) < len(self._formats) else None
        if code in (None, "0") and _LONG.fullmatch(value):
            # More digits than a number keeps: those of a card or an account, which somebody wrote whole.
            return value
        return shown(number, code, from_1904=self._from_1904)


@lru_cache(maxsize=1 << 15)
def column_number(letters: str) -> int:
    """Column from 0: A is 0, AA is 26."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def _merged(data: bytes) -> Merged:
    found: Merged = {}
    for match in _MERGED.finditer(data):
        column, first, last = column_number(match.group(1).decode()), int(match.group(2)), int(match.group(4))
        found.setdefault(first - 1, []).append((column, last - 1))
    return found


def _beside(archive: Archive, related: dict[str, tuple[str, str]], blocks: Blocks) -> None:
    """Text boxes and charts that lie over the cells, then comments."""
    for kind, part in related.values():
        if part not in archive:
            continue
        if kind == "drawing":
            _drawing(archive, part, blocks)
        elif kind == "comments":
            for comment in archive.aside(part).iter():
                if local(comment) == "comment":
                    text = one_line(" ".join(rich_text(body) for body in children(comment, "text")))
                    if text and "[Threaded comment]" not in text:
                        blocks.paragraph(f"Comment on {comment.get('ref', '')}: {text}")
        elif kind == "threadedComment":
            for comment in archive.aside(part).iter():
                if local(comment) == "threadedComment":
                    text = one_line(" ".join(body.text or "" for body in children(comment, "text")))
                    blocks.paragraph(f"Comment on {comment.get('ref', '')}: {text}" if text else "")


def _drawing(archive: Archive, part: str, blocks: Blocks) -> None:
    for element in archive.aside(part).iter():
        if local(element) == "txBody":
            blocks.paragraph("\n".join(line.text for line in lines_of(element)))
    for kind, target in archive.related(part).values():
        if kind in ("chart", "chartEx") and target in archive:
            # Their figures stand in the cells.
            for title in chart_of(archive.aside(target))[0]:
                blocks.paragraph(title)
        elif kind == "diagramData" and target in archive:
            for text in diagram_of(archive.aside(target)):
                blocks.item(f"• {text}")
