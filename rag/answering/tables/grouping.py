"""Questions for a figure of each thing of a kind ("scrap by machine", 各门店的销售额), for what is spent, and
for what something is worth."""

from __future__ import annotations

import re

from rag.answering.tables.concepts import concepts

_THING = r"[\w-]+"
_EACH = re.compile(
    rf"\b(?:by|per|each|every)\s+(?P<en>{_THING}(?:\s+{_THING})?)"
    r"|按照?各?(?P<by>[一-龥]{1,6}?)(?=统计|汇总|分类|分组|计算|列出|划分|合计|求和|分|的)"
    r"|[各每](?:一?[个家条台位款类种项名间座])?(?P<zh>[一-龥]{1,6})"
)
_SUMS_UP = re.compile(r"统计|汇总|求和")
_FLOWS = re.compile(
    r"\bhow much\b.*\b(?:spend|spent|pay|paid|earn\w*|sell|sold|produc\w+|made?|makes?|use[ds]?|consum\w+"
    r"|los[et]s?|sav\w+|order\w*|receiv\w+|deliver\w*|waste[ds]?|generat\w+|invoic\w+|bill\w*|cost)\b"
    r"|(?:花|卖|用|产|支出|消耗|报销|支付|付|收)(?:了|出|掉)?\s*多少"
)

_FIGURE = re.compile(r"\bwhat (?:is|was|are|were)\b|\bhow much\b|多少|有多[大高]")
_WORTH = re.compile(r"\b(?:value|worth)\b|价值|货值|总值|金额|总价|值多少")


def each_of(asked: str) -> list[set[str]]:
    """Concepts of the things for each of which a figure is asked, for every place that may name some.

    >>> each_of("how much scrap did each machine produce?") == [concepts("machine produce")]
    True
    >>> each_of("how much scrap is there?")
    []
    """
    found = []
    for match in _EACH.finditer(asked):
        said = match["en"] or match["by"] or match["zh"]
        found.append(concepts(said))
    return [each for each in found if each]


def sums_up(asked: str) -> bool:
    """Whether figures are to be put together (统计)."""
    return _SUMS_UP.search(asked) is not None


def asks_flow(asked: str) -> bool:
    """Whether it is asked how much was spent, sold, used in all: what adds up over rows.

    >>> asks_flow("how much did sales spend on travel?"), asks_flow("how much is the rent?")
    (True, False)
    """
    return _FLOWS.search(asked) is not None


def asks_figure(asked: str) -> bool:
    """Whether a figure is asked for that may be spread over several rows ("the sales of Porto in May").

    >>> asks_figure("what were the sales in porto?"), asks_figure("who sells most?")
    (True, False)
    """
    return _FIGURE.search(asked) is not None


def asks_worth(asked: str) -> bool:
    """Whether the value of something in money is asked for.

    >>> asks_worth("what is the stock worth?"), asks_worth("库存总价值"), asks_worth("how much stock?")
    (True, True, False)
    """
    return _WORTH.search(asked) is not None
