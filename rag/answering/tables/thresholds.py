"""Thresholds that a question names: over 500, at least 10, 不超过 30."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal

from rag.answering.tables.cells import quantity
from rag.text.folding import fold

_SCALED = r"(?:\s*(?:[万亿]|thousand\b|million\b|billion\b|k\b))?"
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9}
_IN_TITLE = {
    "million": r"million|\bmio\b|\bmln\b|\bm\b",
    "thousand": r"thousand|\bk\b|['’,]000|\btsd\b",
    "billion": r"billion|\bbn\b",
    "k": r"\bk\b|thousand",
}
_THRESHOLD = re.compile(
    r"(?P<above>\b(?:over|above|exceed(?:s|ing|ed)?|in excess of"
    r"|(?:more|greater|higher|larger|longer|older|heavier|bigger|taller|wider|deeper|faster) than)\b"
    rf"|超过|超出|大于|高于|多于|长于|重于)\s*(?P<a>[^\d\s]{{0,4}}\s*\d[\d,.]*{_SCALED})"
    rf"|(?P<least>\b(?:at least|no less than)\b|不少于|不低于|至少)"
    rf"\s*(?P<b>[^\d\s]{{0,4}}\s*\d[\d,.]*{_SCALED})"
    r"|(?P<below>\b(?:under|below|(?:less|lower|fewer|smaller|shorter|younger|lighter|cheaper|slower) than)\b"
    r"|低于|小于|少于|短于|不到|不足)"
    rf"\s*(?P<c>[^\d\s]{{0,4}}\s*\d[\d,.]*{_SCALED})"
    rf"|(?P<most>\b(?:at most|no more than|up to)\b|不超过|不高于|至多|最多)"
    rf"\s*(?P<d>[^\d\s]{{0,4}}\s*\d[\d,.]*{_SCALED})"
    # 5万元以上, 30天以内: the unit stands between the number and the word.
    rf"|(?P<e>(?<!\d)\d[\d,.]*{_SCALED})\s*(?P<then>[^\d\s，,。以]{{0,4}}?)(?:及|或)?(?P<side>以上|以下|以内|之内)"
)

_UNIT = re.compile(
    r"^\s*(?:[%‰€$£¥°]|(?:euros?|dollars?|eur|usd|rmb|cny|yuan|hours?|minutes?|days?|weeks?|months?|years?|km|m|kg|g"
    r"|t|l|percent|pieces|units)\b|欧元|美元|人民币|个月|小时|分钟|公里|公斤|平方米|[元天日年月周米吨个件台人份条]|%)"
)


@dataclass(frozen=True, slots=True)
class Comparison:
    """sign: ">" "≥" "<" "≤". limit: the number that values are compared with. then: the question behind that
    number, where its unit stands. plain, scale: the number as written and the word that makes it
    larger (60 and 万), which a column may have in its title instead."""

    sign: str
    limit: Decimal
    then: str = ""
    plain: Decimal = Decimal(0)
    scale: str = ""

    def holds(self, value: Decimal) -> bool:
        if self.sign == ">":
            return value > self.limit
        if self.sign == "≥":
            return value >= self.limit
        return value < self.limit if self.sign == "<" else value <= self.limit

    def in_column(self, title: str) -> Comparison:
        """Likewise for the numbers of a column, which may be counted in 万 or millions."""
        if self.scale and re.search(_IN_TITLE.get(self.scale, re.escape(self.scale)), title.lower()):
            return replace(self, limit=self.plain, scale="")
        return self


def compared_with(question: str) -> Comparison | None:
    """The threshold that a question names ("over 500", 不超过 30), if any.

    >>> compared_with("营业额超过60万元的分店").limit, compared_with("over EUR 1.5 million?").limit
    (Decimal('600000'), Decimal('1500000.0'))
    """
    asked = fold(question)
    match = _THRESHOLD.search(asked)
    if match is None:
        return None
    sign = ">" if match["above"] else "≥" if match["least"] else "<" if match["below"] else "≤"
    if match["side"]:
        sign = "≥" if match["side"] == "以上" else "≤"
    said = next(match[name] for name in "abcde" if match[name]).strip().rstrip(".,")
    scale = next((name for name in _SCALES if said.endswith(name)), "")
    # "EUR 500": what stands before the number is its currency.
    number = re.sub(r"^[^\d.\-−]+", "", said.removesuffix(scale).strip())
    found, plain = quantity(number), quantity(re.sub(r"[^\d.,]+$", "", number))
    if found is None or plain is None:
        return None
    scale = scale or number[-1:]
    then = f"{match['then'] or ''}{asked[match.end() :]}".strip()
    limit = found.value * _SCALES.get(scale, 1)
    return Comparison(sign, limit, then, plain.value, scale if limit != plain.value else "")


def without_threshold(question: str, *, unit: bool = False) -> str:
    """The question without the words that name its threshold; unit: nor the unit of its number."""
    match = _THRESHOLD.search(question)
    if match is None or not unit:
        return _THRESHOLD.sub(" ", question)
    return f"{question[: match.start()]} {_UNIT.sub(' ', question[match.end() :], count=1)}"
