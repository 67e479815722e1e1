"""The shapes of a slide, and where they stand: by themselves, in their groups, or by the slide's layout."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ingest.errors import Unreadable
from ingest.readers.archive import Archive
from ingest.readers.docx_text import children, local
from ingest.readers.drawn_order import Box, reading_order

_SHAPES = frozenset({"sp", "graphicFrame", "cxnSp"})
_DEEPEST = 40
"""Groups inside groups whose places are looked at."""
_LIKE = {"ctrTitle": "title", "subTitle": "body", "obj": "body", "": "body"}
"""Kinds of placeholders that a master has under another name."""

Layout = Mapping[tuple[str, str], Box]
"""Places of placeholders by ("idx", number) and ("type", name)."""


class Places:
    """Where the layouts of a presentation put their placeholders, each read once."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._known: dict[str, Layout] = {}

    def of(self, related: Mapping[str, tuple[str, str]]) -> Layout:
        """related: the relations of a slide or a layout."""
        for kind, part in related.values():
            if kind in ("slideLayout", "slideMaster") and part in self._archive:
                if part not in self._known:
                    self._known[part] = {}  # one that names itself
                    self._known[part] = self._read(part)
                return self._known[part]
        return {}

    def _read(self, part: str) -> Layout:
        above = self.of(self._archive.related(part))
        found = {key: box for key, box in above.items() if key[0] == "type"}
        try:
            root = self._archive.xml(part)
        except Unreadable:
            return found
        for shape in shapes(root):
            kind = placeholder(shape)
            box = _own_box(shape) or (None if kind is None else _by_type(above, kind))
            if kind is not None and box is not None:
                found.setdefault(("idx", _index(shape)), box)
                found["type", kind] = box
        return found


def shapes_in_order(root: Any, layout: Layout, *, left_out: Callable[[Any], object]) -> list[Any]:
    """The shapes of a slide as they are read, those left out for which `left_out` is true."""
    for tree in root.iter():
        if local(tree) == "spTree":
            return _ordered(tree, layout, left_out, 0, from_right=_is_from_right(tree))
    return []


def shapes(root: Any) -> list[Any]:
    """Shapes with text or graphics in the order of the file, groups opened; without recursion."""
    found = []
    waiting = [element for element in root.iter() if local(element) == "spTree"][:1]
    while waiting:
        element = waiting.pop()
        name = local(element)
        if name in _SHAPES:
            found.append(element)
        elif name in ("spTree", "grpSp", "Choice"):
            waiting.extend(reversed(element))
        elif name == "AlternateContent":
            waiting.extend(_chosen(element))
    return found


def placeholder(shape: Any) -> str | None:
    """The type of a placeholder, "" for the general one; None for a shape that is none."""
    found = _placeholder_of(shape)
    return None if found is None else str(found.get("type", ""))


def _placeholder_of(shape: Any) -> Any:
    for element in shape.iter():
        if local(element) == "ph":
            return element
        if local(element) in ("txBody", "spPr"):
            break
    return None


def _index(shape: Any) -> str:
    return str(_placeholder_of(shape).get("idx", "0"))


def _chosen(alternatives: Any) -> list[Any]:
    choices = list(children(alternatives, "Choice"))
    return choices[:1] or list(alternatives)[:1]


def _ordered(
    container: Any, layout: Layout, left_out: Callable[[Any], object], depth: int, *, from_right: bool
) -> list[Any]:
    elements: list[Any] = []
    boxes: list[Box | None] = []
    blank: list[int] = []
    for element in _direct(container):
        if local(element) in _SHAPES and left_out(element):
            continue
        if local(element) == "pic" or (local(element) == "sp" and not _says_something(element)):
            blank.append(len(elements))
        elements.append(element)
        boxes.append(_box(element, layout, depth))
    flipped = from_right != _is_flipped(container)
    found: list[Any] = []
    for number in reading_order(boxes, blank, from_right=flipped):
        element = elements[number]
        if local(element) != "grpSp":
            found.append(element)
        elif depth < _DEEPEST:
            found += _ordered(element, layout, left_out, depth + 1, from_right=flipped)
        else:
            found += [shape for shape in _flat(element) if not left_out(shape)]
    return found


def _direct(container: Any) -> Iterator[Any]:
    """Shapes, pictures and groups of a group, as a program that knows all extensions shows them."""
    waiting = list(reversed(container))
    while waiting:
        element = waiting.pop()
        name = local(element)
        if name in _SHAPES or name in ("grpSp", "pic"):
            yield element
        elif name == "AlternateContent":
            waiting.extend(_chosen(element))
        elif name == "Choice":
            waiting.extend(reversed(element))


def _flat(group: Any) -> Iterator[Any]:
    waiting = [group]
    while waiting:
        element = waiting.pop()
        if local(element) in _SHAPES:
            yield element
        else:
            waiting.extend(reversed(list(_direct(element))))


def _box(element: Any, layout: Layout, depth: int) -> Box | None:
    own = _own_box(element)
    if own is not None:
        return own
    if local(element) == "grpSp":
        if depth >= _DEEPEST:
            return None
        inner = [box for part in _direct(element) if (box := _box(part, layout, depth + 1)) is not None]
        return _around(inner) if inner else None
    kind = placeholder(element)
    if kind is None:
        return None
    return layout.get(("idx", _index(element))) or _by_type(layout, kind)


def _by_type(layout: Layout, kind: str) -> Box | None:
    return layout.get(("type", kind)) or layout.get(("type", _LIKE.get(kind, kind)))


def _own_box(element: Any) -> Box | None:
    transform = _transform(element)
    if transform is None:
        return None
    values: dict[str, int] = {}
    for part in transform:
        if local(part) in ("off", "ext"):
            for key, value in part.attrib.items():
                if value.lstrip("-").isdigit() and len(value) < 16:
                    values[key] = int(value)
    if not {"x", "y", "cx", "cy"} <= values.keys():
        return None
    left, top, width, height = (values[key] for key in ("x", "y", "cx", "cy"))
    if _is_on_its_side(transform.get("rot", "0")):
        left, top = left + (width - height) // 2, top + (height - width) // 2
        width, height = height, width
    return left, top, left + width, top + height


def _transform(element: Any) -> Any:
    for part in element:
        if local(part) == "xfrm":
            return part
        if local(part) in ("spPr", "grpSpPr"):
            return next(children(part, "xfrm"), None)
    return None


def _is_on_its_side(rotation: str) -> bool:
    """rotation: in 60,000ths of a degree."""
    turned = int(rotation) // 60_000 % 180 if rotation.lstrip("-").isdigit() and len(rotation) < 12 else 0
    return 45 < turned < 135


def _is_flipped(container: Any) -> bool:
    transform = _transform(container)
    return transform is not None and transform.get("flipH") in ("1", "true")


def _around(boxes: list[Box]) -> Box:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _says_something(shape: Any) -> bool:
    return any(local(part) == "t" and (part.text or "").strip() for part in shape.iter())


def _is_from_right(tree: Any) -> bool:
    """Whether most paragraphs are of a script that is written from the right."""
    marks = [
        part.get("rtl") in ("1", "true")
        for paragraph in tree.iter()
        if local(paragraph) == "p" and any(local(run) in ("r", "fld") for run in paragraph)
        for part in (next(children(paragraph, "pPr"), paragraph),)
    ]
    return sum(marks) * 2 > len(marks)
