"""The numbers that Word prints before headings and list items without storing them in the text.

They belong to what people quote ("Article 3.2", "第三条"), so they are counted here as Word counts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ingest.readers.docx_text import children, value

_CHINESE = "〇一二三四五六七八九"
_CHINESE_FORMATS = frozenset(
    {"chineseCounting", "chineseCountingThousand", "ideographDigital", "japaneseCounting",
     "taiwaneseCounting",      "taiwaneseCountingThousand", "ideographTraditional", "chineseLegalSimplified"}
)  # fmt: skip
_LEVELS = 9


@dataclass(frozen=True, slots=True)
class _Level:
    start: int
    style: str
    pattern: str
    legal: bool


class Numbering:
    """Counts the numbers of every list in the order in which its paragraphs come."""

    def __init__(self, root: Any) -> None:
        abstract = {
            _attribute(element, "abstractNumId"): _levels(element)
            for element in children(root, "abstractNum")
        }
        self._lists: dict[str, tuple[str, dict[int, _Level]]] = {}
        for element in children(root, "num"):
            base = value(element, "abstractNumId") or ""
            levels = dict(abstract.get(base, {}))
            for override in children(element, "lvlOverride"):
                number = int(_attribute(override, "ilvl") or 0)
                for level in children(override, "lvl"):
                    levels[number] = _level(level)
            self._lists[_attribute(element, "numId")] = (base, levels)
        self._counts: dict[str, list[int | None]] = {}

    def label(self, identity: str, level: int) -> str:
        """What is printed before the next paragraph of this list at this level; "" if nothing."""
        base, levels = self._lists.get(identity, ("", {}))
        described = levels.get(level)
        if described is None or level >= _LEVELS:
            return ""
        # Lists that share a definition go on counting together.
        counts = self._counts.setdefault(base, [None] * _LEVELS)
        before = counts[level]
        counts[level] = described.start if before is None else before + 1
        counts[level + 1 :] = [None] * (_LEVELS - level - 1)
        if described.style == "bullet":
            return "•"
        if described.style == "none":
            return re.sub(r"%\d", "", described.pattern).strip()

        def number(match: re.Match[str]) -> str:
            place = int(match.group(1)) - 1
            other = levels.get(place, described)
            count = counts[place] if 0 <= place < _LEVELS else None
            return _written(
                count if count is not None else other.start, "decimal" if described.legal else other.style
            )

        return re.sub(r"%([1-9])", number, described.pattern).strip()


def _levels(element: Any) -> dict[int, _Level]:
    found = {}
    for level in children(element, "lvl"):
        number = _attribute(level, "ilvl")
        if number.isdigit():
            found[int(number)] = _level(level)
    return found


def _level(element: Any) -> _Level:
    start = value(element, "start") or "1"
    return _Level(
        int(start) if start.isdigit() else 1,
        value(element, "numFmt") or "decimal",
        value(element, "lvlText") or "",
        next(children(element, "isLgl"), None) is not None,
    )


def _attribute(element: Any, name: str) -> str:
    for key, content in element.attrib.items():
        if key.rpartition("}")[2] == name:
            return str(content)
    return ""


def _written(number: int, style: str) -> str:
    if style in ("lowerLetter", "upperLetter"):
        # After z comes aa, then bb, as Word writes it.
        letter = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
        return letter.upper() if style == "upperLetter" else letter
    if style in ("lowerRoman", "upperRoman"):
        return roman(number).upper() if style == "upperRoman" else roman(number)
    if style in _CHINESE_FORMATS:
        return chinese(number)
    if style == "decimalZero":
        return f"{number:02d}"
    return str(number)


def roman(number: int) -> str:
    """Lower-case Roman numerals; figures where they do not reach."""
    if not 0 < number < 4000:
        return str(number)
    out = ""
    for size, letters in (
        (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
        (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
    ):  # fmt: skip
        out += letters * (number // size)
        number %= size
    return out


def chinese(number: int) -> str:
    """Chinese numerals below a thousand as they are counted: 十, 十一, 二十, 一百零一."""
    if not 0 < number < 1000:
        return str(number)
    hundreds, rest = divmod(number, 100)
    tens, ones = divmod(rest, 10)
    out = f"{_CHINESE[hundreds]}百" if hundreds else ""
    if tens:
        out += ("" if tens == 1 and not hundreds else _CHINESE[tens]) + "十"
    elif hundreds and ones:
        out += "零"
    return out + (_CHINESE[ones] if ones else "")
