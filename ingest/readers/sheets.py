"""A sheet's cells → paragraphs and tables. What its readers share; the cells come row by row.

A sheet may hold several tables, titles above them and notes below: rows are kept together until a row is
empty or the columns in use change.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ingest.errors import Unreadable
from ingest.readers.base import Limits
from ingest.readers.blocks import CELL, Blocks, one_line
from ingest.readers.table_headers import header_rows, is_value

Row = Sequence[tuple[int, str]]
"""(column from 0, shown text) of the cells of a row that are not empty, by column."""

Merged = dict[int, list[tuple[int, int]]]
"""First row of merged cells → (column, last row) of each."""

_NO_NAME = re.compile(r"(?:sheet|tabelle|feuil|hoja|foglio|blad|工作表|シート|лист)\s?\d*", re.I)
_HEAD_ROWS = 8


def write_sheet(
    blocks: Blocks,
    number: int,
    name: str,
    rows: Iterable[tuple[int, Row]],
    limits: Limits,
    *,
    hidden: bool = False,
    merged: Merged | None = None,
) -> None:
    """One page.

    rows: (row from 0, its cells), ascending; rows without cells may be left out.
    merged: cells merged downwards, whose text is repeated in each row. It may grow while `rows` is read.
    """
    label = f"{name} (hidden sheet)" if hidden else name
    blocks.page(number, label)
    sheet = _Sheet(blocks, "" if _NO_NAME.fullmatch(name) and not hidden else label, limits)
    for row, cells in _repeated(rows, {} if merged is None else merged):
        sheet.row(row, cells)
    sheet.close()


class _Sheet:
    def __init__(self, blocks: Blocks, heading: str, limits: Limits) -> None:
        self._blocks = blocks
        self._heading = heading
        self._limits = limits
        self._block: list[Row] = []
        self._last = -1
        self._length = 0

    def row(self, row: int, cells: Row) -> None:
        if not cells:
            return
        if self._block and row > self._last + 1 and not self._goes_on(cells):
            self.close()
        self._last = row
        self._block.append(cells)
        self._length += sum(len(text) + 3 for _, text in cells)
        if self._length > self._limits.text_chars:
            raise Unreadable(f"more than {self._limits.text_chars >> 20} million characters of text")

    def _goes_on(self, cells: Row) -> bool:
        """Whether a row after an empty one belongs to the table before: data under the same columns."""
        before = {column for row in self._block[-3:] for column, _ in row}
        same = {column for column, _ in cells} <= before and len(cells) > 1 and len(self._block) > 1
        return same and any(is_value(text) for _, text in cells)

    def close(self) -> None:
        block, self._block = self._block, []
        if not block:
            return
        if self._heading:
            self._blocks.heading(self._heading, 1)
            self._heading = ""
        # Titles above a table and notes below it fill one cell.
        top = next((place for place, row in enumerate(block) if len(row) > 1), len(block))
        end = next((place for place in range(len(block), top, -1) if len(block[place - 1]) > 1), top)
        if top == len(block) > 3:
            self._blocks.rows([text for row in block for _, text in row], 0)
            return
        for row in block[:top]:
            self._blocks.paragraph(row[0][1])
        self._table(block[top:end])
        for row in block[end:]:
            self._blocks.paragraph(row[0][1])

    def _table(self, block: list[Row]) -> None:
        if not block:
            return
        columns = {column: place for place, column in enumerate(sorted({c for row in block for c, _ in row}))}
        lines = []
        head: list[list[str]] = []
        for row in block:
            cells = [""] * len(columns)
            for column, text in row:
                cells[columns[column]] = text
            if len(head) < _HEAD_ROWS:
                head.append(cells)
            lines.append(CELL.join(cells).rstrip())
        self._blocks.rows(lines, header_rows(head))


def _repeated(rows: Iterable[tuple[int, Row]], merged: Merged) -> Iterator[tuple[int, Row]]:
    """The rows with the text of a cell merged downwards in each row that says something else too."""
    running: dict[int, tuple[int, str]] = {}
    for row, given in rows:
        cells = [(column, text) for column, raw in given if (text := one_line(raw))]
        running = {column: (last, text) for column, (last, text) in running.items() if last >= row}
        if running and cells:
            here = dict(cells)
            for column, (_, text) in running.items():
                here.setdefault(column, text)
            cells = sorted(here.items())
        if row in merged:
            here = dict(cells)
            running |= {
                column: (last, here[column]) for column, last in merged[row] if column in here and last > row
            }
        yield row, cells
