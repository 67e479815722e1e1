"""The words of a question that only say where to look: "according to the equipment price list", 价格表里.

They name a table or its file, and ask for none of its columns.
"""

from __future__ import annotations

import re

from rag.answering.tables.concepts import concepts

_KINDS = (
    "list|table|sheet|spreadsheet|file|overview|register|catalogue|catalog|schedule|report|log|workbook"
    "|document"
)
_EN = re.compile(
    r"\b(?:according to|as per|based on|in|from|on|of|by|per)\s+(?:the|our|this|that|your)\s+"
    rf"(?P<name>(?:[\w./-]+\s+){{0,4}}?(?:{_KINDS}))s?\b(?!\s+(?:price|value|number|date)s?\b)"
)
_ZH = re.compile(
    r"(?:根据|按照?|依据|依照|参照|查看?|在|从)?(?P<name>[一-龥A-Za-z0-9_-]{1,12}?(?:一览表|价格表|明细表|[表单]|清单|目录|台账|名册|文件))"
    r"(?=[中里上内，,]|显示|来看|所列)"
)


def without_names(asked: str, names: str) -> str:
    """A folded question without the words that name the table. names: what the table is called: they are left
    out only where it is called so.

    >>> without_names("how many units are in stock according to the price list?", "prices.csv price list")
    'how many units are in stock ?'
    >>> without_names("价格表里库存一共多少", "包装材料价格表.xlsx")
    '里库存一共多少'
    >>> without_names("what is the total of the order list?", "prices.csv")
    'what is the total of the order list?'
    """
    known = concepts(names)
    for pattern in (_EN, _ZH):
        for match in reversed([*pattern.finditer(asked)]):
            said = concepts(match["name"]) - concepts(_KINDS.replace("|", " "))
            if said and said <= known:
                asked = f"{asked[: match.start()]}{asked[match.end() :]}"
    return asked
