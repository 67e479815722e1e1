"""A chosen unit with what it needs to be understood: its antecedent, the steps it announces, its columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rag.answering.extractive.units import Unit, about_tokens

_MOST_ANNOUNCED = 180
"""Length in tokens, about, of what a heading or "in these steps:" announces."""
_MOST_FOLLOWING = 2
_FOLLOWING_TOKENS = 90
"""How many sentences that lean on a quoted one ("It …", 其 …) come with it, and how long both may be."""
_LEANS_BACK = re.compile(
    r"(?:it|they|this|these|that|those|he|she|such|otherwise|however|in that case|then)\b"
    r"|[其该此它他她这那]|否则|但是?|因此|同时",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Group:
    """Consecutive units of one evidence; header: the first row of the table that they are rows of."""

    first: Unit
    last: Unit
    header: Unit | None = None


def groups(everything: Sequence[Unit], chosen: Sequence[int], *, steps: bool) -> list[Group]:
    """The chosen units with what they need to be understood, neighbours joined, in the order of choice."""
    runs: list[tuple[int, int]] = []
    for index in chosen:
        first, last = _completed(everything, index, steps=steps)
        for place, (a, b) in enumerate(runs):
            apart = 0 if "row" in (everything[a].kind, everything[first].kind) else 1
            if everything[a].n == everything[first].n and first <= b + apart and a <= last + apart:
                runs[place] = (min(a, first), max(b, last))
                break
        else:
            runs.append((first, last))
    return [Group(everything[a], everything[b], _header(everything, a)) for a, b in runs]


def _completed(everything: Sequence[Unit], index: int, *, steps: bool) -> tuple[int, int]:
    """A unit with its antecedent, or with what it announces."""
    unit = everything[index]
    first = last = index

    def beside(place: int) -> Unit | None:
        inside = 0 <= place < len(everything) and everything[place].n == unit.n
        return everything[place] if inside else None

    before = beside(index - 1)
    if unit.text.rstrip().endswith(("?", "？")) and beside(index + 1):
        return index, index + 1
    if unit.kind == "sentence":
        if _LEANS_BACK.match(unit.text) and before and before.kind == "sentence":
            first = index - 1
        while (after := beside(last + 1)) and after.kind == "sentence" and _LEANS_BACK.match(after.text):
            if (
                last - index == _MOST_FOLLOWING
                or about_tokens(unit.text) + about_tokens(after.text) > _FOLLOWING_TOKENS
            ):
                break
            last += 1
        return first, last
    if unit.kind in ("heading", "lead"):
        last = _to_the_end(everything, index)
    elif unit.kind == "item" and steps:
        while (
            (before := beside(first - 1))
            and before.kind != "heading"
            and not _far(everything, first - 1, last)
        ):
            first -= 1
        last = _to_the_end(everything, first)
    elif unit.kind == "row" and " | " not in unit.text:
        # A row of a table whose columns the reader of the file did not see may go on in the next line.
        after = beside(index + 1)
        if after and after.kind == "row" and (after.text[:1].isdigit() or after.text[:1].islower()):
            last = index + 1
    return first, last


def _to_the_end(everything: Sequence[Unit], index: int) -> int:
    """The last unit before the next heading, unless that is too far away."""
    last = index
    while last + 1 < len(everything) and everything[last + 1].n == everything[index].n:
        if everything[last + 1].kind == "heading" or (last > index and _far(everything, index, last + 1)):
            break
        last += 1
    return last


def _far(everything: Sequence[Unit], first: int, last: int) -> bool:
    return sum(about_tokens(unit.text) for unit in everything[first : last + 1]) > _MOST_ANNOUNCED


def _header(everything: Sequence[Unit], index: int) -> Unit | None:
    """The first row of the table that a row stands in, if that is another one."""
    unit = everything[index]
    if unit.kind != "row" or " | " not in unit.text:
        return None
    top = index
    while (
        top > 0
        and everything[top - 1].n == unit.n
        and everything[top - 1].kind == "row"
        and " | " in everything[top - 1].text
    ):
        top -= 1
    header = everything[top]
    # Without its beginning, a table that goes on from the chunk before shows no titles.
    return header if top != index and not any(map(str.isdigit, header.text)) else None
