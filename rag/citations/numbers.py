"""Numbers in a text, comparable across their ways of writing: an answer must not state one of its own.

"25" = "25.0" = "２５" = "twenty-five" = "二十五"; "1,200,000" = "1.2 million" = "120万"; "May" = month 5.
"""

from __future__ import annotations

import re
from decimal import Decimal

from rag.citations.english_numerals import ENGLISH_NUMERAL, english_value
from rag.text.folding import fold

_DIGITS = re.compile(
    r"(?<!\d)(?<!\d[.,])(?P<number>\d{1,3}(?:[,'’\u00a0\u202f]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"\s*(?P<scale>万亿|百万|千万|[百千万亿]|(?:hundred|thousand|million|billion|trillion|mn|bn|mm|[kmb])\b)?"
)
_SCALES = {
    "百": 100, "hundred": 100, "千": 1000, "thousand": 1000, "k": 1000, "万": 10_000, "百万": 10**6,
    "million": 10**6, "mn": 10**6, "mm": 10**6, "m": 10**6, "千万": 10**7, "亿": 10**8, "billion": 10**9,
    "bn": 10**9, "b": 10**9, "万亿": 10**12, "trillion": 10**12,
}  # fmt: skip
_MONTHS = re.compile(
    r"\b(?:(jan)(?:uary)?|(feb)(?:ruary)?|(mar)(?:ch)?|(apr)(?:il)?|(may)|(june?)|(july?)|(aug)(?:ust)?"
    r"|(sept?)(?:ember)?|(oct)(?:ober)?|(nov)(?:ember)?|(dec)(?:ember)?)\b"
)
_HAN_DIGITS = {char: n for n, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "俩": 2}
_HAN_SCALES = {"十": 10, "百": 100, "千": 1000}
_NUMERAL = r"(?<![\d零〇一二两三四五六七八九十百千万亿])(?P<number>[零〇一二两三四五六七八九十百千万亿]+)"
_HAN = re.compile(_NUMERAL)
_HAN_MEASURED = re.compile(
    _NUMERAL + r"(?=个?(?:[天日月年周岁人元次秒页条款项名家台套份倍层亩吨米斤件位间辆度升克盒箱瓶桶座根折]"
    r"|分钟|小时|工作日|季度|美元|欧元|公里))"
)
_HAN_SHARE = re.compile(
    r"(?P<of>[百千万])分之(?P<number>[零〇一二两三四五六七八九十百]+)(?:点(?P<places>[零〇一二三四五六七八九]+))?"
)
_PER_HUNDRED = {"百": 1, "千": 10, "万": 100}
_REGULARLY = re.compile(
    r"\b(?:once|twice|half|daily|weekly|monthly|quarterly|yearly|annually|hourly)\b|每[天日周月年季]|半[天年月]|双倍|减半"
)
_ORDINAL_OF_A_LIST = re.compile(
    r"(?m)^[ \t>*#-]*(?:\(?\d{1,2}[.)、](?!\d)|第[一二三四五六七八九十\d]{1,3}[步点条]|step \d{1,2}\b)"
)


def stated(claim: str) -> list[frozenset[Decimal]]:
    """The numbers that a claim states, each as the set of values that it may be read as ("5 m": 5 or 5e6).

    List numbering is not counted, nor the words "one" and 一, which rarely count anything.
    """
    text = _ORDINAL_OF_A_LIST.sub(" ", fold(claim))
    found = [_readings(match["number"], match["scale"]) for match in _DIGITS.finditer(text)]
    for match in ENGLISH_NUMERAL.finditer(text):
        if match.group() not in ("one", "zero"):
            found.append(frozenset([english_value(match.group())]))
    for match in _HAN_MEASURED.finditer(text):
        value = han_value(match["number"])
        if value is not None and match["number"] != "一":
            found.append(frozenset([value]))
    return [*found, *map(_share, _HAN_SHARE.finditer(text))]


def says_number(text: str) -> bool:
    """Whether a text states a number, how often or a month, in any way of writing (两天, "monthly")."""
    if stated(text) or _REGULARLY.search(fold(text)):
        return True
    # "may" is hardly ever the month.
    return any(match.group() != "may" for match in _MONTHS.finditer(fold(text)))


def values(text: str) -> set[Decimal]:
    """Every value that stands in `text` in any way of writing, months by name included."""
    text = fold(text)
    found: set[Decimal] = set()
    for match in _DIGITS.finditer(text):
        found |= _readings(match["number"], match["scale"])
    found.update(english_value(match.group()) for match in ENGLISH_NUMERAL.finditer(text))
    for match in _HAN.finditer(text):
        value = han_value(match.group())
        if value is not None:
            found.add(value)
    for match in _HAN_SHARE.finditer(text):
        found |= _share(match)
    for match in _MONTHS.finditer(text):
        found.add(Decimal(match.lastindex or 0))
    return found


def missing(claim: str, known: set[Decimal]) -> frozenset[frozenset[Decimal]]:
    """The numbers that a claim states (as by `stated`) and that are not among the known values."""
    return frozenset(readings for readings in stated(claim) if not readings & known)


def _readings(number: str, scale: str | None) -> frozenset[Decimal]:
    value = Decimal(re.sub(r"[,'’\u00a0\u202f]", "", number)).normalize()
    if not scale:
        return frozenset([value])
    return frozenset([value, (value * _SCALES[scale]).normalize()])


def _share(match: re.Match[str]) -> frozenset[Decimal]:
    """百分之八 as 8, 千分之三 as 3 and, in percent, 0.3."""
    whole = han_value(match["number"]) or Decimal(0)
    places = "".join(str(_HAN_DIGITS[char]) for char in match["places"] or "")
    value = Decimal(f"{int(whole)}.{places}" if places else int(whole))
    return frozenset([value.normalize(), (value / _PER_HUNDRED[match["of"]]).normalize()])


def han_value(numeral: str) -> Decimal | None:
    """The value of a numeral in Chinese characters ("一百零五", "二〇二三", "三万二"), None if it is none."""
    if len(numeral) > 1 and all(char in _HAN_DIGITS for char in numeral):
        return Decimal(int("".join(str(_HAN_DIGITS[char]) for char in numeral))).normalize()
    total = section = digit = 0
    for char in numeral:
        if char in _HAN_DIGITS:
            if digit:
                return None  # "三五" beside a scale: several, no numeral
            digit = _HAN_DIGITS[char]
        elif char in _HAN_SCALES:
            section += (digit or 1) * _HAN_SCALES[char]
            digit = 0
        else:
            if not total + section + digit:
                return None
            if char == "亿":
                total, section = (total + section + digit) * 10**8, 0
            else:
                total, section = total + (section + digit) * 10**4, 0
            digit = 0
    return Decimal(total + section + digit).normalize()
