"""Line ends that pdfium does not see or loses: before a line that begins with a word of one character, as the
rows of numbered tables do, and in text that is set on its side.
"""

from __future__ import annotations

import ctypes
import math
import re
from collections import Counter
from typing import Any

_LONE = re.compile(r"(?<=\S) (?=\S(?:\s|\Z))")
_LOOKED_AT = 24
"""Characters of a page whose direction is asked for."""
_MOSTLY = 0.8
_DOWN, _UP = 1, 3
"""Quarters of a turn as pdfium counts them: clockwise, from letters that stand upright."""

_Box = tuple[float, float, float, float]


def with_line_ends(raw: Any, textpage: Any, text: str) -> str:
    """The text of a page, with "\\n" for each blank that stands for the end of a line.

    raw: pypdfium2.raw. text: one character for each that pdfium counts, else it is returned as it is.
    """
    if len(text) != textpage.count_chars():
        return text
    out: list[str] | None = None
    for blank in _LONE.finditer(text):
        before, after = _box(raw, textpage, blank.start() - 1), _box(raw, textpage, blank.end())
        # Below it and further left. What stands raised or lowered goes on to the right.
        if before and after and after[3] <= before[1] and after[0] < before[0]:
            out = out or list(text)
            out[blank.start()] = "\n"
    return text if out is None else "".join(out)


def on_its_side(raw: Any, textpage: Any, text: str) -> str | None:
    """The text of a page that is nearly all set upwards or downwards, line by line; None if it is not.

    pdfium has the lines of such a page from left to right; those that run downwards follow each other from
    right to left. (`get_text_bounded` even joins them.)
    """
    turns = _turns(raw, textpage, text)
    if not turns or turns[_DOWN] + turns[_UP] < _MOSTLY * turns.total():
        return None
    lines = [line for line in re.finditer(r"[^\r\n]+", text) if line.group().strip()]
    edges = [_box(raw, textpage, line.start()) for line in lines]
    places = [edge[0] if edge else 0.0 for edge in edges]
    wrong_way = places[0] < places[-1] if turns[_DOWN] > turns[_UP] else places[0] > places[-1]
    return "\n".join(line.group() for line in (reversed(lines) if wrong_way else lines))


def lies_across(raw: Any, textpage: Any, text: str) -> bool:
    """Whether the letters of a page stand upright on a sheet that is shown turned by a quarter.

    pdfium orders lines by how they are shown, and those that are shown downwards the wrong way round.
    """
    turns = _turns(raw, textpage, text)
    return bool(turns) and turns[_DOWN] + turns[_UP] < (1 - _MOSTLY) * turns.total()


def _turns(raw: Any, textpage: Any, text: str) -> Counter[int]:
    """How some letters of a page are turned; none where pdfium counts other characters than it gives."""
    count = textpage.count_chars()
    if not count or len(text) != count:
        return Counter()
    step = max(1, count // _LOOKED_AT)
    return Counter(_turn(raw, textpage, place) for place in range(0, count, step) if text[place].strip())


def _turn(raw: Any, textpage: Any, place: int) -> int:
    """Quarters of a full turn."""
    angle = raw.FPDFText_GetCharAngle(textpage, place)
    return 0 if angle < 0 else round(angle / (math.pi / 2)) % 4


def _box(raw: Any, textpage: Any, place: int) -> _Box | None:
    """Left, bottom, right, top in points."""
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    if not raw.FPDFText_GetCharBox(textpage, place, left, right, bottom, top):
        return None
    return left.value, bottom.value, right.value, top.value
