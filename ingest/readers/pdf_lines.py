"""What pdfium makes of lone characters (it ends lines beside them, or does not where it should), put right by
their places; and which way up the letters of a page stand.
"""

from __future__ import annotations

import ctypes
import math
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

_LONE = re.compile(r"(?<=\S) (?=\S(?:\s|\Z))")
_LONE_END = re.compile(r"(?<=\S)\r\n(?=\S(?:\s|\Z))|(?:(?<=\s\S)|(?<=\A\S))\r\n(?=\S)")
_BLANK = 0.3
"""Gap between two words, in heights of their characters."""

_LOOKED_AT = 24
"""Characters of a page whose direction is asked for."""
_MOSTLY = 0.8
_FEWEST_LINES = 4
_RISING = 0.95
"""Share of the lines that must stand above the one before them."""

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


def in_rows(raw: Any, textpage: Any, counted: str, seen: str) -> str:
    """`seen`, the text of a page as pdfium gives it by its places, with lone characters as they stand.

    counted: the same letters, one character for each that pdfium counts. There a lone character (a figure of
    a table, a letter drawn by itself) stands on a line of its own; in `seen` it touches its neighbours
    or stands on a line of its own, too. What is on one height belongs to one row, apart if a blank fits.
    """
    if len(counted) != textpage.count_chars():
        return seen
    places = [place for place, character in enumerate(seen) if not character.isspace()]
    changes: list[tuple[int, int, str]] = []
    letters = done = 0
    for end in _LONE_END.finditer(counted):
        letters += sum(not character.isspace() for character in counted[done : end.start()])
        done = end.start()
        # Nothing but blanks differs, so the letters are the same ones.
        begin, behind = places[letters - 1] + 1, places[letters]
        if seen[begin:behind] not in ("", "\r\n"):
            continue
        before, after = _box(raw, textpage, end.start() - 1), _box(raw, textpage, end.end())
        if before and after and _on_one_height(before, after):
            changes.append((begin, behind, " " if _far(before, after) else ""))
    for begin, behind, between in reversed(changes):
        seen = seen[:begin] + between + seen[behind:]
    return seen


def from_top(raw: Any, textpage: Any, counted: str, text: str) -> str:
    """`text`, line by line backwards if the page was drawn from its foot to its head.

    counted, text: the same lines; counted has one character for each that pdfium counts.
    """
    lines = text.split("\n")
    if len(lines) < _FEWEST_LINES or len(counted) != textpage.count_chars():
        return text
    bottoms = _bottoms(raw, textpage, counted)
    first, last = next(bottoms, None), _bottom(raw, textpage, counted, counted.rfind("\n") + 1)
    if first is None or last is None or first >= last:
        return text  # as nearly every page
    heights = [first, *bottoms]
    rising = sum(above > below for below, above in pairwise(heights))
    if len(heights) < len(lines) or rising < _RISING * (len(heights) - 1):
        return text
    return "\n".join(line.rstrip("\r") for line in reversed(lines))


def _bottoms(raw: Any, textpage: Any, counted: str) -> Iterator[float]:
    """How high the first letter of each line stands."""
    for line in re.finditer(r"[^\n]+", counted):
        bottom = _bottom(raw, textpage, counted, line.start())
        if bottom is not None:
            yield bottom


def _bottom(raw: Any, textpage: Any, counted: str, start: int) -> float | None:
    letter = re.compile(r"\S").search(counted, start)
    box = _box(raw, textpage, letter.start()) if letter else None
    return box[1] if box else None


def _far(before: _Box, after: _Box) -> bool:
    """Whether there is a gap between the two as wide as a blank at least."""
    height = max(before[3] - before[1], after[3] - after[1])
    return max(after[0] - before[2], before[0] - after[2]) > _BLANK * height


def _on_one_height(one: _Box, other: _Box) -> bool:
    """Whether the middle of each lies between the other's bottom and top."""
    middles = (one[1] + one[3]) / 2, (other[1] + other[3]) / 2
    return other[1] <= middles[0] <= other[3] and one[1] <= middles[1] <= one[3]


def main_turn(raw: Any, textpage: Any, text: str) -> int | None:
    """How nearly all letters of a page are turned on the sheet, in quarters of a turn clockwise; None if they
    are turned in different ways, or where pdfium counts other characters than it gives.

    pdfium orders lines and words by how the page is shown. Only on a page on which the letters are shown
    upright is that the order of reading.
    """
    turns = _turns(raw, textpage, text)
    if not turns:
        return None
    turn, count = turns.most_common(1)[0]
    return turn if count >= _MOSTLY * turns.total() else None


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
