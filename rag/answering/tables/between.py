"""Times that a question names as limits: "after 2010", "before 1 September 2025", 2015年以后."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rag.text.folding import fold

_Day = tuple[int, int, int]
_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september", "october"),
    *("november", "december"),
)
_NAMES = "|".join(_MONTHS)
_WHEN = (
    rf"(?:(?P<iso>(?:19|20)\d\d-\d\d?(?:-\d\d?)?)|(?:(?P<day>\d\d?)(?:st|nd|rd|th)?\s+)?(?P<month>{_NAMES})\s+(?:of\s+)?"
    rf"(?P<of>(?:19|20)\d\d)|(?P<month2>{_NAMES})\s+(?P<day2>\d\d?)(?:st|nd|rd|th)?,?\s+(?P<of2>(?:19|20)\d\d)"
    r"|(?P<year>(?:19|20)\d\d))(?![\d-])"
)
_EN = re.compile(
    r"\b(?P<how>later than|earlier than|after|before|since|until|till|by|prior to)\s+(?:the\s+)?"
    rf"(?:end of\s+)?{_WHEN}"
)
_BETWEEN = re.compile(
    r"\b(?:between|from)\s+(?P<first>(?:19|20)\d\d)\s+(?:and|to|until|till)\s+(?P<last>(?:19|20)\d\d)\b"
    r"|(?P<zh_first>(?:19|20)\d\d)年?\s*(?:至|到|-|~|—)\s*(?P<zh_last>(?:19|20)\d\d)年(?:之?间|期间)?"
)
_ZH = re.compile(
    r"(?P<year>(?:19|20)\d\d)年(?:(?P<month>\d\d?)月(?:(?P<day>\d\d?)[日号])?)?(?:底)?"
    r"(?P<how>(?:[以之]前|前(?!后)|[以之]后|后|[以之]?来|起))"
)
_AFTER, _SINCE, _BEFORE = (
    ("after", "later than", "以后", "之后", "后"),
    ("since", "以来", "之来", "来", "起"),
    ("before", "earlier than", "prior to", "以前", "之前", "前"),
)


@dataclass(frozen=True, slots=True)
class Within:
    """said: as the question says it. first, last: the days within which it must be, (year, month, day) with 0
    for what is left open and 99 for its end; None: any."""

    said: str
    first: _Day | None = None
    last: _Day | None = None

    def holds(self, day: _Day) -> bool:
        return (self.first is None or day >= self.first) and (self.last is None or day <= self.last)


def within(question: str) -> Within | None:
    """The time that a question limits something to, if any.

    >>> within("Which sites were opened after 2010?")
    Within(said='after 2010', first=(2011, 0, 0), last=None)
    >>> within("2024年3月以前签订的合同有哪些")
    Within(said='2024年3月以前', first=None, last=(2024, 2, 99))
    """
    asked = fold(question)
    match = _BETWEEN.search(asked)
    if match is not None:
        first, last = match["first"] or match["zh_first"], match["last"] or match["zh_last"]
        return Within(match.group(), (int(first), 0, 0), (int(last), 99, 99))
    match = _EN.search(asked)
    if match is not None:
        return _limited(match.group(), match["how"], *_day(match))
    match = _ZH.search(asked)
    if match is not None:
        day = (int(match["year"]), int(match["month"] or 0), int(match["day"] or 0))
        return _limited(match.group(), match["how"], *day)
    return None


def _day(match: re.Match[str]) -> _Day:
    if match["iso"]:
        parts = [*map(int, match["iso"].split("-")), 0]
        return parts[0], parts[1], parts[2]
    if match["year"]:
        return int(match["year"]), 0, 0
    name, year = match["month"] or match["month2"], match["of"] or match["of2"]
    return int(year), _MONTHS.index(name) + 1, int(match["day"] or match["day2"] or 0)


def _limited(said: str, how: str, year: int, month: int, day: int) -> Within:
    end = (year, month or 99, day or 99)
    if how in _AFTER:
        return Within(said, _next(year, month, day))
    if how in _SINCE:
        return Within(said, (year, month, day))
    if how in _BEFORE and "end of" not in said:
        return Within(said, None, _previous(year, month, day))
    return Within(said, None, end)


def _next(year: int, month: int, day: int) -> _Day:
    """The first day behind a year, a month or a day. 32 and 13 are later than what there is: enough here."""
    if day:
        return year, month, day + 1
    return (year, month + 1, 0) if month else (year + 1, 0, 0)


def _previous(year: int, month: int, day: int) -> _Day:
    if day:
        return year, month, day - 1
    return (year, month - 1, 99) if month else (year - 1, 99, 99)
