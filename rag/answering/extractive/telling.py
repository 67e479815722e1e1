"""How far the words of a unit tell anything by themselves."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rag.answering.extractive.units import Unit, asks
from rag.records import Evidence

_FIRST_LINE = 80
_TITLES = 40
_SET = re.compile(r"\w[\"'\])]*\s*[:=：]\s*\S")
"""A name and what it is ("level = warning", "Absent: Mr. Roe")."""
_LABEL = re.compile(r"[A-Z][A-Za-z ,/-]{0,38}")
"""A few words without an end: the title of something."""


def first_line(item: Evidence) -> str:
    """What the evidence's document begins with, if it is short enough to be a title and stands in it."""
    line = item.text.lstrip().partition("\n")[0] if item.start == 0 else ""
    return line if len(line) <= _FIRST_LINE else ""


def is_bare(everything: Sequence[Unit], index: int) -> bool:
    """Whether a heading has nothing under it but the next one."""
    if everything[index].kind != "heading":
        return False
    under = everything[index + 1] if index + 1 < len(everything) else None
    return under is None or under.n != everything[index].n or under.kind in ("heading", "head")


def informative(unit: Unit) -> float:
    """How far a unit's words count: little for headings and questions, not at all for titles of columns,
    heads of pages, and what speaks to a machine."""
    if unit.kind in ("header", "head", "order", "fence"):
        return 0.0
    if unit.row is not None:
        return 1.0
    titles = unit.kind == "row" and not any(map(str.isdigit, unit.text)) and len(unit.text) < _TITLES
    if titles and not _SET.search(unit.text):
        return 0.0
    if unit.kind in ("row", "sentence") and _LABEL.fullmatch(unit.text):
        return 0.3
    return 0.5 if unit.kind == "heading" or asks(unit) else 1.0
