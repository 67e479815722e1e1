"""What stands in the cell of a table: a number with its unit, a date, or words."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

_CURRENCY = r"(?:[¥￥€$£₩₹]|(?:EUR|USD|RMB|CNY|GBP|CHF|JPY|HKD)\b|人民币)"
_NUMBER = re.compile(
    rf"(?P<open>\()?\s*(?P<sign>[-+−–]?)\s*(?P<before>{_CURRENCY})?\s*(?P<after_sign>[-−–]?)\s*"
    r"(?P<digits>\d{1,3}(?:[,'’\u00a0\u202f]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)\s*"
    r"(?P<scale>[万亿]|[kKmM](?![A-Za-z]))?\s*(?P<unit>[^\d\s()（）,;，；|][^\d(),;，；|]{0,11})?\s*(?P<close>\))?"
)
_SCALE = {"万": 10**4, "亿": 10**8, "k": 10**3, "K": 10**3, "m": 10**6, "M": 10**6}
_YEAR = re.compile(r"(?<!\d)((?:19|20)\d\d)(?!\d)")
_DATE = re.compile(
    r"(?<!\d)(?:(?P<year>(?:19|20)\d\d)\s*[-/.年]\s*(?P<month>\d{1,2})(?:\s*[-/.月]\s*(?P<day>\d{1,2})日?)?"
    r"|(?P<day2>\d{1,2})[./](?P<month2>\d{1,2})[./](?P<year2>(?:19|20)\d\d))(?!\d)"
)
_NAMES_ONE = re.compile(r"号|[栋幢]|单元|车间")
"""What stands behind a number that is a name: 3号楼 is no three of anything."""
EMPTY = frozenset(
    ["", "-", "–", "—", "/", "n/a", "na", "n.a.", "nil", "none", "null", "无", "暂无", "未知", "?"]
)
"""Cells that say that there is nothing to say."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """value: exact. unit: as written, "" if none. grouped: written with thousands separators.

    places: digits behind the decimal point.
    """

    value: Decimal
    unit: str = ""
    grouped: bool = False
    places: int = 0


def quantity(cell: str) -> Quantity | None:
    """The number that a cell consists of, with its unit; None if it is anything else (a date, a code)."""
    text = unicodedata.normalize("NFKC", cell).strip()
    match = _NUMBER.fullmatch(text)
    if match is None or (match["open"] is None) != (match["close"] is None):
        return None
    if match["unit"] and _NAMES_ONE.match(match["unit"]):
        return None
    digits = re.sub(r"[,'’\u00a0\u202f]", "", match["digits"])
    # "2,5 kg" and "007" are no plain numbers; a code must not be summed.
    if len(digits) > 1 and digits[0] == "0" and digits[1].isdigit():
        return None
    value = Decimal(digits)
    if match["scale"]:
        value *= _SCALE[match["scale"]]
    if match["sign"] in ("-", "−", "–") or match["after_sign"] or match["open"]:
        value = -value
    unit = (match["unit"] or "").strip() or (match["before"] or "")
    return Quantity(value, unit, digits != match["digits"], len(digits.partition(".")[2]))


def date(cell: str) -> tuple[int, int | None] | None:
    """(year, month) of the first date in a cell; the month is None if only a year stands there."""
    match = _DATE.search(cell)
    if match is not None:
        return int(match["year"] or match["year2"]), int(match["month"] or match["month2"])
    year = _YEAR.search(cell)
    return (int(year[1]), None) if year else None


def day(cell: str) -> tuple[int, int, int] | None:
    """(year, month, day) of a cell that is a date, 0 for what it does not say; None for anything else.

    >>> day("2024-03-11"), day("2009"), day("31.12.2022"), day("Berlin 2009")
    ((2024, 3, 11), (2009, 0, 0), (2022, 12, 31), None)
    """
    text = re.sub(r"(?<=\d)月份?$", "", cell.strip())
    match = _DATE.fullmatch(text)
    if match is None:
        year = re.fullmatch(r"((?:19|20)\d\d)年?", text)
        return (int(year[1]), 0, 0) if year else None
    if match["year2"]:
        return int(match["year2"]), int(match["month2"]), int(match["day2"])
    return int(match["year"]), int(match["month"]), int(match["day"] or 0)


def of_span(cell: str, span: Literal["year", "month"]) -> str:
    """The year, or the month with its year, of a cell that is a day; "" for anything else.

    >>> of_span("2024-03-11", "month"), of_span("31.12.2022", "year"), of_span("2009", "month")
    ('2024-03', '2022', '')
    """
    told = day(cell)
    if told is None or (span == "month" and not told[1]):
        return ""
    return f"{told[0]}" if span == "year" else f"{told[0]}-{told[1]:02d}"


def is_empty(cell: str) -> bool:
    return cell.strip().lower() in EMPTY


def written(value: Decimal, *, grouped: bool, places: int) -> str:
    """A number as the table writes its own: with separators if it does, with that many places at least."""
    value = value.normalize()
    shown = max(places, -int(value.as_tuple().exponent)) if value.as_tuple().exponent else places
    return f"{value:,.{shown}f}" if grouped else f"{value:.{shown}f}"
