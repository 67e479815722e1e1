"""Quarters, halves, months and fiscal years as people write them in both languages: Q2 is the second quarter
and 第二季度, FY2023 is fiscal 2023 and 2023财年, Sept. is September and 9月."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["quarter", "half", "month", "year"]

_YEAR = r"(?:(?:19|20)\d\d|'?\d\d)"
_ORDINAL = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "1st": 1,
    "2nd": 2,
    "3rd": 3,
    "4th": 4,
    "一": 1,
    "二": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
    "十": 10,
    "十一": 11,
    "十二": 12,
    "上": 1,
    "下": 2,
}
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NAMES = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?"
)
_PATTERNS: dict[Kind, re.Pattern[str]] = {
    "quarter": re.compile(
        rf"(?<![a-z0-9])(?:(?:fy)?\s?(?P<y>{_YEAR})[\s/-]?)?q\s?(?P<n>[1-4])"
        rf"(?:[\s/,-]{{0,2}}(?:of\s+)?(?:fy\s?|fiscal\s+)?(?P<y2>{_YEAR}))?(?![a-z0-9])"
        rf"|(?<![a-z0-9])(?P<n2>[1-4])q\s?(?P<y3>{_YEAR})?(?![a-z0-9])"
        r"|\b(?P<n3>first|second|third|fourth|1st|2nd|3rd|4th)[\s-](?:fiscal[\s-])?quarter\b"
        r"|第?(?P<n4>[一二三四1-4])\s*季(?:度|报)",
        re.IGNORECASE,
    ),
    "half": re.compile(
        rf"(?<![a-z0-9])(?:(?:fy)?\s?(?P<y>{_YEAR})[\s/-]?)?h\s?(?P<n>[12])"
        rf"(?:[\s/,-]{{0,2}}(?:of\s+)?(?:fy\s?|fiscal\s+)?(?P<y2>{_YEAR}))?(?![a-z0-9])"
        rf"|(?<![a-z0-9])(?P<n2>[12])h\s?(?P<y3>{_YEAR})(?![a-z0-9])"
        r"|\b(?P<n3>first|second|1st|2nd)[\s-]half\b(?!\s+of\s+the\s+(?:day|game|page|book|hour|month))"
        r"|(?P<n4>[上下])半年",
        re.IGNORECASE,
    ),
    "month": re.compile(
        rf"\b(?P<name>{_NAMES})\b\.?(?![a-z-])"
        r"|(?<![\d.])(?:(?:19|20)\d\d)(?:[-/.]|\s*年\s*)(?P<n>1[0-2]|0?[1-9])(?!\d)月?"
        r"|(?<![\d.])\d{1,2}[./](?P<n2>0?[1-9]|1[0-2])[./](?:19|20)\d\d(?!\d)"
        r"|(?<![\d个])(?P<n3>1[0-2]|[1-9])\s*月(?!球|饼)"
        r"|(?<![一二三四五六七八九十个])(?P<n4>十[一二]?|[一二三四五六七八九])月",
        re.IGNORECASE,
    ),
    "year": re.compile(
        rf"\bfy\s?(?P<y>{_YEAR})\b|\bfiscal(?:\s+year)?\s+(?P<y2>{_YEAR})\b"
        r"|(?P<y3>(?:19|20)\d\d)\s*(?:财政?年度?|会计年度)",
        re.IGNORECASE,
    ),
}
_CAPITAL = frozenset(["march", "august", "jan"])
"""Verbs, adjectives and names that are months only with a capital,"""
_PLACED = frozenset(["may", "mar"])
"""and such as must also stand beside a number or a word that places them in time."""
_PLACE = re.compile(
    r"(?i)(?:\b(?:in|of|by|since|until|till|from|to|and|last|next|this|during|for|\d{1,2}(?:st|nd|rd|th)?)"
    r"|[-–/,])\s*$"
)
_NUMBERED = re.compile(r"\.?\s*,?\s*(?:\d{1,2}\b|(?:19|20)\d\d)")


_AROUND = 12


@dataclass(frozen=True, slots=True)
class Period:
    """kind and number: the second quarter, the ninth month, 0 for a fiscal year. year: the one that is said
    with it, None if none is. text[start:end]: how it is written."""

    kind: Kind
    number: int
    year: int | None
    start: int
    end: int


def periods(text: str) -> list[Period]:
    """The periods that a text names, in order, without overlap.

    >>> [(p.kind, p.number, p.year) for p in periods("Q2 FY2023, 第三季度, in Sept. and 2023-11-05")]
    [('quarter', 2, 2023), ('quarter', 3, None), ('month', 9, None), ('month', 11, None)]
    >>> periods("You may take half of it.")
    []
    """
    found: list[Period] = []
    for kind, pattern in _PATTERNS.items():
        for match in pattern.finditer(text):
            if not any(match.start() < other.end and other.start < match.end() for other in found):
                found += _period(kind, match, text)
    return sorted(found, key=lambda each: each.start)


def _period(kind: Kind, match: re.Match[str], text: str) -> Iterator[Period]:
    said = {name: value for name, value in match.groupdict().items() if value}
    year = next((_year(value) for name, value in said.items() if name.startswith("y")), None)
    name = said.get("name", "").lower()
    if name:
        if name in _CAPITAL | _PLACED and not _is_month(name, match, text):
            return
        yield Period(kind, _MONTHS.index(name[:3]) + 1, year, match.start(), match.end())
        return
    number = next((value.lower() for key, value in said.items() if key.startswith("n")), "0")
    yield Period(
        kind, int(number) if number.isdigit() else _ORDINAL[number], year, match.start(), match.end()
    )


def _is_month(name: str, match: re.Match[str], text: str) -> bool:
    if not match.group()[0].isupper():
        return False
    if name in _CAPITAL:
        return True
    before = text[max(0, match.start() - _AROUND) : match.start()]
    return bool(_PLACE.search(before) or _NUMBERED.match(text, match.end()))


def _year(written: str) -> int:
    digits = written.lstrip("'")
    return int(digits) if len(digits) == 4 else 2000 + int(digits)


def covered(texts: list[str]) -> set[tuple[Kind, int]]:
    """The quarters, halves and months that texts name, with the quarter and half that each month is in."""
    found: set[tuple[Kind, int]] = set()
    for text in texts:
        for each in periods(text):
            found.add((each.kind, each.number))
            if each.kind == "month":
                found.add(("quarter", (each.number + 2) // 3))
                found.add(("half", (each.number + 5) // 6))
    return found


def years(texts: list[str]) -> set[int]:
    """The years that stand with a period or name a fiscal year: no plain number says them there."""
    return {each.year for text in texts for each in periods(text) if each.year is not None}
