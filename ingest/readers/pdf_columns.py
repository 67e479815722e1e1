"""Two columns that a program has set line by line across the page, put back into reading order.

pdfium gives text in the order in which it was drawn, which is the order of reading in nearly all files. Some
converters draw a page from top to bottom, so that each line goes on in the next column. Such stretches show
by their places: pairs of segments of text on one height, one after the other, under each other in even
distances on both sides of a gap. The rows of a table do not keep even distances and are narrower.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Any

_FEWEST_PAIRS = 8
_GAP = 8.0
"""Points between the columns, at least."""

_WIDTH = 0.22
"""Of a column, in widths of the page, at least."""

_MOST_RECTANGLES = 4
"""Pieces of text to a line: more have pages that are set letter by letter, for which it would take long."""
_EVEN = 0.85
"""Share of the lines that must keep the usual distance and begin at the column's edge."""


@dataclass(slots=True)
class Segment:
    """A piece of a line, in points from the page's lower left corner."""

    left: float
    bottom: float
    right: float
    top: float


@dataclass(frozen=True, slots=True)
class Stretch:
    """Where two columns lie between the heights `bottom` and `top`, parted at `gutter`."""

    bottom: float
    top: float
    gutter: float


def in_reading_order(raw: Any, page: Any, textpage: Any, text: str) -> str:
    """`text`, or the page's text with its interleaved columns one after the other.

    raw: pypdfium2.raw; page, textpage: its helpers' objects.
    """
    count = raw.FPDFText_CountRects(textpage, 0, -1)
    lines = text.count("\n") + 1
    if count < 2 * _FEWEST_PAIRS or not 1.3 * lines <= count <= _MOST_RECTANGLES * lines:
        return text
    width = page.get_width()
    found = list(stretches(segments(_rectangles(raw, textpage, count)), width))
    if not found:
        return text
    left, bottom, right, top = page.get_bbox()
    parts = []
    for stretch in found:
        parts.append(textpage.get_text_bounded(left, stretch.top, right, top))
        parts.append(textpage.get_text_bounded(left, stretch.bottom, stretch.gutter, stretch.top))
        parts.append(textpage.get_text_bounded(stretch.gutter, stretch.bottom, right, stretch.top))
        top = stretch.bottom
    parts.append(textpage.get_text_bounded(left, bottom, right, top))
    ordered = "\r\n".join(part.strip("\r\n") for part in parts if part.strip())
    # Whatever the places say, no word may get lost.
    return ordered if sorted("".join(ordered.split())) == sorted("".join(text.split())) else text


def segments(rectangles: Sequence[Segment]) -> list[Segment]:
    """Rectangles of text, in the order of drawing, joined where they touch on one line."""
    out: list[Segment] = []
    for one in rectangles:
        last = out[-1] if out else None
        if last and abs(last.bottom - one.bottom) < 3 and -2 < one.left - last.right < _GAP - 2:
            last.right = max(last.right, one.right)
            last.top, last.bottom = max(last.top, one.top), min(last.bottom, one.bottom)
        else:
            out.append(Segment(one.left, one.bottom, one.right, one.top))
    return out


def stretches(lines: Sequence[Segment], page_width: float) -> Iterator[Stretch]:
    """The stretches of interleaved columns among the segments of a page, from its top on."""
    place = 0
    reached = float("inf")
    while place + 1 < len(lines):
        pairs: list[tuple[Segment, Segment]] = []
        while place + 1 < len(lines) and _is_pair(lines[place], lines[place + 1], pairs, page_width):
            pairs.append((lines[place], lines[place + 1]))
            place += 2
        if len(pairs) >= _FEWEST_PAIRS and _is_prose(pairs, page_width):
            gutter = (max(left.right for left, _ in pairs) + min(right.left for _, right in pairs)) / 2
            pitch = median(a[0].bottom - b[0].bottom for a, b in pairwise(pairs))
            top, bottom = pairs[0][0].top, min(min(left.bottom, right.bottom) for left, right in pairs)
            # One column may be longer than the other.
            while place < len(lines) and _continues(lines[place], bottom, pitch, gutter):
                bottom = lines[place].bottom
                place += 1
            if top <= reached + pitch:
                yield Stretch(bottom - 1, top + 1, gutter)
                reached = bottom
        elif not pairs:
            place += 1


def _is_pair(
    left: Segment, right: Segment, before: Sequence[tuple[Segment, Segment]], page_width: float
) -> bool:
    if abs(left.bottom - right.bottom) > 2 or right.left - left.right < _GAP:
        return False
    if left.right - left.left > 0.55 * page_width or right.right - right.left > 0.55 * page_width:
        return False
    if not before:
        return True
    above_left, above_right = before[-1]
    below = above_left.bottom - left.bottom
    # The gap is one for all of them.
    one_gap = left.right < min(pair[1].left for pair in before) and right.left > max(
        pair[0].right for pair in before
    )
    return one_gap and 0 < below < 4 * (
        above_left.top - above_left.bottom + above_right.top - above_right.bottom
    )


def _is_prose(pairs: Sequence[tuple[Segment, Segment]], page_width: float) -> bool:
    pitches = [a[0].bottom - b[0].bottom for a, b in pairwise(pairs)]
    usual = median(pitches)
    even = sum(abs(pitch - usual) <= 0.1 * usual + 0.5 for pitch in pitches)
    if even < _EVEN * len(pitches):
        return False
    for side in (0, 1):
        column = [pair[side] for pair in pairs]
        if median(segment.right - segment.left for segment in column) < _WIDTH * page_width:
            return False
        edge = median(segment.left for segment in column)
        if sum(abs(segment.left - edge) <= 3 for segment in column) < 0.7 * len(column):
            return False
    return True


def _continues(line: Segment, bottom: float, pitch: float, gutter: float) -> bool:
    below = bottom - line.bottom
    return 0 < below < 1.5 * pitch and (line.right < gutter or line.left > gutter)


def _rectangles(raw: Any, textpage: Any, count: int) -> list[Segment]:
    left, top, right, bottom = (ctypes.c_double() for _ in range(4))
    found = []
    for number in range(count):
        raw.FPDFText_GetRect(textpage, number, left, top, right, bottom)
        found.append(Segment(left.value, bottom.value, right.value, top.value))
    return found
