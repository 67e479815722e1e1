"""The straight lines drawn on a PDF page, and the tables that they make."""

from __future__ import annotations

import ctypes
import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import Any

_MOST_PATHS = 2000
_MOST_SEGMENTS = 400
_MOST_LINES = 700
_STRAIGHT = 1.5
"""Points by which a line may lean."""
_TOUCH = 3.0
"""Points by which two lines may miss each other and still touch."""
_SHORTEST = 6.0
FEWEST = 2
"""Rows and columns of a table."""

Cell = tuple[int, int]
"""Row and column."""


@dataclass(frozen=True, slots=True)
class Stroke:
    """A straight line: across at a height from one x to another, or upright at an x."""

    across: bool
    at: float
    begin: float
    end: float


_Wall = tuple[tuple[float, float], ...]
"""From where to where lines are drawn at one height or place."""


@dataclass(frozen=True, slots=True)
class Grid:
    """The drawn lines of one table: heights from the top, places from the left, and the walls at each."""

    heights: tuple[float, ...]
    places: tuple[float, ...]
    across: tuple[_Wall, ...]
    upright: tuple[_Wall, ...]

    @classmethod
    def of(cls, heights: Sequence[float], places: Sequence[float], strokes: Sequence[Stroke]) -> Grid:
        def walls(ats: Sequence[float], *, across: bool) -> tuple[_Wall, ...]:
            return tuple(
                tuple(
                    (stroke.begin - _TOUCH, stroke.end + _TOUCH)
                    for stroke in strokes
                    if stroke.across == across and abs(stroke.at - at) <= _TOUCH
                )
                for at in ats
            )

        return cls(tuple(heights), tuple(places), walls(heights, across=True), walls(places, across=False))

    def reaches(self, y: float) -> bool:
        """Whether that height lies between its top and its bottom."""
        return self.heights[-1] <= y <= self.heights[0]

    def cell(self, x: float, y: float) -> tuple[Cell, float] | None:
        """Row and column of a point, of cells that are joined the first one, and the cell's width; None
        outside."""
        if not self.places[0] <= x <= self.places[-1] or not self.reaches(y):
            return None
        column = min(bisect_right(self.places, x), len(self.places) - 1) - 1
        row = min(bisect_right(self.heights, -y, key=lambda height: -height), len(self.heights) - 1) - 1
        end = column + 1
        while end < len(self.places) - 1 and not _stands(self.upright[end], y):
            end += 1
        while column > 0 and not _stands(self.upright[column], y):
            column -= 1
        while row > 0 and not _stands(self.across[row], x):
            row -= 1
        return (row, column), self.places[end] - self.places[column]


def _stands(wall: _Wall, where: float) -> bool:
    return any(begin <= where <= end for begin, end in wall)


def grids_of(strokes: Sequence[Stroke]) -> list[Grid]:
    """The tables that straight lines draw: what touches belongs together."""
    if len(strokes) > _MOST_LINES:
        return []
    across = [stroke for stroke in strokes if stroke.across]
    upright = [stroke for stroke in strokes if not stroke.across]
    group = list(range(len(strokes)))

    def root(number: int) -> int:
        while group[number] != number:
            group[number] = group[group[number]]
            number = group[number]
        return number

    for first, level in enumerate(across):
        for second, standing in enumerate(upright, start=len(across)):
            if (
                level.begin - _TOUCH <= standing.at <= level.end + _TOUCH
                and standing.begin - _TOUCH <= level.at <= standing.end + _TOUCH
            ):
                group[root(first)] = root(second)
    members: dict[int, list[Stroke]] = {}
    for number, stroke in enumerate([*across, *upright]):
        members.setdefault(root(number), []).append(stroke)
    grids = []
    loose: list[Stroke] = []
    for together in members.values():
        heights = _distinct(stroke.at for stroke in together if stroke.across)[::-1]
        places = _distinct(stroke.at for stroke in together if not stroke.across)
        if len(heights) > FEWEST and len(places) >= FEWEST:
            grids.append(Grid.of(heights, places, together))
        elif not places:
            loose += together
    return [*grids, *_bands(loose)]


