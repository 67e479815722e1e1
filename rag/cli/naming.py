"""Names as they are shown at a terminal."""

from __future__ import annotations

import unicodedata

_JOINERS = "\u200c\u200d"


def plain(text: str) -> str:
    """A file's name cannot steer the terminal: characters that print nothing, or turn what follows, are shown
    as escapes; blanks of any width and the joiners of emoji stay."""
    return "".join(map(_shown, text))


def _shown(character: str) -> str:
    if character.isprintable() or character in _JOINERS or unicodedata.category(character) == "Zs":
        return character
    return character.encode("unicode_escape").decode("ascii")
