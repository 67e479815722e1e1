"""A text → its figures: numbers with units, dates, times of day, codes.

"90 minutes" = "1.5 hours" = "九十分钟"; "3.2亿元" = "320 million yuan"; "31 March 2027" = "2027-03-31" =
"二〇二七年三月三十一日"; "下午五点" = "17:00"; "三分之一" = "1/3"; "百分之五" = "5 %" = "5 percent".
Years, months and days are never turned into each other except 1 year = 12 months and 1 week = 7 days.
"""

from __future__ import annotations

import re
import tomllib
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import TypeVar

from eval.judges.figures import Day, Figures, Quantity
from rag.citations.numbers import han_value
from rag.text.folding import fold

T = TypeVar("T")

_HAN = "零〇一二两三四五六七八九十百千万亿"
_SMALL = [
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
]
_TENS = {
    word: 10 * ten
    for ten, word in enumerate(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], start=2
    )
}
_SPELLED = {word: n for n, word in enumerate(_SMALL)} | _TENS
_SCALES = {
    "hundred": 100, "thousand": 1000, "k": 1000, "million": 10**6, "mn": 10**6, "billion": 10**9, "bn": 10**9,
    "trillion": 10**12, "百": 100, "千": 1000, "万": 10**4, "百万": 10**6, "千万": 10**7, "亿": 10**8,
    "万亿": 10**12,
}  # fmt: skip
_MONTH_NAMES = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_H = f"[\\d{_HAN}]"
_DATES = (
    re.compile(r"(?<!\d)(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})(?!\d)"),
    re.compile(rf"(?:(?P<y>{_H}{{4}})年)?(?P<m>{_H}{{1,3}})月(?P<d>{_H}{{1,3}})[日号]"),
    re.compile(rf"(?P<y>{_H}{{4}})年(?:(?P<m>{_H}{{1,3}})月)?(?!前|后|内)"),
    re.compile(rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<m>{_MONTH})(?:,?\s+(?P<y>\d{{4}}))?\b"),
    re.compile(rf"\b(?P<m>{_MONTH})\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s+(?P<y>\d{{4}}))?\b(?!\s*%)"),
    re.compile(rf"\b(?P<m>{_MONTH})\s+(?P<y>\d{{4}})\b"),
)
_TIME = re.compile(
    rf"(?<!\d)(?P<h>\d{{1,2}})[:：](?P<min>\d{{2}})(?!\d)\s*(?P<half>am|pm|a\.m\.|p\.m\.)?"
    rf"|(?<!\d)(?P<h2>\d{{1,2}})\s*(?P<half2>am|pm|a\.m\.|p\.m\.)"
    rf"|(?P<half3>上午|下午|晚上|早上|中午|凌晨)?(?P<h3>{_H}{{1,3}})[点时](?!间|候)"
    rf"(?:(?P<min3>{_H}{{1,3}})分|(?P<halfpast>半))?"
)
_FRACTION = re.compile(
    rf"(?P<low>{_H}+)分之(?P<high>{_H}+)|(?<![\d/.])(?P<top>\d{{1,2}})/(?P<bottom>\d{{1,2}})(?![\d/])"
)
_WORDED_FRACTION = {
    "a third": (1, 3), "one third": (1, 3), "two thirds": (2, 3), "a quarter of": (1, 4),
    "three quarters of": (3, 4), "half of": (1, 2), "一半": (1, 2),
}  # fmt: skip
_HALVES = {
    "half a year": (6, "month"),
    "半年": (6, "month"),
    "half an hour": (30, "minute"),
    "半小时": (30, "minute"),
}
_NUMBER = re.compile(
    r"(?P<digits>(?<![\d.,])\d{1,3}(?:[,'’]\d{3})+(?:\.\d+)?|(?<![\d.])\d+(?:\.\d+)?)"
    rf"|(?P<han>[{_HAN}]+)"
    rf"|\b(?P<spelled>(?:{'|'.join(_TENS)})[\s-](?:{'|'.join(_SMALL[1:10])})"
    rf"|{'|'.join(sorted(_SPELLED, key=len, reverse=True))})\b"
)
_SCALE = re.compile(r"\s*(万亿|百万|千万|[百千万亿]|(?:hundred|thousand|million|billion|trillion|mn|bn|k)\b)")
_IDENTIFIER = re.compile(r"[a-z]+-?\d+\w*|\d+[a-z]+\d\w*")
_MARKER = re.compile(r"\[\d{1,9}\]")
_IDIOMS = (
    "零部件",
    "零件",
    "零售",
    "一般",
    "一起",
    "一样",
    "一定",
    "一些",
    "一致",
    "统一",
    "唯一",
    "一旦",
    "进一步",
    "一次性",
    "万一",
    "十分",
    "一切",
    "一直",
)


def figures(text: str) -> Figures:
    """All figures of `text`; citation markers are no figures."""
    text = _MARKER.sub(" ", fold(text))
    for idiom in _IDIOMS:
        text = text.replace(idiom, " " * len(idiom))
    days: set[Day] = set()
    quantities: set[Quantity] = set()
    for pattern in _DATES:
        text = pattern.sub(lambda match: _taken(match, _day(match), days), text)
    for phrase, (value, unit) in _HALVES.items():
        if phrase in text:
            quantities.add(_quantity(Decimal(value), *_unit(unit)))
            text = text.replace(phrase, " ")
    text = _TIME.sub(lambda match: _taken(match, _clock(match), quantities), text)
    text = _FRACTION.sub(lambda match: _taken(match, _fraction(match), quantities), text)
    for phrase, parts in _WORDED_FRACTION.items():
        if phrase in text:
            quantities.add(_ratio(*parts))
            text = text.replace(phrase, " ")
    codes: set[str] = set()

    def code(match: re.Match[str]) -> str:
        if _splits(match.group()):
            return match.group()
        codes.add(match.group().replace("-", ""))
        return " "

    text = _IDENTIFIER.sub(code, text)
    rest: list[str] = []
    place = 0
    for match in _NUMBER.finditer(text):
        if match.start() < place:
            continue
        found = _measured(text, match)
        if found is None:
            continue
        quantity, start, end = found
        quantities.add(quantity)
        rest.append(text[place : max(place, start)])
        place = end
    rest.append(text[place:])
    return Figures(frozenset(quantities), frozenset(days), frozenset(codes), " ".join(rest))