def _bands(across: Sequence[Stroke]) -> Iterator[Grid]:
    """Rows between lines of the same length, with nothing between the columns."""
    whole: list[Stroke] = []
    for stroke in sorted(across, key=lambda stroke: (-stroke.at, stroke.begin)):
        if whole and abs(whole[-1].at - stroke.at) <= _STRAIGHT and stroke.begin - whole[-1].end <= _TOUCH:
            whole[-1] = replace(whole[-1], end=max(whole[-1].end, stroke.end))
        else:
            whole.append(stroke)
    alike: dict[tuple[int, int], list[Stroke]] = {}
    for stroke in whole:
        key = round(stroke.begin / _TOUCH), round(stroke.end / _TOUCH)
        alike.setdefault(key, []).append(stroke)
    for strokes in alike.values():
        heights = _distinct(stroke.at for stroke in strokes)[::-1]
        if len(heights) > FEWEST:
            places = strokes[0].begin, strokes[0].end
            yield Grid.of(heights, places, strokes)


def _distinct(values: Iterator[float]) -> list[float]:
    found: list[float] = []
    for value in sorted(values):
        if not found or value - found[-1] > _TOUCH:
            found.append(value)
    return found


def strokes_of(raw: Any, page: Any) -> Iterator[Stroke]:
    # Not page.get_objects: that makes an object of Python's of every run of letters on the page, too.
    every = (raw.FPDFPage_GetObject(page, number) for number in range(raw.FPDFPage_CountObjects(page)))
    paths = (item for item in every if raw.FPDFPageObj_GetType(item) == raw.FPDF_PAGEOBJ_PATH)
    for shape in islice(paths, _MOST_PATHS):
        segments = raw.FPDFPath_CountSegments(shape)
        if 2 <= segments <= _MOST_SEGMENTS:
            yield from _straight(_points(raw, shape, segments))


def _points(raw: Any, shape: Any, segments: int) -> Iterator[tuple[bool, float, float]]:
    """Whether a point begins a new line, and its place on the page. Curves are passed over."""
    matrix = raw.FS_MATRIX()
    raw.FPDFPageObj_GetMatrix(shape, matrix)
    x, y = ctypes.c_float(), ctypes.c_float()
    begin = 0.0, 0.0
    for number in range(segments):
        segment = raw.FPDFPath_GetPathSegment(shape, number)
        if not raw.FPDFPathSegment_GetPoint(segment, x, y):
            return
        place = (
            matrix.a * x.value + matrix.c * y.value + matrix.e,
            matrix.b * x.value + matrix.d * y.value + matrix.f,
        )
        kind = raw.FPDFPathSegment_GetType(segment)
        if kind == raw.FPDF_SEGMENT_MOVETO:
            begin = place
        yield kind != raw.FPDF_SEGMENT_LINETO, *place
        if raw.FPDFPathSegment_GetClose(segment):
            yield False, *begin


def _straight(points: Iterator[tuple[bool, float, float]]) -> Iterator[Stroke]:
    sides: list[Stroke] = []
    for (_, x1, y1), (apart, x2, y2) in pairwise(points):
        if apart or not all(map(math.isfinite, (x1, y1, x2, y2))):
            continue
        if abs(y1 - y2) <= _STRAIGHT and abs(x1 - x2) >= _SHORTEST:
            sides.append(Stroke(True, (y1 + y2) / 2, min(x1, x2), max(x1, x2)))
        elif abs(x1 - x2) <= _STRAIGHT and abs(y1 - y2) >= _SHORTEST:
            sides.append(Stroke(False, (x1 + x2) / 2, min(y1, y2), max(y1, y2)))
    yield from sides
