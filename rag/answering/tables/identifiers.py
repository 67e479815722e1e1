"""Columns of numbers that only tell one row from another (order 1, 2, 3 …): nobody adds them up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from rag.answering.tables.cells import is_empty, quantity
from rag.answering.tables.conditions import title_of
from rag.answering.tables.whole import Whole

_NAMED_SO = re.compile(
    r"(?i)(?:^|[\s_.-])(?:no\.?|nr\.?|id|number|num|code|ref\.?|reference|key|index|serial|barcode|ean|zip|postcode"
    r"|phone|fax|account|po)$|^(?:order|invoice|ticket|ref|case|job|batch|lot|serial|bill|receipt|contract"
    r"|voucher|article|item|part|sku|customer|employee|position|pos\.?|#)$|[序编单工货件批型账票卡学代]号$|[编条代]码$"
    r"|号码$|^(?:订单|单据|发票|编码|序列|行)号?$"
)
_OF_A_QUANTITY = re.compile(
    r"(?i)\b(?:number|no\.?) of\b|\b(?:qty|quantity|amount|count|pieces|pcs|price|cost|total|stock|hours?"
    r"|days?|minutes?|score|points|weight|[a-z]*EUR|USD|CNY)\b|数量|金额|件数|台数|人数|价|费|小时|天数|分"
)
_FEWEST = 4


def identifiers(table: Whole, numeric: Sequence[int]) -> frozenset[int]:
    """Columns of whole numbers without units, each there once, that are titled as identifiers or count the
    rows one by one where another column has numbers, too."""
    return frozenset(index for index in numeric if _is_one(table, index, len(numeric) > 1))


def _is_one(table: Whole, index: int, of_several: bool) -> bool:
    title = title_of(table, index)
    if _OF_A_QUANTITY.search(title):
        return False
    read = [quantity(cell) for cell in table.column(index) if not is_empty(cell)]
    if any(each is None or each.unit or each.places for each in read):
        return False
    values = [int(each.value) for each in read if each is not None]
    if len({*values}) < len(values):
        return False
    if _NAMED_SO.search(title.strip()):
        return True
    steps = {after - before for before, after in pairwise(values)}
    return of_several and len(values) >= _FEWEST and steps == {1}
