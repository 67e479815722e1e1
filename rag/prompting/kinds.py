"""What kind of answer a question asks for, by its words."""

from __future__ import annotations

import re
from typing import Literal

Kind = Literal["fact", "list", "procedure", "comparison", "table"]

_COMPARES = re.compile(
    r"\b(?:compare[sd]?|differences?\s+between|differs?\s+from|versus|vs\.?)\b|区别|差别|差异|不同|比较|对比|相比",
    re.IGNORECASE,
)
_STEPS = re.compile(
    r"\bhow (?:do|does|can|should|to|must)\b|\bsteps?\b|\bprocedure\b|\b(?:has|have) to be done\b"
    r"|\bwhat should\b|\bwhat (?:must|needs to|has to|is to|can) (?:be )?(?:done|happen)\b"
    r"|\bwhat (?:do|must|shall|can|does|may) (?:\w+ ){1,3}(?:have to |need to )?do\b|\bwhat to do\b"
    r"|\bhow (?:is|are) .*\b(?!called|named|based|related|located|calculated|rated)"
    r"(?:\w{3,}ed|taken|done|made|built|sent|put|set up)\b"
    r"|\bwhat happens (?:when|if|after|before|once)\b"
    r"|怎么(?!样的)|如何|怎样|步骤|流程|哪几步|哪些步|做什么|怎么办|做些什么|办理手续|什么手续",
    re.IGNORECASE,
)
_TABLE = re.compile(
    r"\b(?:table|rows?|columns?|total|sum|average|altogether|in all|per (?:month|year|quarter|region))\b"
    r"|表格|[一-龥]表中|列表中|[行列]数|合计|总计|总和|总共|一共|平均|每[月年季]",
    re.IGNORECASE,
)
_LIST = re.compile(
    r"\b(?:list|name all|enumerate|which (?:\w+ )?\w+s\b|what are|what \w+s (?:are|do|does|must|can|were)\b)"
    r"|哪些|哪几|列出|有什么|所有|全部|分别",
    re.IGNORECASE,
)


def kind_of(question: str) -> Kind:
    """The kind whose example helps most; "fact" where nothing speaks for another.

    >>> kind_of("How do I claim expenses?"), kind_of("有哪些供应商？"), kind_of("When was it built?")
    ('procedure', 'list', 'fact')
    """
    if compares(question):
        return "comparison"
    if _TABLE.search(question):
        return "table"
    if asks_steps(question):
        return "procedure"
    return "list" if _LIST.search(question) else "fact"


def compares(question: str) -> bool:
    """Whether a question asks for a comparison."""
    return _COMPARES.search(question) is not None


def asks_steps(question: str) -> bool:
    """Whether a question asks what is to be done."""
    return _STEPS.search(question) is not None
