"""XLSB: workbooks whose sheets are binary. Their cells come as values, without the formats of display."""

from __future__ import annotations

import datetime
import io
from collections.abc import Iterator
from typing import Any

from ingest.errors import Unreadable
from ingest.readers.base import Content, Source
from ingest.readers.blocks import Blocks
from ingest.readers.number_formats import plain
from ingest.readers.sheets import Row, write_sheet

_MOST_CELLS = 50_000_000
"""Of the rectangle between the first and the last cell, which is built whole."""


def read(source: Source) -> Content:
    try:
        return _read(source)
    except (Exception, KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:
        # What the library does not foresee ends in a panic, which is no Exception.
        raise Unreadable(f"damaged workbook: {' '.join(str(error).split())[:200]}") from error


def _read(source: Source) -> Content:
    from python_calamine import CalamineError, CalamineWorkbook, SheetVisibleEnum

    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(source.data))
    except (CalamineError, OSError) as error:
        raise Unreadable(f"damaged workbook: {error}") from error
    blocks = Blocks(source.limits)
    for number, described in enumerate(book.sheets_metadata, start=1):
        try:
            sheet = book.get_sheet_by_index(number - 1)
        except (CalamineError, OSError):
            blocks.page(number, described.name)  # a sheet of charts or macros
            continue
        if sheet.height * sheet.width > _MOST_CELLS:
            raise Unreadable(
                f"its sheet {described.name} spans {sheet.height} rows and {sheet.width} columns"
            )
        hidden = described.visible != SheetVisibleEnum.Visible
        write_sheet(blocks, number, described.name, _rows(sheet), source.limits, hidden=hidden)
    return blocks.content()


def _rows(sheet: Any) -> Iterator[tuple[int, Row]]:
    if sheet.start is None:
        return
    first_row = sheet.start[0]
    for row, values in enumerate(sheet.to_python(skip_empty_area=True), start=first_row):
        yield row, [(column, text) for column, value in enumerate(values) if (text := _shown(value))]


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return plain(value)
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    if isinstance(value, datetime.datetime):
        return value.isoformat(" ", "seconds")
    return str(value)
