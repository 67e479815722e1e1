"""English numbers in words: "twenty-five", "one hundred and five", "two hundred thousand"."""

from __future__ import annotations

import re
from decimal import Decimal

_UNITS = [
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
]
_TENS = dict(zip(["twenty", "thirty", "forty", "fifty"], range(20, 60, 10), strict=True))
_TENS |= dict(zip(["sixty", "seventy", "eighty", "ninety"], range(60, 100, 10), strict=True))
_WORDS = {word: n for n, word in enumerate(_UNITS)} | _TENS
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9}

_BELOW_HUNDRED = rf"(?:(?:{'|'.join(_TENS)})(?:[\s-](?:{'|'.join(_UNITS[1:10])}))?|(?:{'|'.join(_UNITS)}))\b"
_BELOW_THOUSAND = (
    rf"(?:(?:{'|'.join(_UNITS[1:])})\s+hundred\b(?:\s+(?:and\s+)?{_BELOW_HUNDRED}(?!\s+hundred\b))?"
    rf"|{_BELOW_HUNDRED})"
)
_THOUSANDS = rf"(?:,?\s+(?:and\s+)?{_BELOW_THOUSAND}\s+thousand\b)?"
_REST = rf"(?:,?\s+(?:and\s+{_BELOW_HUNDRED}|{_BELOW_THOUSAND})(?!\s+(?:hundred|{'|'.join(_SCALES)})\b))?"
ENGLISH_NUMERAL = re.compile(
    rf"\b(?:{_BELOW_THOUSAND}\s+billion\b(?:,?\s+{_BELOW_THOUSAND}\s+million\b)?{_THOUSANDS}{_REST}"
    rf"|{_BELOW_THOUSAND}\s+million\b{_THOUSANDS}{_REST}"
    rf"|{_BELOW_THOUSAND}\s+thousand\b{_REST}"
    rf"|{_BELOW_THOUSAND})"
)
"""In folded text. Two numbers beside each other ("five six", "one hundred and two hundred") are two."""


def english_value(numeral: str) -> Decimal:
    """The value of a match of ENGLISH_NUMERAL.

    >>> english_value("one hundred and five"), english_value("two hundred thousand")
    (Decimal('105'), Decimal('200000'))
    """
    whole = part = 0
    for word in re.findall(r"[a-z]+", numeral):
        if word == "hundred":
            part *= 100
        elif word in _SCALES:
            whole, part = whole + part * _SCALES[word], 0
        else:
            part += _WORDS.get(word, 0)
    return Decimal(whole + part)
