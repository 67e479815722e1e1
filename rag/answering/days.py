"""The days that stand in a text."""

from __future__ import annotations

import re

_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september", "october"),
    *("november", "december"),
)
_NAMES = "|".join([*_MONTHS, *(f"{name[:3]}\\.?" for name in _MONTHS if name != "may"), "sept\\.?"])
_DAY = re.compile(
    r"(?<!\d)(?P<year>(?:19|20)\d\d)(?:\s*年|[-/.](?=\d))\s*(?:(?P<month>1[0-2]|0?[1-9])(?:\s*月份?|[-/.](?=\d)|(?!\d))"
    r"\s*(?:(?P<day>3[01]|[12]\d|0?[1-9])[日号]?(?!\d))?)?"
    rf"|\b(?:(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?\s+)?(?P<name>{_NAMES})\s+(?:(?P<day3>\d{{1,2}})(?:st|nd|rd|th)?"
    r"(?:,\s*|\s+))?(?P<year2>(?:19|20)\d\d)\b"
    r"|(?<!\d)(?P<day4>\d{1,2})[./](?P<month4>\d{1,2})[./](?P<year4>(?:19|20)\d\d)(?!\d)",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"(?<!\d)(?:19|20)\d\d(?:\s*年(?!期)|(?![\d.,]|\s*(?:[A-Za-z]|[一-鿿%°])))"
    r"|(?:(?<=月)|(?<=月份))\s*\d{1,2}[日号](?!内|以内|之内)"
    r"|(?<!\d)(?:1[0-2]|0?[1-9])月(?!内)"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:{_NAMES})(?![a-z])|\b(?:{_NAMES})\s+\d{{1,2}}(?:st|nd|rd|th)?\b(?!\s*%)",
    re.IGNORECASE,
)
"""Years, months and days of a month that are no whole day."""


def days_in(text: str) -> list[tuple[int, int, int]]:
    """(year, month, day) of each day in a text, in order; 0 for a month or a day that is not said.

    >>> days_in("自2025年1月1日起至2026年12月31日止"), days_in("from 1 May 2025 to 2026-03-31")
    ([(2025, 1, 1), (2026, 12, 31)], [(2025, 5, 1), (2026, 3, 31)])
    """
    found = []
    for match in _DAY.finditer(text):
        if match["name"]:
            month = next(n for n, name in enumerate(_MONTHS, 1) if name[:3] == match["name"][:3].lower())
            found.append((int(match["year2"]), month, int(match["day2"] or match["day3"] or 0)))
        elif match["year4"]:
            found.append((int(match["year4"]), int(match["month4"]), int(match["day4"])))
        else:
            found.append((int(match["year"]), int(match["month"] or 0), int(match["day"] or 0)))
    return found


def without_days(text: str) -> str:
    """A text without its days, years and months of the calendar; lengths of time stay.

    >>> without_days("租期48个月，自2022年10月1日起，提前60日通知").split("，")
    ['租期48个月', '自 起', '提前60日通知']
    >>> without_days("Paid on 3 May 2024, within 30 days, for 2 years")
    'Paid on  , within 30 days, for 2 years'
    """
    return _OTHER.sub(" ", _DAY.sub(" ", text))
