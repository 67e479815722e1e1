"""Which rows at the top of a table name its columns, where the document does not say."""

from __future__ import annotations

import re
from collections.abc import Sequence

_NUMBER = re.compile(
    r"[\s(]*(?:[-+−±~≈<>≤≥]\s*)?(?:[$€£¥￥₹]|[A-Z]{3}\s)?\s*"
    r"[\d.,'\u00a0\u202f]*\d[\d.,'\u00a0\u202f]*\s*(?:%|‰|[$€£¥￥]|[eE][-+]?\d+|万|亿|元)?[\s)]*"
)
_DATE = re.compile(r"\d{1,4}[-/.年]\d{1,2}[-/.月]\d{1,4}日?(?:[ T]\d{1,2}:\d\d.*)?|\d{1,2}:\d\d(?::\d\d)?")
_YEAR = re.compile(r"(?:19|20|21)\d\d年?")
_LONGEST_NAME = 120
_LONGEST_VALUE = 60
_LOOKED_AT = 12
_MOST_HEADER_ROWS = 3


def header_rows(rows: Sequence[Sequence[str]]) -> int:
    """0 where no row looks like a header. Two or three where the upper ones only group columns."""
    if len(rows) < 2:
        return 0
    width = max(map(len, rows[:_LOOKED_AT]))
    if not _names_columns(rows[0], width):
        return 0
    count = 1
    while (
        count < min(_MOST_HEADER_ROWS, len(rows) - 1)
        and _groups(rows[count - 1], width)
        and _names_columns(rows[count], width)
        and any(map(is_value, rows[count + 1]))
    ):
        count += 1
    return count


def is_value(cell: str) -> bool:
    """Whether a cell is a number, an amount, a share or a date: what stands under a header, not in it."""
    return len(cell) <= _LONGEST_VALUE and bool(_NUMBER.fullmatch(cell) or _DATE.fullmatch(cell))


def _names_columns(row: Sequence[str], width: int) -> bool:
    named = [cell for cell in row if cell]
    if 2 * len(named) < width or not named:
        return False
    return all(len(cell) <= _LONGEST_NAME and (not is_value(cell) or _YEAR.fullmatch(cell)) for cell in named)


def _groups(row: Sequence[str], width: int) -> bool:
    """Whether a name stands over several columns: repeated, or with nothing beside it."""
    named = [cell for cell in row if cell]
    return len(named) < width or len(set(named)) < len(named)
