"""The numbers that a question names, and the quantities that it asks for."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_OF_A_CELL = re.compile(
    r"\bhow many (?:\w+ )?(?:days?|weeks?|months?|years?|hours?|minutes?|seconds?|euros?|dollars?|yuan"
    r"|degrees?|kilomet\w+|met(?:er|re)s?|percent)\b(?! (?:are|were) (?:there|listed))"
    r"|(?:多少|几)\s*(?:天|日|年|月|周|星期|小时|分钟?|秒|元|块|欧元|美元|度|米|公里|厘米|毫米|公斤|千克|克|吨|升|倍|时间|钱)"
)


def of_a_cell(question: str) -> bool:
    """Whether a quantity is asked for that stands in a cell: no rows are counted to know it.

    >>> of_a_cell("how many days of leave?"), of_a_cell("how many orders?"), of_a_cell("有多少天年休假")
    (True, False, True)
    """
    return _OF_A_CELL.search(question) is not None


def is_bare(cell: str) -> bool:
    """Whether a cell is a number and nothing else: what a question names with it, may be anything."""
    return _NUMBER.fullmatch(cell) is not None


def unused(question: str, used: str) -> bool:
    """Whether a question names a number that does not stand among those used.

    >>> unused("orders over 1,200", "1200.0"), unused("orders of 5 pieces", "orders 2023")
    (False, True)
    """
    known = {_value(match) for match in _NUMBER.findall(used)}
    return any(_value(match) not in known for match in _NUMBER.findall(question))


def _value(number: str) -> str:
    plain = number.replace(",", "")
    return (plain.rstrip("0").rstrip(".") if "." in plain else plain).lstrip("0") or "0"
