"""The one number or day that a document gives, and which documents a limit chooses ("whose … is over 7")."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from rag.answering.days import days_in, without_days
from rag.answering.every.said import Said
from rag.answering.tables.between import within
from rag.answering.tables.cells import Quantity, quantity
from rag.answering.tables.concepts import concepts
from rag.answering.tables.questioned import of_a_cell
from rag.answering.tables.thresholds import compared_with, without_threshold
from rag.citations import MARKER
from rag.text.folding import fold

_VALUE = re.compile(
    r"(?<![A-Za-z0-9_.,/-])(?:[¥￥€$£]\s*|(?:EUR|USD|CNY|RMB|GBP|CHF)\s+)?[-−]?\d[\d,]*(?:\.\d+)?(?![\w/-]*\d)"
    r"(?:\s*(?:%|°C|℃|[A-Za-zµ²³/·]{1,8}\b|[万亿]?[一-龥]{1,2}))?"
)
_CELL = re.compile(r"^\W*(?P<title>[^:：“”]{1,60})[:：]\s*(?P<value>.+)$")
_CHOOSES = re.compile(
    r"\b(?:which|list|name|whose|show|find|give|how many|what \w+s (?:are|have|has|were))\b"
    r"|哪|列出|列举|找出|多少[个家份台名位]|几[个家份台名位]|所有|全部"
)
_CASE = re.compile(
    r"\b(?:if|in case|unless|once)\b|\bwhen\b.*\b(?:exceed|over|above|below)|如果|若|的话|时[，,]"
)
_ENDS = re.compile(
    r"\b(?:expir\w*|ends?|ended|ending|until|run out|lapse\w*|due|terminat\w*)\b"
    r"|到期|届满|终止|截止|期满|结束|止"
)
_BEGINS = re.compile(r"\b(?:begin\w*|began|start\w*|commenc\w*|since)\b|开始|起租|生效|起")
_UNITS: tuple[tuple[frozenset[str], frozenset[str], int], ...] = tuple(
    (frozenset(large.split()), frozenset(small.split()), times)
    for large, small, times in (
        ("year years 年", "month months 月 个月", 12),
        ("week weeks 周 星期", "day days 天 日", 7),
        ("day days 天 日", "hour hours 小时 时", 24),
        ("hour hours 小时", "minute minutes min 分钟 分", 60),
    )
)
"""Lengths of time of which one holds a whole number of others."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """said: the limit as it is told. meeting, failing: those whose value meets it or does not. open: those
    whose answer is no single number or day, so that nobody can tell. of_days: the limit is a day."""

    said: str
    meeting: tuple[Said, ...]
    failing: tuple[Said, ...]
    open: tuple[Said, ...]
    of_days: bool = False


def chooses(question: str) -> bool:
    """Whether a question asks for all things that meet a limit; not "how much is the penalty if the delay
    exceeds 30 days?"."""
    asked = fold(question)
    limited = compared_with(question) is not None or within(question) is not None
    return limited and not _CASE.search(asked) and not of_a_cell(asked) and _CHOOSES.search(asked) is not None


def chosen(stated: Sequence[Said], question: str) -> Chosen | None:
    """Which of the answers a question chooses by a limit; None if it names none or asks something else."""
    if not chooses(question):
        return None
    limit, time = compared_with(question), within(question)
    if limit is not None:
        told = f"{limit.sign} {limit.limit:f}"
        values = [value_of(each, question) for each in stated]
        found = _divided(stated, told, [None if each is None else limit.holds(each.value) for each in values])
        return found if found.meeting or found.failing else None
    assert time is not None  # it chooses by one of the two
    days = [day_of(each, question) for each in stated]
    found = _divided(stated, time.said.strip(), [None if each is None else time.holds(each) for each in days])
    return replace(found, of_days=True) if found.meeting or found.failing else None


def _divided(stated: Sequence[Said], told: str, hold: Sequence[bool | None]) -> Chosen:
    by: dict[bool | None, list[Said]] = {True: [], False: [], None: []}
    for each, holds in zip(stated, hold, strict=True):
        by[holds].append(each)
    return Chosen(told, tuple(by[True]), tuple(by[False]), tuple(by[None]))


