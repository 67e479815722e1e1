"""One folding of text for all matching, character by character, so that every place maps back.

A folded text has: compatibility forms replaced (full width, ligatures, radicals), case folded, accents
off, all dashes "-", all quotation marks ' or ", invisible characters gone. Superscripts, circled numbers
and vulgar fractions stay as they are: NFKC would turn 10² into 102 and 1½ into 11/2, other numbers.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from rag.text.radicals import RADICALS

_DASHES = "‐‑‒–—―−﹘﹣－⸺⸻"
_DOUBLE = "“”„‟«»〝〞〟＂″「」『』﹁﹂﹃﹄"
_SINGLE = "‘’‚‛′‵`´＇‹›"
_SAME = {
    **dict.fromkeys(_DASHES, "-"),
    **dict.fromkeys(_DOUBLE, '"'),
    **dict.fromkeys(_SINGLE, "'"),
    **dict.fromkeys("。｡．", "."),
    **dict.fromkeys("•‧∙⋅・･", "·"),
}
_KEPT_DECOMPOSITIONS = ("<super>", "<circle>", "<fraction>")


def _is_accent(char: str) -> bool:
    """Latin, Greek and Cyrillic accents; Hebrew and Arabic vowel points, which most writers leave out."""
    return "\u0300" <= char <= "\u036f" or "\u0591" <= char <= "\u05c7" or "\u064b" <= char <= "\u0655"


def _fold(char: str) -> str:
    if char in _SAME:
        return _SAME[char]
    char = RADICALS.get(ord(char), char)
    category = unicodedata.category(char)
    if category in ("Cf", "Cn", "Co") or "\ufe00" <= char <= "\ufe0f":
        # Soft hyphens, joiners, marks of direction, variation selectors: nothing that anybody reads.
        return "" if category != "Co" else char
    if category == "Cc" and not char.isspace():
        return ""
    if (
        unicodedata.decomposition(char).startswith(_KEPT_DECOMPOSITIONS)
        and unicodedata.category(char) == "No"
    ):
        return char
    plain = "".join(c for c in unicodedata.normalize("NFKD", char) if not _is_accent(c))
    folded = unicodedata.normalize("NFC", plain).casefold()
    return "".join(_SAME.get(c, c) for c in unicodedata.normalize("NFKC", folded))


class _Table(dict[int, str]):
    """Filled as characters are met: most texts use a few thousand of the 150,000."""

    def __missing__(self, code: int) -> str:
        folded = self[code] = _fold(chr(code))
        return folded


_TABLE = _Table()


def fold(text: str) -> str:
    """The folded text. `fold(a) + fold(b) == fold(a + b)`."""
    return text.translate(_TABLE)


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text and, for each of its characters, the original character that it comes from."""

    text: str
    origin: list[int] | range

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The original span of the folded characters [start, end), which must not be empty."""
        return self.origin[start], self.origin[end - 1] + 1


def fold_with_origin(text: str) -> Folded:
    folded = fold(text)
    if len(folded) == len(text):
        # As good as always one for one; a text where growth and loss cancel out must not pass for it.
        lengths = [len(_TABLE[ord(char)]) for char in set(text)]
        if all(length == 1 for length in lengths):
            return Folded(folded, range(len(text)))
    origin = [place for place, char in enumerate(text) for _ in _TABLE[ord(char)]]
    return Folded(folded, origin)
