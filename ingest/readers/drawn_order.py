"""In which order a reader takes the boxes of a slide, told by where they stand.

Programs keep them in the order in which they were drawn, which often is the order of reading, too: then it
is kept. Where it contradicts the places (a box drawn late that stands above or left of earlier ones), the
slide is cut at the gaps between boxes, the wider ones first: into bands, then columns, then bands again. So
the name above a text stays with it, and cards are read row by row. What stands inside a box follows it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

Box = tuple[float, float, float, float]
"""Left, top, right, bottom; tops grow downwards."""

_TOUCH = 0.1
"""Share of their size by which boxes may reach over their neighbours: frames are larger than their text."""
_BESIDE = 0.5
"""Share of the smaller one by which two boxes must overlap to stand under or beside each other."""
_INSIDE = 0.85
_BANDS_FIRST = 0.75
"""Bands are cut before columns unless their gaps are smaller than this share of those between columns: then
what stands under each other belongs together."""
_AS_WIDE = 0.5
"""Gaps of this share of the widest one are cut with it."""
_MOST = 400
"""Boxes of a slide that are compared with each other."""


@dataclass(slots=True)
class _Unit:
    """A box, its number among all, and what stands inside it or has no place of its own."""

    number: int
    box: Box
    inner: list[_Unit] = field(default_factory=list)
    followers: list[int] = field(default_factory=list)


def reading_order(
    boxes: Sequence[Box | None], blank: Sequence[int] = (), *, from_right: bool = False
) -> list[int]:
    """The numbers of the boxes in order of reading; those in `blank` say nothing, may hold others, and are
    left out.

    None: a box whose place is not known stays behind the one drawn before it. from_right: columns are read
    from the right.
    """
    empty = frozenset(blank)
    units: list[_Unit] = []
    first: list[int] = []
    before = first
    for number, box in enumerate(boxes):
        if box is None:
            before.append(number)
            continue
        left, top, right, bottom = box
        units.append(_Unit(number, (-right, top, -left, bottom) if from_right else box))
        if number not in empty:
            before = units[-1].followers
    order = list(range(len(boxes)))
    if len(units) <= _MOST:
        units = _without_loose(units, empty)
        if _contradicted(units):
            order = [*first, *(number for unit in _sorted(_nested(units)) for number in _numbers(unit))]
    return [number for number in order if number not in empty]


def _numbers(unit: _Unit) -> list[int]:
    inner = [number for child in _sorted(unit.inner) for number in _numbers(child)]
    return [unit.number, *unit.followers, *inner]


def _without_loose(units: list[_Unit], blank: frozenset[int]) -> list[_Unit]:
    """Without boxes that say nothing, unless they hold others and cut none."""
    kept = []
    for unit in units:
        if unit.number in blank:
            others = [other for other in units if other is not unit and other.number not in blank]
            inside = sum(_inside(other.box, unit.box) for other in others)
            touched = sum(_overlap(other.box, unit.box) > 0 for other in others)
            if inside < 2 or touched > inside:
                continue
        kept.append(unit)
    return kept


def _nested(units: list[_Unit]) -> list[_Unit]:
    """Each unit inside the smallest one that holds it; returns the outer ones."""
    outer = []
    for unit in units:
        holding = [other for other in units if other is not unit and _inside(unit.box, other.box)]
        if holding:
            min(holding, key=lambda other: _area(other.box)).inner.append(unit)
        else:
            outer.append(unit)
    return outer


def _contradicted(units: Sequence[_Unit]) -> bool:
    """Whether some box stands above or left of one that was drawn before it."""
    return any(_precedes(later.box, earlier.box) for earlier, later in combinations(units, 2))


def _precedes(one: Box, other: Box) -> bool:
    """Whether `one` stands above `other`, or left of it on the same height."""
    beside = _shared(one[0], one[2], other[0], other[2])
    level = _shared(one[1], one[3], other[1], other[3])
    above = one[3] <= other[1] + _TOUCH * min(_height(one), _height(other))
    left = one[2] <= other[0] + _TOUCH * min(_width(one), _width(other))
    return (above and beside >= _BESIDE) or (left and level >= _BESIDE)


def _sorted(units: list[_Unit]) -> list[_Unit]:
    if len(units) < 2:
        return units
    bands, between_bands = _cut(units, 1)
    columns, between_columns = _cut(units, 0)
    if len(bands) < 2 and len(columns) < 2:
        return _one_by_one(units)
    names_and_values = len(columns) == 2 and len(bands) > 2
    bound = between_bands < _BANDS_FIRST * between_columns and not names_and_values
    steps = len(units) > 2 and len(columns) == len(units)  # of stairs, or left and right of a line
    parts = columns if len(bands) < 2 or (len(columns) > 1 and (bound or steps)) else bands
    return [unit for part in parts for unit in _sorted(part)]


def _cut(units: Sequence[_Unit], axis: int) -> tuple[list[list[_Unit]], float]:
    """The units in parts with gaps between them along an axis (0: columns, 1: bands), and the widest gap.

    Only gaps of about the widest one's size are cut; the narrower ones are for the next round.
    """
    ordered = sorted(units, key=lambda unit: unit.box[axis])
    gaps: list[float] = []
    reached = ordered[0].box[axis + 2]
    size = ordered[0].box[axis + 2] - ordered[0].box[axis]
    for unit in ordered[1:]:
        begin, end = unit.box[axis], unit.box[axis + 2]
        gap = begin - reached
        # Less than nothing: the frames touch, their texts do not.
        gaps.append(max(gap, 0.0) if gap >= -_TOUCH * min(size, end - begin) else -1.0)
        if end > reached:
            reached, size = end, end - begin
    widest = max(gaps)
    if widest < 0:
        return [list(units)], 0.0
    parts = [[ordered[0]]]
    for unit, gap in zip(ordered[1:], gaps, strict=True):
        if gap >= 0 and gap >= _AS_WIDE * widest:
            parts.append([])
        parts[-1].append(unit)
    return parts, widest


def _one_by_one(units: list[_Unit]) -> list[_Unit]:
    """Boxes between which no straight cut leads: always the highest of those that none precedes."""
    waiting = sorted(units, key=lambda unit: (unit.box[1], unit.box[0]))
    taken = []
    while waiting:
        free = (
            unit
            for unit in waiting
            if not any(_precedes(other.box, unit.box) for other in waiting if other is not unit)
        )
        following = next(free, waiting[0])
        waiting.remove(following)
        taken.append(following)
    return taken


def _inside(inner: Box, outer: Box) -> bool:
    return _area(outer) > _area(inner) and _overlap(inner, outer) >= _INSIDE * _area(inner) > 0


def _overlap(one: Box, other: Box) -> float:
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return width * height if width > 0 and height > 0 else 0.0


def _shared(begin: float, end: float, other_begin: float, other_end: float) -> float:
    """How much two stretches have in common, as a share of the shorter one."""
    shorter = min(end - begin, other_end - other_begin)
    common = min(end, other_end) - max(begin, other_begin)
    return common / shorter if shorter > 0 else float(common >= 0)


def _width(box: Box) -> float:
    return box[2] - box[0]


def _height(box: Box) -> float:
    return box[3] - box[1]


def _area(box: Box) -> float:
    return _width(box) * _height(box)
