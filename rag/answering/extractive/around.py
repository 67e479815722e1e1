"""The units around one: next to it, up to the next heading, not too far."""

from __future__ import annotations

from collections.abc import Sequence

from rag.answering.extractive.units import Unit, about_tokens

MOST_ANNOUNCED = 230
"""Length in tokens, about, of what a heading or "in these steps:" announces."""


def beside(everything: Sequence[Unit], index: int, step: int) -> Unit | None:
    """The unit before (-1) or behind (1), if it is of the same evidence and may be quoted."""
    place = index + step
    if 0 <= place < len(everything) and everything[place].n == everything[index].n:
        return everything[place] if everything[place].kind != "order" else None
    return None


def to_the_end(everything: Sequence[Unit], index: int, most: int = MOST_ANNOUNCED) -> int:
    """The last unit before the next heading, or of the table that begins here, unless that is too far."""
    last = index
    while (after := beside(everything, last, 1)) and after.kind not in ("heading", "head"):
        over = everything[last].kind in ("row", "header") and after.kind == "sentence"
        if last > index and (over or far(everything, index, last + 1, most)):
            break
        last += 1
    return last


def far(everything: Sequence[Unit], first: int, last: int, most: int = MOST_ANNOUNCED) -> bool:
    return sum(about_tokens(unit.text) for unit in everything[first : last + 1]) > most
