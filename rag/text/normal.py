"""Comparing text with text: is this quotation really in that document, and where."""

from __future__ import annotations

import re
from functools import lru_cache

from rag.text.folding import Folded, fold, fold_with_origin
from rag.text.scripts import is_unspaced

_LINE_HYPHEN = re.compile(r"(?<=[^\W\d_])-[^\S\n]*\n\s*(?=[^\W\d_])")
_SPACE = re.compile(r"\s+")
_EDGES = " \t\r\n.,;:!?\"'·、…*_"


def normalise(text: str) -> str:
    """`text` for comparison: folded, words broken at line ends joined, white space as single spaces.

    White space beside a character of a script that is written without spaces is dropped, as line breaks
    and justification put it there. Lossy: "net-" at a line end before "zero" becomes "netzero".
    """
    joined = _LINE_HYPHEN.sub("", fold(text))
    pieces = _SPACE.sub(" ", joined).strip()
    return "".join(
        char
        for place, char in enumerate(pieces)
        if char != " " or not (is_unspaced(pieces[place - 1]) or is_unspaced(pieces[place + 1]))
    )


def find_quote(quote: str, text: str, *, whole_words: bool = True) -> tuple[int, int] | None:
    """Where `quote` stands in `text`: a span of `text` as it is, or None. The first place is returned.

    Compared after folding (full width, radicals, case, accents, kinds of dashes and quotation marks),
    without white space, and without hyphens between letters, so that "net-zero", "net-\\nzero" and
    "netzero" agree, as do "exam-\\nple" and "example". Punctuation at the ends of `quote` is ignored.
    With `whole_words` the place must not begin or end inside a word or a number: "718,780" is not found
    in "19,718,780", nor "net" in "internet".
    """
    needle = _compact(fold_with_origin(quote.strip(_EDGES))).text.strip(_EDGES)
    if not any(char.isalnum() for char in needle):
        return None
    folded = _folded(text)
    hay = _compact_cached(text)
    at = hay.text.find(needle)
    while at >= 0:
        first, last = hay.origin[at], hay.origin[at + len(needle) - 1]
        if not whole_words or (_begins(folded.text, first) and _ends(folded.text, last)):
            return folded.span(first, last + 1)
        at = hay.text.find(needle, at + 1)
    return None


@lru_cache(maxsize=64)
def _folded(text: str) -> Folded:
    return fold_with_origin(text)


@lru_cache(maxsize=64)
def _compact_cached(text: str) -> Folded:
    return _compact(_folded(text))


def _compact(folded: Folded) -> Folded:
    """Without white space and without hyphens between letters; origins are places in `folded.text`."""
    text = folded.text
    kept = [place for place, char in enumerate(text) if not char.isspace()]
    last = len(kept) - 1
    places = [
        place
        for i, place in enumerate(kept)
        if not (
            text[place] == "-"
            and 0 < i < last
            and text[kept[i - 1]].isalpha()
            and text[kept[i + 1]].isalpha()
        )
    ]
    return Folded("".join(text[place] for place in places), places)


def _begins(text: str, place: int) -> bool:
    return place == 0 or not _one_word(text[place - 1], text[place], text[max(0, place - 2) : place - 1])


def _ends(text: str, place: int) -> bool:
    if place + 1 >= len(text):
        return True
    return not _one_word(text[place + 1], text[place], text[place + 2 : place + 3])


def _one_word(outside: str, inside: str, beyond: str) -> bool:
    """Whether the character outside a span continues the word or number whose end is `inside`."""
    if inside.isdecimal():
        return outside.isdecimal() or (outside in ",." and beyond.isdecimal())
    if inside.isalpha() and not is_unspaced(inside):
        return outside.isalpha() and not is_unspaced(outside)
    return False
