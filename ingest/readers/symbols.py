"""Characters of symbol fonts, which Office keeps in the private area of Unicode: what they look like."""

from __future__ import annotations

import re

_SHAPES = {
    0x6C: "●", 0x6E: "■", 0x6F: "□", 0x71: "❑", 0x72: "□", 0x75: "◆", 0x76: "❖", 0x77: "◆", 0xA1: "○",
    0xA7: "▪", 0xA8: "□", 0xAD: "↑", 0xAE: "→", 0xAF: "↓", 0xB0: "°", 0xB1: "±", 0xB7: "•", 0xB8: "÷",
    0xD7: "×", 0xDE: "⇒", 0xD8: "➢", 0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xE8: "➔", 0xF0: "⇨",
    0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}  # fmt: skip
_SYMBOL_LETTERS = (
    ("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ"),
    ("abcdefghijklmnopqrstuvwxyz", "αβχδεφγηιϕκλμνοπθρστυϖωξψζ"),
    ("\"$'-@^", "∀∃∋−≅⊥"),
    ("\u00a2\u00a3\u00a5\u00ac\u00ad\u00ae\u00af\u00b0\u00b1\u00b2\u00b3", "′≤∞←↑→↓°±″≥"),
    ("\u00b4\u00b5\u00b6\u00b7\u00b8\u00b9\u00ba\u00bb\u00bc", "×∝∂•÷≠≡≈…"),
    ("\u00c4\u00c5\u00c6\u00c7\u00c8\u00cc\u00cd\u00ce\u00cf\u00d0\u00d1", "⊗⊕∅∩∪⊂⊆∈∉∠∇"),
    ("\u00d5\u00d6\u00d7\u00d8\u00d9\u00da\u00db\u00dc\u00de\u00e5\u00f2", "∏√⋅¬∧∨⇔⇐⇒∑∫"),
)
_SYMBOL = {
    ord(place): sign for places, signs in _SYMBOL_LETTERS for place, sign in zip(places, signs, strict=True)
}
"""Adobe's encoding of the font Symbol, where it differs from ASCII."""

_PRIVATE = re.compile("[\uf020-\uf0ff]")


def of_font(code: int, font: str) -> str:
    """The character that a font shows at a place. code: its number, in the private area or not."""
    place = code - 0xF000 if 0xF000 <= code <= 0xF0FF else code
    if font.lower() == "symbol" and place <= 0xFF:
        return _SYMBOL.get(place) or (chr(place) if 0x20 <= place < 0x7F else "•")
    if code >= 0xF000 or font.lower().startswith("wingdings"):
        return _SHAPES.get(place, "•")
    return chr(code) if code >= 0x20 else ""


def readable(text: str) -> str:
    """The text with such characters by their usual shape, a bullet where that is unknown."""
    if not _PRIVATE.search(text):
        return text
    return _PRIVATE.sub(lambda match: _SHAPES.get(ord(match.group()) - 0xF000, "•"), text)


_NUMBER = re.compile(r"\s*[+−-]?[0-9]{1,4}\s*")


def mark_of_raised(before: str, raised: str) -> str:
    """What belongs between a text and what is raised behind it: 10 and a raised 6 are not 106."""
    return "^" if before[-1:].isdigit() and _NUMBER.fullmatch(raised) else ""
