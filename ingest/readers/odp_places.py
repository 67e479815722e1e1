"""Where the shapes of an OpenDocument slide or drawing stand, and their order of reading."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ingest.readers.docx_text import local
from ingest.readers.drawn_order import Box, reading_order
from ingest.readers.odf import attribute

_LENGTH = re.compile(r"(-?\d+(?:\.\d+)?)(cm|mm|in|pt|pc|px)")
_CENTIMETRES = {"cm": 1.0, "mm": 0.1, "in": 2.54, "pt": 2.54 / 72, "pc": 2.54 / 6, "px": 2.54 / 96}
_MOVED = re.compile(r"translate\s*\(\s*(\S+?)[\s,]+(\S+?)\s*\)")
_DEEPEST = 40


def in_order(shapes: Sequence[Any]) -> list[Any]:
    """The shapes of a page as they are read; those of its groups are put in order inside the groups."""
    for shape in shapes:
        _order_inside(shape, 0)
    return _ordered(shapes)


def _ordered(shapes: Sequence[Any]) -> list[Any]:
    blank = [number for number, shape in enumerate(shapes) if not _says_something(shape)]
    return [shapes[number] for number in reading_order([_box(shape, 0) for shape in shapes], blank)]


def _order_inside(group: Any, depth: int) -> None:
    if local(group) != "g" or depth >= _DEEPEST:
        return
    parts = [part for part in group if isinstance(part.tag, str)]
    for part in parts:
        _order_inside(part, depth + 1)
    for part in _ordered(parts):
        group.append(part)  # it moves; what says nothing stays before all others


def _box(shape: Any, depth: int) -> Box | None:
    if local(shape) == "g":
        if depth >= _DEEPEST:
            return None
        inner = [box for part in shape if (box := _box(part, depth + 1)) is not None]
        if not inner:
            return None
        lefts, tops, rights, bottoms = zip(*inner, strict=True)
        return min(lefts), min(tops), max(rights), max(bottoms)
    ends = [_length(attribute(shape, name)) for name in ("x1", "y1", "x2", "y2")]
    if None not in ends:
        x1, y1, x2, y2 = (end or 0.0 for end in ends)
        return min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)
    left, top = _length(attribute(shape, "x")), _length(attribute(shape, "y"))
    moved = _MOVED.search(attribute(shape, "transform"))
    if moved:
        left, top = _length(moved.group(1)), _length(moved.group(2))
    width, height = _length(attribute(shape, "width")), _length(attribute(shape, "height"))
    if left is None or top is None or width is None:
        return None
    # A text box may be as high as its text.
    return left, top, left + width, top + (height or _length(attribute(shape, "min-height")) or 0.0)


def _length(text: str) -> float | None:
    """Centimetres."""
    found = _LENGTH.fullmatch(text)
    return float(found.group(1)) * _CENTIMETRES[found.group(2)] if found else None


def _says_something(shape: Any) -> bool:
    return any(
        (part.text or "").strip() or (part.tail or "").strip()
        for part in shape.iter()
        if isinstance(part.tag, str)
    ) or any(local(part) in ("object", "table") for part in shape.iter())
