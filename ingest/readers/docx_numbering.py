"""The numbers that Word prints before headings and list items without storing them in the text.

They belong to what people quote ("Article 3.2", "第三条"), so they are counted here as Word counts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ingest.readers.docx_text import children, value
from ingest.readers.list_numerals import written

_LEVELS = 9


@dataclass(frozen=True, slots=True)
class _Level:
    """restart: the last level (from 1) whose numbers let this one begin anew; 0 for none."""

    start: int
    style: str
    pattern: str
    legal: bool
    restart: int


class Numbering:
    """Counts the numbers of every list in the order in which its paragraphs come."""

    def __init__(self, root: Any) -> None:
        abstract = {
            _attribute(element, "abstractNumId"): _levels(element)
            for element in children(root, "abstractNum")
        }
        self._lists: dict[str, tuple[str, dict[int, _Level]]] = {}
        self._fresh: dict[tuple[str, int], int] = {}
        for element in children(root, "num"):
            base = value(element, "abstractNumId") or ""
            levels = dict(abstract.get(base, {}))
            for override in children(element, "lvlOverride"):
                number = int(_attribute(override, "ilvl") or 0)
                start = value(override, "startOverride") or ""
                if start.isdigit():
                    self._fresh[_attribute(element, "numId"), number] = int(start)
                for level in children(override, "lvl"):
                    levels[number] = _level(level, number)
            self._lists[_attribute(element, "numId")] = (base, levels)
        self._counts: dict[str, list[int | None]] = {}

    def label(self, identity: str, level: int) -> str:
        """What is printed before the next paragraph of this list at this level; "" if nothing."""
        base, levels = self._lists.get(identity, ("", {}))
        described = levels.get(level)
        if described is None or level >= _LEVELS:
            return ""
        # Lists that share a definition go on counting together, but for one that is to begin anew.
        counts = self._counts.setdefault(base, [None] * _LEVELS)
        before = counts[level]
        begin = self._fresh.pop((identity, level), None)
        if begin is not None:
            counts[level] = begin
        else:
            counts[level] = described.start if before is None else before + 1
        for deeper in range(level + 1, _LEVELS):
            if deeper not in levels or level < levels[deeper].restart:
                counts[deeper] = None
        if described.style == "bullet":
            return "•"
        if described.style == "none":
            return re.sub(r"%\d", "", described.pattern).strip()

        def number(match: re.Match[str]) -> str:
            place = int(match.group(1)) - 1
            other = levels.get(place, described)
            count = counts[place] if 0 <= place < _LEVELS else None
            return written(
                count if count is not None else other.start, "decimal" if described.legal else other.style
            )

        return re.sub(r"%([1-9])", number, described.pattern).strip()


def _levels(element: Any) -> dict[int, _Level]:
    found = {}
    for level in children(element, "lvl"):
        number = _attribute(level, "ilvl")
        if number.isdigit():
            found[int(number)] = _level(level, int(number))
    return found


def _level(element: Any, number: int) -> _Level:
    start = value(element, "start") or "1"
    restart = value(element, "lvlRestart") or ""
    return _Level(
        int(start) if start.isdigit() else 1,
        value(element, "numFmt") or "decimal",
        value(element, "lvlText") or "",
        next(children(element, "isLgl"), None) is not None,
        int(restart) if restart.isdigit() else number,
    )


def _attribute(element: Any, name: str) -> str:
    for key, content in element.attrib.items():
        if key.rpartition("}")[2] == name:
            return str(content)
    return ""
