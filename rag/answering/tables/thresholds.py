"""Thresholds that a question names: over 500, at least 10, 不超过 30."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from rag.answering.tables.cells import quantity
from rag.text.folding import fold

_THRESHOLD = re.compile(
    r"(?P<above>\b(?:over|above|more than|greater than|higher than|exceed(?:s|ing)?|larger than)\b"
    r"|超过|大于|高于|多于)\s*(?P<a>[^\d\s]{0,4}\s*\d[\d,.]*)"
    r"|(?P<least>\b(?:at least|no less than)\b|不少于|不低于|至少)\s*(?P<b>[^\d\s]{0,4}\s*\d[\d,.]*)"
    r"|(?P<below>\b(?:under|below|less than|lower than|fewer than|smaller than)\b|低于|小于|少于|不到)"
    r"\s*(?P<c>[^\d\s]{0,4}\s*\d[\d,.]*)"
    r"|(?P<most>\b(?:at most|no more than|up to)\b|不超过|不高于|至多|最多)\s*(?P<d>[^\d\s]{0,4}\s*\d[\d,.]*)"
)


@dataclass(frozen=True, slots=True)
class Comparison:
    """sign: ">" "≥" "<" "≤". limit: the number that values are compared with."""

    sign: str
    limit: Decimal

    def holds(self, value: Decimal) -> bool:
        if self.sign == ">":
            return value > self.limit
        if self.sign == "≥":
            return value >= self.limit
        return value < self.limit if self.sign == "<" else value <= self.limit


def compared_with(question: str) -> Comparison | None:
    """The threshold that a question names ("over 500", 不超过 30), if any."""
    match = _THRESHOLD.search(fold(question))
    if match is None:
        return None
    sign = ">" if match["above"] else "≥" if match["least"] else "<" if match["below"] else "≤"
    found = quantity((match["a"] or match["b"] or match["c"] or match["d"]).strip().rstrip(".,"))
    return None if found is None else Comparison(sign, found.value)


def without_threshold(question: str) -> str:
    """The question without the words that name its threshold."""
    return _THRESHOLD.sub(" ", question)
