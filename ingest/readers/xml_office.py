"""Office documents in one XML file: Word and Excel 2003, and packages written flat."""

from __future__ import annotations

import base64
import binascii
import io
import zipfile
from collections.abc import Iterator
from typing import Any

from ingest.errors import Unreadable
from ingest.readers.base import Content, Source
from ingest.readers.blocks import Blocks, one_line
from ingest.readers.docx_text import children, local
from ingest.readers.sheets import Merged, Row, write_sheet
from ingest.readers.xml_records import attribute

_WORKBOOK = "urn:schemas-microsoft-com:office:spreadsheet"
_DOCUMENT = "http://schemas.microsoft.com/office/word/2003/wordml"
_PACKAGE = "http://schemas.microsoft.com/office/2006/xmlPackage"


def read_office(root: Any, source: Source) -> Content | None:
    """None if this is no document of Office."""
    namespace, _, name = root.tag.rpartition("}")
    namespace = namespace.lstrip("{")
    if namespace == _WORKBOOK and name == "Workbook":
        return _workbook(root, source)
    if namespace == _DOCUMENT and name == "wordDocument":
        from ingest.readers.docx import read_body

        return read_body(root, source)
    if namespace == _PACKAGE and name == "package":
        from ingest.readers import content_of

        return content_of(Source(_packed(root), source.name, source.passwords, source.limits))
    return None


def _workbook(root: Any, source: Source) -> Content:
    blocks = Blocks(source.limits)
    for number, sheet in enumerate(children(root, "Worksheet"), start=1):
        hidden = any(
            (visible.text or "") != "SheetVisible"
            for options in children(sheet, "WorksheetOptions")
            for visible in children(options, "Visible")
        )
        merged: Merged = {}
        name = one_line(attribute(sheet, "Name")) or f"Sheet{number}"
        write_sheet(blocks, number, name, _rows(sheet, merged), source.limits, hidden=hidden, merged=merged)
    return blocks.content()


def _rows(sheet: Any, merged: Merged) -> Iterator[tuple[int, Row]]:
    """Index says from which row or column on it goes on, from 1; without it, behind the one before."""
    for table in children(sheet, "Table"):
        row = -1
        for element in children(table, "Row"):
            row = _place(element, row)
            cells = []
            column = -1
            for cell in children(element, "Cell"):
                column = _place(cell, column)
                text = one_line(" ".join("".join(data.itertext()) for data in children(cell, "Data")))
                if text:
                    cells.append((column, text.removesuffix("T00:00:00.000")))
                    down = attribute(cell, "MergeDown")
                    if down.isdigit():
                        merged.setdefault(row, []).append((column, row + int(down)))
                across = attribute(cell, "MergeAcross")
                column += int(across) if across.isdigit() else 0
            yield row, cells


def _place(element: Any, before: int) -> int:
    index = attribute(element, "Index")
    return int(index) - 1 if index.isdigit() and len(index) < 9 else before + 1


def _packed(root: Any) -> bytes:
    """The parts of a flat package as the archive that they usually are."""
    from lxml import etree

    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for part in children(root, "part"):
            name = attribute(part, "name").lstrip("/")
            for content in part:
                if local(content) == "xmlData" and len(content):
                    archive.writestr(name, etree.tostring(content[0]))
                elif local(content) == "binaryData":
                    try:
                        archive.writestr(name, base64.b64decode(content.text or ""))
                    except binascii.Error as error:
                        raise Unreadable(f"damaged: its part {name} cannot be decoded") from error
    return out.getvalue()
