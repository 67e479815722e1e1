"""What a quantity is worth at its price, in tables that state both and not their product."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rag.answering.tables.concepts import concepts
from rag.answering.tables.conditions import UNSUMMED, named_columns, title_of
from rag.answering.tables.whole import Whole

MONEY = re.compile(r"(?i)\b(?:EUR|USD|RMB|CNY|GBP|CHF|JPY|HKD|amount|value)\b|[¥￥€$£₩₹元]|金额")
NAMES = "value worth amount 价值 货值 总值 金额"
"""What such a table can tell of without having a column that is titled so."""


def priced(table: Whole, numeric: Sequence[int], named: Mapping[int, int]) -> tuple[int, int] | None:
    """(column of quantities, column of prices); None if the table has not one of each, or one of amounts.
    named: how many words of the question stand in the title of each column; of several prices it is the one
    that is named most."""
    if named_columns(concepts("amount"), table, set()):
        return None
    summable = [index for index in numeric if not UNSUMMED.search(title_of(table, index))]
    counts = named_columns(concepts("quantity stock"), table, set())
    quantities = [index for index in summable if index in counts]
    titled = named_columns(concepts("price"), table, set())
    prices = [index for index in summable if index in titled and index not in quantities] or [
        index for index in summable if MONEY.search(title_of(table, index)) and index not in quantities
    ]
    if len(prices) > 1:
        prices = [index for index in prices if named.get(index, 0) > 1]
    return (quantities[0], prices[0]) if len(quantities) == len(prices) == 1 else None
