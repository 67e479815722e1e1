"""Steps that belong together: all of a list, all sentences of a paragraph that tells them in their order."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rag.answering.extractive.around import beside, far
from rag.answering.extractive.units import Unit

MOST_STEPS = 420
"""Length in tokens, about, of steps that are quoted whole."""
_FEWEST = 2
_PARAGRAPH = 2
"""So many characters between two units, and a new paragraph begins."""
_IN_ORDER = re.compile(
    r"(?:first(?:ly)?|second(?:ly)?|third(?:ly)?|then|next|after (?:that|this)|afterwards|finally|lastly)\b"
    r"|(?:首先|其次|然后|接着|随后|之后|再次|再|最后|第[一二三四五六七八九十]步?|完成后)",
    re.IGNORECASE,
)


def heads_steps(everything: Sequence[Unit]) -> frozenset[int]:
    """The headings, and the sentences that announce, directly above a list of two steps or more."""
    return frozenset(
        index
        for index, unit in enumerate(everything)
        if unit.kind in ("heading", "lead") and _items_below(everything, index) >= _FEWEST
    )


def steps_around(everything: Sequence[Unit], index: int) -> tuple[int, int]:
    """First and last unit of the list that a step is part of, with what announces it or its heading."""
    first = last = top = index
    while (before := beside(everything, top, -1)) and before.kind not in ("heading", "head"):
        if far(everything, top - 1, index, MOST_STEPS):
            break
        top -= 1
        if before.kind in ("item", "lead"):
            first = top
    while (after := beside(everything, last, 1)) and after.kind not in ("heading", "head"):
        over = _gap(everything, last) >= _PARAGRAPH and after.kind == "sentence"
        if far(everything, first, last + 1, MOST_STEPS) or (over and not _items_below(everything, last + 1)):
            break
        last += 1
    above = beside(everything, first, -1)
    return (first - 1 if above is not None and above.kind == "heading" else first), last


def told_in_order(everything: Sequence[Unit], index: int) -> tuple[int, int] | None:
    """First and last sentence of a paragraph that tells steps in their order, None for any other."""
    first = last = index
    while (before := beside(everything, first, -1)) and before.kind == "sentence":
        if _gap(everything, first - 1) >= _PARAGRAPH:
            break
        first -= 1
    while (after := beside(everything, last, 1)) and after.kind == "sentence":
        if _gap(everything, last) >= _PARAGRAPH:
            break
        last += 1
    run = everything[first : last + 1]
    if sum(_IN_ORDER.match(unit.text) is not None for unit in run) < _FEWEST:
        return None
    return None if far(everything, first, last, MOST_STEPS) else (first, last)


def _items_below(everything: Sequence[Unit], index: int) -> int:
    """How many steps follow a unit before the next heading."""
    count = 0
    place = index
    while (after := beside(everything, place, 1)) and after.kind not in ("heading", "head"):
        place += 1
        count += after.kind == "item"
        if not count and place > index + 1:
            break
    return count


def _gap(everything: Sequence[Unit], index: int) -> int:
    """Characters between a unit and the next one of its evidence."""
    return everything[index + 1].start - everything[index].end
