"""XLS (Excel 2 to 2003): one page a sheet, its cells as they are shown."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from ingest.errors import GIVE_PASSWORD, LOCKED, ReadError, Skipped, Unreadable
from ingest.readers.base import Content, Source
from ingest.readers.blocks import Blocks
from ingest.readers.number_formats import shown
from ingest.readers.sheets import Merged, Row, write_sheet


def read(source: Source) -> Content:
    import xlrd

    try:
        with open(os.devnull, "w") as nothing:
            book = xlrd.open_workbook(
                file_contents=source.data, formatting_info=True, on_demand=True, logfile=nothing
            )
    except Exception as error:  # noqa: BLE001 - whatever a damaged workbook makes of its reader
        if "encrypted" in str(error).lower():
            return _opened(source)
        return _otherwise(source, error)
    blocks = Blocks(source.limits)
    for number, name in enumerate(book.sheet_names(), start=1):
        sheet = book.sheet_by_index(number - 1)
        merged: Merged = {}
        for first, behind, column, _ in sheet.merged_cells:
            merged.setdefault(first, []).append((column, behind - 1))
        write_sheet(
            blocks,
            number,
            name,
            _rows(book, sheet),
            source.limits,
            hidden=sheet.visibility != 0,
            merged=merged,
        )
        for (row, column), note in sorted(sheet.cell_note_map.items()):
            text = note.text.strip()
            blocks.paragraph(f"Comment on {_letters(column)}{row + 1}: {text}" if text else "")
        book.unload_sheet(number - 1)
    return blocks.content()


def _rows(book: Any, sheet: Any) -> Iterator[tuple[int, Row]]:
    for row in range(sheet.nrows):
        cells = []
        for column, cell in enumerate(sheet.row(row)):
            text = _shown(book, cell)
            if text:
                cells.append((column, text))
        yield row, cells


def _shown(book: Any, cell: Any) -> str:
    import xlrd

    if cell.ctype == xlrd.XL_CELL_TEXT:
        return str(cell.value)
    if cell.ctype == xlrd.XL_CELL_BOOLEAN:
        return "TRUE" if cell.value else "FALSE"
    if cell.ctype == xlrd.XL_CELL_ERROR:
        return str(xlrd.error_text_from_code.get(cell.value, "#ERROR"))
    if cell.ctype in (xlrd.XL_CELL_NUMBER, xlrd.XL_CELL_DATE):
        code = None
        if cell.xf_index is not None:
            described = book.format_map.get(book.xf_list[cell.xf_index].format_key)
            code = described.format_str if described else None
        return shown(cell.value, _country_free(code), from_1904=book.datemode == 1)
    return ""


def _country_free(code: str | None) -> str | None:
    """The built-in short date is shown in the order of the reader's country: year first here."""
    if code and code.lower() in ("m/d/yy", "m/d/yyyy", "mm-dd-yy", "m/d/yy h:mm"):
        return "yyyy-mm-dd h:mm" if "h" in code else "yyyy-mm-dd"
    return code


def _otherwise(source: Source, error: Exception) -> Content:
    """What one reader refuses, the other may take."""
    from ingest.readers.xlsb import read as read_by_calamine

    try:
        return read_by_calamine(source)
    except ReadError:
        raise Unreadable(f"damaged XLS: {' '.join(str(error).split())[:200]}") from error


def _opened(source: Source) -> Content:
    from ingest.readers.locked_office import decrypted

    data = decrypted(source)
    if data is None:
        raise Skipped(LOCKED, fix=GIVE_PASSWORD)
    return read(Source(data, source.name, (), source.limits))


def _letters(column: int) -> str:
    text = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        text = chr(ord("A") + rest) + text
    return text
