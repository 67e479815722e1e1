"""CSV and TSV: one table, one line a row, whatever delimiter, quotation marks and line ends it uses."""

from __future__ import annotations

from ingest.csv_shape import rows_of, shape_of
from ingest.readers.base import Content, Source
from ingest.readers.blocks import Blocks, one_line
from rag.records import Page


def read(source: Source) -> Content:
    text = source.text()
    shape = shape_of(text, notes=True)
    if shape is None:
        return Content((Page(None, text),))
    first, _, rest = text.partition("\n")
    if first.strip().lower().startswith("sep=") and len(first.strip()) <= 5:
        text = rest
    rows = rows_of(text, shape.delimiter)
    blocks = Blocks(source.limits)
    # Titles and notes above and below a table have one cell; the table has the others.
    top = next((index for index, row in enumerate(rows) if _filled(row) > 1), 0)
    for row in rows[:top]:
        blocks.paragraph(" ".join(map(one_line, row)))
    end = next((place for place in range(len(rows), top, -1) if len(rows[place - 1]) > 1), top)
    blocks.table(rows[top:end])
    for row in rows[end:]:
        blocks.paragraph(" ".join(map(one_line, row)))
    return blocks.content()


def _filled(row: list[str]) -> int:
    return sum(bool(cell.strip()) for cell in row)