def _taken(match: re.Match[str], found: T | None, into: set[T]) -> str:
    if found is None:
        return match.group()
    into.add(found)
    return " "


def _integer(text: str | None) -> int | None:
    if text is None:
        return None
    if text.isdecimal():
        return int(text)
    value = han_value(text)
    return int(value) if value is not None else None


def _day(match: re.Match[str]) -> Day | None:
    parts = match.groupdict()
    month_text = parts.get("m")
    month = (
        _MONTH_NAMES.index(month_text[:3]) + 1
        if month_text and month_text[:3] in _MONTH_NAMES
        else _integer(month_text)
    )
    year, day = _integer(parts.get("y")), _integer(parts.get("d"))
    if (month is not None and not 1 <= month <= 12) or (day is not None and not 1 <= day <= 31):
        return None
    if year is not None and not 1000 <= year <= 2999:
        return None
    return Day(year, month, day)


def _clock(match: re.Match[str]) -> Quantity | None:
    hour = _integer(match["h"] or match["h2"] or match["h3"])
    minute = _integer(match["min"] or match["min3"]) or (30 if match["halfpast"] else 0)
    half = match["half"] or match["half2"] or match["half3"] or ""
    if hour is None or hour > 24 or minute > 59 or (match["h3"] and not half and not match["min3"]):
        return None
    if half.startswith("p") or half in ("下午", "晚上"):
        hour = hour if hour >= 12 else hour + 12
    return Quantity(Decimal(60 * hour + minute), "clock")


def _fraction(match: re.Match[str]) -> Quantity | None:
    low, high = _integer(match["low"] or match["bottom"]), _integer(match["high"] or match["top"])
    if match["low"] == "百":
        low = 100
    return _ratio(high, low) if low and high is not None else None


def _ratio(top: int, bottom: int) -> Quantity:
    return Quantity(round(Decimal(top) / Decimal(bottom), 6).normalize(), "share")


def _measured(text: str, match: re.Match[str]) -> tuple[Quantity, int, int] | None:
    """The quantity whose number `match` is, and its span with the unit; None if it counts nothing."""
    start, end = match.span()
    if match["digits"]:
        value: Decimal | None = Decimal(re.sub(r"[,'’]", "", match["digits"]))
    elif match["han"]:
        value = han_value(match["han"])
    else:
        value = Decimal(sum(_SPELLED[word] for word in re.split(r"[\s-]", match["spelled"])))
    if value is None:
        return None
    scale = _SCALE.match(text, end)
    if scale and (match["digits"] or match["spelled"]):
        value, end = value * _SCALES[scale[1]], scale.end()
    kind, factor, unit_end = _unit_at(text, end)
    if not kind:
        before = _unit_before(text, start)
        if before is not None:
            return _quantity(value, before, Decimal(1)), start - 1, end
        if match["spelled"] == "one" or (match["han"] and len(match["han"]) == 1):
            return None
    if (match["han"] and text[start - 1 : start] == "第") or (kind == "times" and value == 1):
        return None
    return _quantity(value, kind, factor), start, unit_end


def _quantity(value: Decimal, kind: str, factor: Decimal) -> Quantity:
    return Quantity(round(value * factor, 6).normalize(), kind, value.normalize())


@cache
def _units() -> dict[str, tuple[str, Decimal]]:
    table = tomllib.loads((files("eval.judges") / "units.toml").read_text(encoding="utf-8"))
    return {
        fold(name): (kind, Decimal(str(factor)))
        for kind, factors in table.items()
        for factor, names in factors.items()
        for name in names
    }


@cache
def _unit_pattern() -> re.Pattern[str]:
    names = sorted(_units(), key=len, reverse=True)
    whole = [r"(?![a-z])" if name[-1].isascii() and name[-1].isalpha() else "" for name in names]
    worded = [re.escape(name) + end for name, end in zip(names, whole, strict=True)]
    return re.compile(rf"[\s-]*(?:个|多)?({'|'.join(worded)})")


def _unit(name: str) -> tuple[str, Decimal]:
    return _units()[name]


def _unit_at(text: str, place: int) -> tuple[str, Decimal, int]:
    match = _unit_pattern().match(text, place)
    if match is None:
        return "", Decimal(1), place
    kind, factor = _units()[match[1]]
    return kind, factor, match.end()


def _unit_before(text: str, place: int) -> str | None:
    signs = {"$": "money usd", "€": "money eur", "£": "money gbp", "¥": "money cny", "￥": "money cny"}
    before = text[:place].rstrip()
    return signs.get(before[-1:]) if before else None


def _splits(word: str) -> bool:
    """Whether a word like "5km" or "v8" is a number with a unit rather than a code."""
    match = re.fullmatch(r"(\d+)([a-z]+)", word)
    return bool(match and match[2] in _units())
