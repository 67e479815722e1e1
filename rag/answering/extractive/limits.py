"""Amounts that a question names, and limits that texts state for such ("up to €600", 超过5000元的).

Rules for small and for large amounts share all their words; the limit alone tells which one is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from rag.answering.extractive.units import Unit
from rag.answering.tables.cells import quantity
from rag.citations.english_numerals import ENGLISH_NUMERAL, english_value
from rag.citations.numbers import han_value
from rag.citations.wording import content_words
from rag.text.folding import fold

_UNITS: Mapping[str, str] = {
    "eur": r"€|euros?\b|eur\b|欧元",
    "usd": r"\$|us\$|dollars?\b|usd\b|美元",
    "gbp": r"£|pounds?\b|gbp\b|英镑",
    "chf": r"chf\b|francs?\b|瑞郎",
    "cny": r"¥|yuan\b|rmb\b|cny\b|元|人民币",
    "day": r"(?:working |business |calendar )?days?\b|个?工作日|[天日](?![期元])",
    "week": r"weeks?\b|周|个?星期",
    "month": r"months?\b|个月",
    "year": r"years?\b|[年岁]",
    "hour": r"hours?\b|个?小时",
    "minute": r"minutes?\b|分钟",
    "person": r"(?:people|persons?|employees|participants|guests)\b|[人名]",
    "km": r"km\b|kilomet(?:er|re)s?\b|公里|千米",
    "kg": r"kg\b|kilos?\b|kilograms?\b|公斤|千克",
    "tonne": r"t\b|tonn?e?s?\b|吨",
    "%": r"%|percent\b|per cent\b|％",
    "°": r"°\s?c\b|degrees?\b|℃|摄氏度|度",
    "piece": r"(?:pieces?|units?|items?|copies)\b|[件台个份套]",
}
_UNIT = "|".join(f"(?:{pattern})" for pattern in _UNITS.values())
_SCALE = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "万": 10**4, "亿": 10**8, "千": 10**3}
_HAN = "[一二两三四五六七八九十百千万]"
_AMOUNT = (
    rf"(?P<front>{_UNIT})?\s*(?P<number>\d[\d,]*(?:\.\d+)?|{_HAN}{{1,4}}(?=[万亿元天日个周年岁小人公]))"
    rf"(?:\s*(?P<scale>[万亿千]|thousand\b|million\b|billion\b))?\s*(?P<unit>{_UNIT})?"
)
_NOT_OVER = (
    r"up to|at most|no(?:t)? more than|not (?:to )?exceed(?:ing)?|not over|no longer than|a maximum of|within"
    r"|不超过|不得超过|未超过|不高于|不大于|不多于|至多|最多|≤|<="
)
_NOT_UNDER = (
    r"at least|not? less than|not? fewer than|starting (?:at|from)|from|不少于|不低于|不小于|至少|满|≥|>="
)
_OVER = (
    r"over|above|beyond|exceed(?:s|ing|ed)?|in excess of"
    r"|(?:more|greater|higher|larger|longer|older|heavier|taller) than"
    r"|(?<!不)(?<!得)(?<!未)超过|超出|(?<!不)大于|(?<!不)高于|(?<!不)多于|>"
)
_UNDER = (
    r"under|below|(?:less|lower|fewer|smaller|shorter|younger|lighter|cheaper) than"
    r"|不足|不满|不到|(?<!不)低于|(?<!不)小于|(?<!不)少于|<"
)
_STATED = re.compile(
    rf"(?:(?P<most>(?<![a-z])(?:{_NOT_OVER}))|(?P<least>(?<![a-z])(?:{_NOT_UNDER}))"
    rf"|(?P<over>(?<![a-z])(?:{_OVER}))|(?P<under>(?<![a-z])(?:{_UNDER})))\s*{_AMOUNT}"
)
_BEHIND = re.compile(
    r"[（(]?含?[）)]?(?:(?P<least>\s*(?:or|and) (?:more|over|above|older|longer)\b|[及或]?以上|及其?以上)"
    r"|(?P<most>\s*(?:or|and) (?:less|fewer|under|below|younger|shorter)\b|[及或]?以下|[及之]?以?内))"
)
_PLAIN = re.compile(_AMOUNT)
_YEAR = re.compile(r"(?:19|20)\d\d")
_NEAR = 4
"""Units of one evidence that state limits of one thing are no further apart."""
_ALIKE = 0.4
"""Share of the words of one that the other has, where they stand further apart."""


@dataclass(frozen=True, slots=True)
class Limit:
    """Amounts from low to high, None: without end; closed: whether the end is one of them. unit: "" if none
    is said."""

    low: Decimal | None
    high: Decimal | None
    low_closed: bool = True
    high_closed: bool = True
    unit: str = ""

    def meets(self, other: Limit) -> bool:
        """Whether there are amounts within both."""
        for one, two in ((self, other), (other, self)):
            if one.low is not None and two.high is not None:
                if one.low > two.high:
                    return False
                if one.low == two.high and not (one.low_closed and two.high_closed):
                    return False
        return True

    def holds(self, other: Limit) -> bool:
        """Whether all amounts of the other one are within this one."""
        low = self.low is None or (
            other.low is not None
            and (
                other.low > self.low or (other.low == self.low and (self.low_closed or not other.low_closed))
            )
        )
        high = self.high is None or (
            other.high is not None
            and (
                other.high < self.high
                or (other.high == self.high and (self.high_closed or not other.high_closed))
            )
        )
        return low and high

    def of_one_kind(self, other: Limit) -> bool:
        return not self.unit or not other.unit or self.unit == other.unit


def limits_in(text: str) -> Iterator[Limit]:
    """The limits that a text states.

    >>> [(str(each.low), str(each.high), each.unit) for each in limits_in("up to €600; 5万元以上")]
    [('None', '600', 'eur'), ('50000', 'None', 'cny')]
    """
    folded = _in_digits(text)
    taken: list[tuple[int, int]] = []
    for match in _STATED.finditer(folded):
        value = _value(match)
        if value is None:
            continue
        taken.append(match.span())
        unit = _unit_of(match)
        if match["most"]:
            yield Limit(None, value, unit=unit)
        elif match["least"]:
            yield Limit(value, None, unit=unit)
        elif match["over"]:
            yield Limit(value, None, low_closed=False, unit=unit)
        else:
            yield Limit(None, value, high_closed=False, unit=unit)
    for match in _PLAIN.finditer(folded):
        behind = _BEHIND.match(folded, match.end())
        value = _value(match)
        if behind is None or value is None or any(a <= match.start() < b for a, b in taken):
            continue
        low, high = (value, None) if behind["least"] else (None, value)
        yield Limit(low, high, unit=_unit_of(match))


def asked_about(question: str) -> Limit | None:
    """The amount that a question names, or the limit ("a trip of €700", "over €600"); None if it names none
    or several.

    >>> asked_about("采购8000元由谁审批？").low, asked_about("Who approves a trip in May 2024?")
    (Decimal('8000'), None)
    """
    stated = list(limits_in(question))
    found = []
    for match in _PLAIN.finditer(_in_digits(question)):
        value, unit = _value(match), _unit_of(match)
        if value is not None and unit:
            found.append(Limit(value, value, unit=unit))
    if len(found) > 1 or len(stated) > 1:
        return None
    return next(iter(stated or found), None)


def by_limit(question: str, everything: Sequence[Unit]) -> tuple[frozenset[int], frozenset[int]]:
    """Indices of the units that state the narrowest limit that holds what the question asks about, and of
    those beside such a unit whose limits exclude it; none if the question names no amount."""
    asked = asked_about(question)
    if asked is None:
        return frozenset(), frozenset()
    stated = {
        index: kept
        for index, unit in enumerate(everything)
        if (kept := [limit for limit in limits_in(unit.text) if limit.of_one_kind(asked)])
    }
    fitting = {
        index: [limit for limit in limits if limit.holds(asked)]
        for index, limits in stated.items()
        if any(limit.meets(asked) for limit in limits)
    }
    out = frozenset(
        index
        for index in stated.keys() - fitting.keys()
        if any(_beside(everything, index, other) for other in fitting)
    )
    holding = {index: limits for index, limits in fitting.items() if limits}
    narrowest = frozenset(
        index
        for index, limits in holding.items()
        if not any(
            other != index
            and _beside(everything, index, other)
            and any(mine.holds(its) and not its.holds(mine) for mine in limits for its in those)
            for other, those in holding.items()
        )
    )
    return narrowest, out


def _beside(everything: Sequence[Unit], one: int, other: int) -> bool:
    """Whether two units state limits of one thing: near each other, or in much the same words."""
    if everything[one].n == everything[other].n and abs(one - other) <= _NEAR:
        return True
    words = [{*content_words(everything[index].text)} for index in (one, other)]
    return len(words[0] & words[1]) >= _ALIKE * max(map(len, words))


def _in_digits(text: str) -> str:
    """A text, folded, with its English numerals in digits."""
    return ENGLISH_NUMERAL.sub(lambda found: f"{english_value(found.group()):f}", fold(text))


def _value(match: re.Match[str]) -> Decimal | None:
    """None for what is no number, and for a year."""
    number = match["number"]
    if number[0].isdigit():
        found = quantity(number.rstrip(","))
        value = found.value if found is not None else None
        if _YEAR.fullmatch(number) and _unit_of(match) in ("", "year"):
            return None
    else:
        value = han_value(number)
    return None if value is None else value * _SCALE.get(match["scale"] or "", 1)


def _unit_of(match: re.Match[str]) -> str:
    said = match["unit"] or match["front"] or ""
    return next((name for name, pattern in _UNITS.items() if said and re.fullmatch(pattern, said)), "")
