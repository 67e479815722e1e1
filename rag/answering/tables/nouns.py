"""The things that a question asks a figure of ("the total quantity of flanges"): a table that knows no flange
has no such figure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rag.answering.tables.conditions import Condition
from rag.answering.tables.questioned import is_bare
from rag.answering.tables.whole import Whole
from rag.citations.wording import content_words
from rag.text.folding import fold
from rag.text.scripts import is_unspaced

_THING = (
    r"(?:all\s+|both\s+)?(?:the\s+|our\s+|these\s+|those\s+|its\s+|any\s+|different\s+)*"
    r"(?P<said>[a-z][\w-]*(?:\s+[a-z][\w-]*){0,2}?)"
    r"(?=\s*(?:[?.,;:!]|$)|\s+(?:in|at|on|from|of|by|per|with|for|to|and|or|that|which|who|are|is|was|were|has|have|had|do|does"
    r"|did|can|we|you|they|sold|ordered|bought|made|over|above|under|below|during|since|after|before|between)\b)"
)
_OF = re.compile(rf"\b(?:of|for)\s+{_THING}")
_ASKED = re.compile(rf"\b(?:how many|how much|which|list|name all)\s+(?:more\s+|different\s+)?{_THING}")
_DONE = re.compile(
    r"采购|销售|购买|完成|发生|产生|使用|支付|收到|卖|订购|预订|交付|发货|出货|入库|出库|生产|花|今|去|本|上|截|期间|时间"
    r"|订单|单据|所有|全|总|各|每|报销|差旅|费|额|钱|款|价|员工|人|帮|算|告诉|看|列|说|查"
)
_FEWEST_SIGNS = 2
_MOST_CELLS = 12


def things_unheld(asked: str, strange: Iterable[str]) -> set[str]:
    """Those of the words that a table does not know (`understood.unknown_words`) that name the thing of which
    the folded question asks.

    >>> things_unheld("what is the total quantity of flanges?", {"flang"})
    {'flang'}
    >>> things_unheld("total amount invoiced", {"invoic"}), things_unheld("法兰的数量合计", {"法兰"})
    (set(), {'法兰'})
    """
    strange = set(strange)
    said = {
        word
        for pattern in (_OF, _ASKED)
        for match in pattern.finditer(asked)
        for word in content_words(match["said"])
    }
    latin = strange & said
    han = {
        run
        for run in strange
        if len(run) >= _FEWEST_SIGNS
        and all(map(is_unspaced, run))
        and not _DONE.search(run)
        and (asked.startswith(run) or f"{run}的" in asked)
    }
    return latin | han


def rows_of(things: set[str], table: Whole, taken: set[int], numeric: Sequence[int]) -> list[Condition]:
    """The rows whose cells hold such a word among others ("washer M8"), if they do so in one column; none
    otherwise."""
    found: list[Condition] = []
    for thing in sorted(things):
        holding = []
        for index in range(table.width):
            if index in taken or index in numeric:
                continue
            cells = dict.fromkeys(fold(cell).strip() for cell in table.column(index) if cell.strip())
            held = tuple(cell for cell in cells if not is_bare(cell) and _holds(cell, thing))
            if held and len(held) < len(cells):
                holding.append(Condition(index, words=held))
        if len(holding) == 1 and len(holding[0].words) <= _MOST_CELLS:
            found += holding
    return found if len({each.column for each in found}) == len(found) == len(things) else []


def _holds(cell: str, thing: str) -> bool:
    """Whether a cell is such a thing ("washer M8", "brass washer"): no "service desk" is a service."""
    if all(map(is_unspaced, thing)):
        return thing in cell
    said = [word for word in content_words(cell) if len(word) > 2 and not any(map(str.isdigit, word))]
    return thing in said[-1:]
