"""Whether a question wants a number or a reason, and whether a text gives one."""

from __future__ import annotations

import re

from rag.citations.numbers import says_number

_ASKS_QUANTITY = re.compile(
    r"\bhow (?:many|much|long|often|soon|old|far|high|large|big)\b|\bwhen\b"
    r"|\bwhat (?:year|date|time|percentage|price)\b"
    r"|\b(?:rates?|calculated)\b|(?:怎么|如何|怎样)(?:计?算)|多少|几|多长|多久|多大|多高|何时|什么时候|哪一?[年天月日]",
    re.IGNORECASE,
)
_ASKS_WHY = re.compile(
    r"\bwhy\b|\b(?:reasons?|causes?)\b|\bhow come\b|为什么|为何|原因|怎么会", re.IGNORECASE
)
_CAUSE = re.compile(
    r"\b(?:because|cause[sd]?|due to|reasons?|therefore|led to|resulted?)\b"
    r"|因为|由于|原因|导致|因此|所以|造成",
    re.IGNORECASE,
)


def asks_quantity(question: str) -> bool:
    """Whether a question asks for a number or a time."""
    return _ASKS_QUANTITY.search(question) is not None


def asks_why(question: str) -> bool:
    """Whether a question asks for a reason."""
    return _ASKS_WHY.search(question) is not None


def gives_number(text: str) -> bool:
    """In digits or in words."""
    return any(map(str.isdigit, text)) or says_number(text)


def gives_reason(text: str) -> bool:
    return _CAUSE.search(text) is not None
