"""Characters of symbol fonts, which Office keeps in the private area of Unicode: what they look like."""

from __future__ import annotations

import re

_SHAPES = {
    0x6C: "●", 0x6E: "■", 0x6F: "□", 0x71: "❑", 0x72: "□", 0x75: "◆", 0x76: "❖", 0x77: "◆", 0xA1: "○",
    0xA7: "▪", 0xA8: "□", 0xAD: "↑", 0xAE: "→", 0xAF: "↓", 0xB0: "°", 0xB1: "±", 0xB7: "•", 0xB8: "÷",
    0xD7: "×", 0xDE: "⇒", 0xD8: "➢", 0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xE8: "➔", 0xF0: "⇨",
    0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}  # fmt: skip
_PRIVATE = re.compile("[\uf020-\uf0ff]")


def readable(text: str) -> str:
    """The text with such characters by their usual shape, a bullet where that is unknown."""
    if not _PRIVATE.search(text):
        return text
    return _PRIVATE.sub(lambda match: _SHAPES.get(ord(match.group()) - 0xF000, "•"), text)


_NUMBER = re.compile(r"\s*[+−-]?[0-9]{1,4}\s*")


def mark_of_raised(before: str, raised: str) -> str:
    """What belongs between a text and what is raised behind it: 10 and a raised 6 are not 106."""
    return "^" if before[-1:].isdigit() and _NUMBER.fullmatch(raised) else ""
