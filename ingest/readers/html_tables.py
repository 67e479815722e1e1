"""HTML tables: which hold data, and what their rows say."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from ingest.readers.blocks import one_line
from ingest.readers.html_tags import BLOCKS, HEADINGS, NO_TEXT

_LONGEST_CELL = 800
_MOST_SPANNED = 1000
_PLACES = {"thead": 0, "tfoot": 2}


def is_data_table(table: Any) -> bool:
    """False for tables that only lay out the page: their cells are blocks to be read one by one."""
    if table.get("role") in ("presentation", "none"):
        return False
    declared = any(element.tag in ("th", "caption", "thead") and _owner(element) is table
                   for element in table.iter("th", "caption", "thead"))  # fmt: skip
    if declared:
        return True
    for inner in table.iter("td", "table", *HEADINGS):
        if inner is table:
            continue
        if inner.tag != "td" or len("".join(inner.itertext())) > _LONGEST_CELL:
            return False
    return any(len(row.findall("td")) > 1 for row in table.iter("tr"))


def caption_of(table: Any) -> str:
    for caption in table.iter("caption"):
        if _owner(caption) is table:
            return one_line("".join(caption.itertext()))
    return ""


def header_of(table: Any) -> int | None:
    """How many rows at the top are header rows; None where the table marks none."""
    count = 0
    for row in _own_rows(table):
        cells = list(row.iterchildren("td", "th"))
        above = row.getparent()
        in_head = above is not None and above.tag == "thead"
        if not cells or not (in_head or all(cell.tag == "th" for cell in cells)):
            break
        count += 1
    return count or None


def rows_of(table: Any, left_out: Set[Any]) -> list[list[str]]:
    """Cells of every row. What spans rows is repeated in each of them, so that a row can stand alone."""
    rows = []
    waiting: dict[int, tuple[int, str]] = {}
    for row in _own_rows(table):
        if row in left_out:
            continue
        cells: list[str] = []
        column = 0
        for cell in row.iterchildren("td", "th"):
            column = _from_above(waiting, column, cells)
            text = cell_text(cell, left_out)
            cells.append(text)
            down = _span(cell, "rowspan")
            if down > 1:
                waiting[column] = (down - 1, text)
            column += _span(cell, "colspan")
        _from_above(waiting, column, cells)
        rows.append(cells)
    return rows


def _own_rows(table: Any) -> list[Any]:
    """In the order in which they are shown: the head may be written last and the foot first."""
    rows = [row for row in table.iter("tr") if _owner(row) is table]
    return sorted(rows, key=lambda row: _PLACES.get(row.getparent().tag, 1))


def cell_text(cell: Any, left_out: Set[Any]) -> str:
    """A cell on one line; its blocks and line breaks become blanks."""
    from lxml import etree

    parts: list[str] = []
    walker = etree.iterwalk(cell, events=("start", "end"))
    for event, element in walker:
        skipped = element in left_out or element.tag in NO_TEXT
        apart = element.tag in BLOCKS or element.tag == "br"
        if event == "start":
            if skipped:
                walker.skip_subtree()
                continue
            parts.append(" " if apart else "")
            parts.append(element.text or "")
        else:
            parts.append(" " if apart else "")
            if element is not cell:
                parts.append(element.tail or "")
    return one_line("".join(parts))


def _from_above(waiting: dict[int, tuple[int, str]], column: int, cells: list[str]) -> int:
    while column in waiting:
        left, text = waiting.pop(column)
        cells.append(text)
        if left > 1:
            waiting[column] = (left - 1, text)
            # Put aside until the next row: this column is served.
        column += 1
    return column


def _owner(element: Any) -> Any:
    return next(element.iterancestors("table"), None)


def _span(cell: Any, name: str) -> int:
    number = cell.get(name, "1").strip()
    return max(1, min(int(number), _MOST_SPANNED)) if number.isdigit() and len(number) < 9 else 1