def day_of(said: Said, question: str) -> tuple[int, int, int] | None:
    """The one day that an answer gives: of several the last where the question speaks of an end, the first
    where it speaks of a beginning; else None."""
    found = days_in(MARKER.sub("", said.text))
    if len(set(found)) < 2:
        return found[0] if found else None
    asked = fold(question)
    if _ENDS.search(asked):
        return max(found)
    return min(found) if _BEGINS.search(asked) else None


def value_of(said: Said, question: str = "") -> Quantity | None:
    """The one number that an answer gives; None if there are several or none (years, dates and the numbers of
    the document's name aside). Of the cells of a row it is the one whose title the question names; of several
    numbers that with the unit of the question's limit. A length of time is told in that unit."""
    found = _numbers(said.text, question)
    if _several(found):
        found = [each for each in found if not _in_name(each, said)] or found
    limit = compared_with(question)
    then = fold(limit.then) if limit is not None else ""
    if then:
        found = [told for each in found if (told := _in_unit(each, then)) is not None]
    if then and _several(found):
        found = [each for each in found if each.unit and then.startswith(fold(each.unit))] or found
    return found[0] if found and not _several(found) else None


def tells(text: str, question: str) -> bool:
    """Whether a text tells what a question chooses or calculates by: a day, or a number that its limit may be
    compared with."""
    if chooses(question) and compared_with(question) is None:
        return bool(days_in(text))
    limit = compared_with(question)
    then = fold(limit.then) if limit is not None else ""
    return any(_in_unit(each, then) is not None for each in _numbers(text, question))


def _numbers(text: str, question: str) -> list[Quantity]:
    """All numbers of a text but those of the calendar."""
    text = without_days(_cell(MARKER.sub("", text), question))
    found = []
    for match in _VALUE.finditer(text):
        if text[: match.start()].endswith("第"):
            continue
        number = quantity(match.group().strip())
        if number is not None:
            found.append(number)
    return found


def _in_unit(number: Quantity, then: str) -> Quantity | None:
    """A length of time in the unit that `then` begins with: 2 years are 24 months; None if it cannot be told
    in that (60 days in months). Any other number as it is."""
    match = re.match(r"(?:个月|小时|分钟|星期|[a-z]+|[一-鿿])", then)
    unit, wanted = fold(number.unit), match.group() if match else ""
    lengths = frozenset().union(*(large | small for large, small, _ in _UNITS))
    if not {unit, wanted} <= lengths or unit == wanted:
        return number
    for large, small, times in _UNITS:
        if unit in large and wanted in small:
            return replace(number, value=number.value * times, unit=wanted)
        if unit in small and wanted in large:
            return replace(number, value=number.value / Decimal(times), unit=wanted)
        if {unit, wanted} <= large or {unit, wanted} <= small:
            return replace(number, unit=wanted)
    return None


def _several(found: Sequence[Quantity]) -> bool:
    return len({(each.value, each.unit) for each in found}) > 1


def _in_name(number: Quantity, said: Said) -> bool:
    names = {part.lstrip("0") for part in re.findall(r"\d+", said.paper.path.rsplit("/", 1)[-1])}
    return f"{number.value:f}" in names


def _cell(text: str, question: str) -> str:
    """The cells of "title: value; title: value" whose titles the question names; else the text as it is."""
    cells = [match for part in re.split(r"[;；]", text) if (match := _CELL.match(part.strip()))]
    if len(cells) < 2:  # one is a sentence with a colon
        return text
    asked = concepts(without_threshold(question))
    held = [len(asked & concepts(match["title"])) for match in cells]
    numbers = [quantity(match["value"].strip()) is not None for match in cells]
    named = [
        (count, match["value"])
        for count, match, is_one in zip(held, cells, numbers, strict=True)
        if count and is_one
    ]
    best = [value for count, value in named if count == max(count for count, _ in named)]
    return best[0] if len(best) == 1 else text
