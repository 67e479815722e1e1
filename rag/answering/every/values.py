"""The one number that a document gives, and which documents a limit chooses ("whose … is over 700")."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rag.answering.every.asking import Said
from rag.answering.tables.cells import Quantity, quantity
from rag.answering.tables.concepts import concepts
from rag.answering.tables.thresholds import Comparison, compared_with, without_threshold
from rag.citations import MARKER
from rag.text.folding import fold

_VALUE = re.compile(
    r"(?<![A-Za-z0-9_.,/-])(?:[¥￥€$£]\s*|(?:EUR|USD|CNY|RMB|GBP|CHF)\s+)?[-−]?\d[\d,]*(?:\.\d+)?(?![\w/-]*\d)"
    r"(?:\s*(?:%|°C|℃|[A-Za-zµ²³/·]{1,8}\b|[万亿]?[一-龥]{1,2}))?"
)
_YEAR = re.compile(r"(?:19|20)\d\d\s*年?")
_MONTHS = re.compile(
    r"\d\s*(?:January|February|March|April|May|June|July|August|September|October|November|December)"
    r"|[年月日号]$"
)
_CELL = re.compile(r"^\W*(?P<title>[^:：“”]{1,60})[:：]\s*(?P<value>.+)$")
_CHOOSES = re.compile(
    r"\b(?:which|list|name|whose|show|find|give|how many|what \w+s (?:are|have|has|were))\b"
    r"|哪|列出|列举|找出|多少[个家份台名位]|几[个家份台名位]|所有|全部"
)
_CASE = re.compile(
    r"\b(?:if|in case|unless|once)\b|\bwhen\b.*\b(?:exceed|over|above|below)|如果|若|的话|时[，,]"
)


@dataclass(frozen=True, slots=True)
class Chosen:
    """meeting, failing: those whose value meets the limit or does not. open: those whose answer is no single
    number, so that nobody can tell."""

    limit: Comparison
    meeting: tuple[Said, ...]
    failing: tuple[Said, ...]
    open: tuple[Said, ...]


def chosen(stated: Sequence[Said], question: str) -> Chosen | None:
    """Which of the answers a question chooses by a limit; None if it names none or asks for something else
    ("how much is the penalty if the delay exceeds 30 days?")."""
    limit = compared_with(question)
    asked = fold(question)
    if limit is None or _CASE.search(asked) or not _CHOOSES.search(asked):
        return None
    meeting, failing, open_ = [], [], []
    for each in stated:
        number = value_of(each, question)
        if number is None:
            open_.append(each)
        elif limit.holds(number.value):
            meeting.append(each)
        else:
            failing.append(each)
    return Chosen(limit, tuple(meeting), tuple(failing), tuple(open_)) if meeting or failing else None


def value_of(said: Said, question: str = "") -> Quantity | None:
    """The one number that an answer gives; None if there are several or none (years, dates and the numbers of
    the document's name aside). Of the cells of a row it is the one whose title the question names; of several
    numbers that with the unit of the question's limit."""
    text = _cell(MARKER.sub("", said.text), question)
    found = []
    for match in _VALUE.finditer(text):
        around = text[match.start() : match.end() + 12]
        if _YEAR.fullmatch(match.group().strip()) or _MONTHS.match(around) or _MONTHS.search(match.group()):
            continue
        if text[: match.start()].endswith("第"):
            continue
        number = quantity(match.group().strip())
        if number is not None:
            found.append(number)
    if _several(found):
        found = [each for each in found if not _in_name(each, said)] or found
    limit = compared_with(question) if _several(found) else None
    if limit is not None and limit.then:
        then = fold(limit.then)
        found = [each for each in found if each.unit and then.startswith(fold(each.unit))] or found
    return found[0] if found and not _several(found) else None


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
