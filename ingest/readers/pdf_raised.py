"""Figures raised behind a figure: 10 and a raised 6 are not 106, nor is a value with the number of a note.

The text of a page does not tell how high a character stands; its place and size do.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

_TWO_FIGURES = re.compile(r"(?<=[0-9])[0-9]")
_FRACTION = re.compile(r"[0-9]{1,3}\s{0,2}[/\u2044]")
_SMALLER = 0.85
"""Size of the raised figure in sizes of the one before it, at most."""
_HIGHER = 0.15, 1.0
"""How much higher it stands, in the same measure."""

_Kept = TypeVar("_Kept")


def raised_figures(raw: Any, textpage: Any, counted: str) -> list[int]:
    """The places of figures that begin to be raised behind another. counted: one character for each that
    pdfium counts, else there are none."""
    if len(counted) != textpage.count_chars():
        return []
    return [
        match.start() for match in _TWO_FIGURES.finditer(counted) if _is_raised(raw, textpage, match.start())
    ]


def marked(counted: str, places: Sequence[int], text: str) -> str:
    """`text` with a mark before these figures. places: in `counted`, which has the same letters; else `text`
    is returned as it is."""
    if not places or _letters(text) != _letters(counted):
        return text
    numbers = {len("".join(counted[:place].split())) for place in places}
    positions = [place for place, character in enumerate(text) if not character.isspace()]
    out: list[str] = []
    begin = 0
    for number in sorted(numbers):
        place = positions[number]
        out += [text[begin:place], " " if _FRACTION.match(text, place) else "^"]
        begin = place
    return "".join([*out, text[begin:]])


def renamed(kept: Mapping[str, _Kept], before: Sequence[str], after: Sequence[str]) -> dict[str, _Kept]:
    """What is kept by lines, by the same lines with marks. before, after: the lines without and with them."""
    names = dict(zip(before, after, strict=True))
    return {names.get(line, line): value for line, value in kept.items()}


def _is_raised(raw: Any, textpage: Any, place: int) -> bool:
    size = raw.FPDFText_GetFontSize(textpage, place - 1)
    if size <= 0 or raw.FPDFText_GetFontSize(textpage, place) > _SMALLER * size:
        return False
    heights = []
    for one in (place - 1, place):
        x, y = ctypes.c_double(), ctypes.c_double()
        if not raw.FPDFText_GetCharOrigin(textpage, one, x, y):
            return False
        heights.append(y.value)
    return bool(_HIGHER[0] * size < heights[1] - heights[0] < _HIGHER[1] * size)


def _letters(text: str) -> str:
    """Without blanks, and with every mark of a hyphen as one."""
    return "".join(text.translate({0x02: "-", 0xFFFE: "-"}).split())
