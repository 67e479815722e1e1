"""Layers of a PDF that nobody sees unless he switches them on: their words are kept apart from the page's.

pdfium draws them as they are set, but gives the text of all. So the file is written twice more: without what
is hidden, and with no other words than these. Both are then read like any other file.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ingest.readers.pdf_structure import mentions, opened

_MOST_BYTES = 3 << 20
"""Of the drawing operations of a page; a larger one is left as it is."""
_DEEPEST = 12
_TEXT = frozenset({b"Tj", b"TJ", b"'", b'"'})
_NEXT_LINE = frozenset({b"'", b'"'})
_FLOWS = (b"BDC", b"BMC")


@dataclass(frozen=True, slots=True)
class Layers:
    """shown: the file without what is hidden. hidden: with the words of hidden layers only. names: of these
    layers, by the index of the page on which they hold words."""

    shown: bytes
    hidden: bytes
    names: dict[int, list[str]]


def layers_of(data: bytes, passwords: Sequence[str]) -> Layers | None:
    """None if the file hides nothing, or if that cannot be told."""
    if not mentions(data, b"/OCProperties"):
        return None
    reader = opened(data, passwords)
    if reader is None:
        return None
    try:
        if not _hidden_groups(_object(reader.root_object.get("/OCProperties"))):
            return None
        names: dict[int, list[str]] = {}
        shown = _written(reader, names, words_of_hidden=False)
        if not names:
            return None
        return Layers(shown, _written(reader, {}, words_of_hidden=True), names)
    except Exception:  # noqa: BLE001 - whatever a damaged file makes of pypdf; it is read as it is
        return None


def _hidden_groups(properties: Any) -> dict[int, str]:
    """Number of the object → name of each layer that is off when the file is opened."""
    if not isinstance(properties, dict):
        return {}
    groups = {
        group.idnum: _object(group)
        for group in _object(properties.get("/OCGs")) or ()
        if hasattr(group, "idnum")
    }
    settings = _object(properties.get("/D")) or {}
    on, off = (
        {group.idnum for group in _object(settings.get(key)) or () if hasattr(group, "idnum")}
        for key in ("/ON", "/OFF")
    )
    hidden = {number for number in groups if settings.get("/BaseState") == "/OFF" and number not in on} | off
    for rule in _object(settings.get("/AS")) or ():
        automatic = _object(rule)
        if automatic.get("/Event") == "/View":
            for group in _object(automatic.get("/OCGs")) or ():
                usage = _object((_object(group) or {}).get("/Usage")) or {}
                state = (_object(usage.get("/View")) or {}).get("/ViewState")
                if state == "/OFF":
                    hidden.add(group.idnum)
                elif state == "/ON":
                    hidden.discard(group.idnum)
    return {number: str(_object(groups[number].get("/Name")) or "") for number in hidden if number in groups}


class _Sight:
    """Which contents are hidden, and the names of the layers that hide them."""

    def __init__(self, off: dict[int, str]) -> None:
        self._off = off
        self.names: dict[str, None] = {}
        self.hidden = 0  # contents

    def hides(self, membership: Any) -> bool:
        """membership: a layer, or a rule over several of them."""
        if getattr(membership, "idnum", None) in self._off:
            self.names.setdefault(self._off[membership.idnum])
            self.hidden += 1
            return True
        rule = _object(membership)
        if not isinstance(rule, dict) or rule.get("/Type") != "/OCMD":
            return False
        raw = _entry(rule, "/OCGs")
        members = raw if isinstance(_object(raw), dict) else _object(raw)
        groups = list(members) if isinstance(members, list) else [members]
        off = [getattr(group, "idnum", None) in self._off for group in groups]
        if not off:
            return False
        policy = rule.get("/P", "/AnyOn")
        hidden = {
            "/AllOn": any(off),
            "/AnyOff": not any(off),
            "/AllOff": not all(off),
        }.get(policy, all(off))
        if hidden:
            self.hidden += 1
            for group in groups:
                if getattr(group, "idnum", None) in self._off:
                    self.names.setdefault(self._off[group.idnum])
        return hidden


def _written(reader: Any, names: dict[int, list[str]], *, words_of_hidden: bool) -> bytes:
    """The file with a part of its content. names: takes up the layers of each page that is not whole."""
    from pypdf import PdfWriter
    from pypdf.generic import ContentStream, NameObject

    writer = PdfWriter(clone_from=reader)
    off = _hidden_groups(_object(writer.root_object.get("/OCProperties")))
    done: set[int] = set()
    for index, page in enumerate(writer.pages):
        sight = _Sight(off)
        content = page.get_contents()
        if content is not None and len(content.get_data()) <= _MOST_BYTES:
            resources = _object(page.get("/Resources")) or {}
            kept = _kept(content.operations, resources, sight, writer, done, 0, words_of_hidden)
            if sight.hidden or words_of_hidden:
                changed = ContentStream(None, writer)
                changed.operations = kept
                page[NameObject("/Contents")] = writer._add_object(changed)
        if words_of_hidden:
            page.pop("/Annots", None)
        if sight.hidden:
            names[index] = [name for name in sight.names if name]
    buffer = io.BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def _kept(
    operations: Iterable[tuple[Any, bytes]],
    resources: Any,
    sight: _Sight,
    writer: Any,
    done: set[int],
    depth: int,
    words_of_hidden: bool,
) -> list[tuple[Any, bytes]]:
    properties = _object(resources.get("/Properties")) or {}
    objects = _object(resources.get("/XObject")) or {}
    nested: list[bool] = []
    kept: list[tuple[Any, bytes]] = []
    for operands, operator in operations:
        if operator in _FLOWS:
            nested.append(
                operator == b"BDC"
                and len(operands) > 1
                and operands[0] == "/OC"
                and operands[1] in properties
                and sight.hides(_entry(properties, operands[1]))
            )
        hidden = any(nested)
        if operator == b"EMC" and nested:
            nested.pop()
        if operator == b"Do" and operands and operands[0] in objects:
            drawn = _entry(objects, operands[0])
            form = _object(drawn)
            if not hidden and "/OC" in form and sight.hides(_entry(form, "/OC")):
                hidden = True
            elif not hidden and form.get("/Subtype") == "/Form":
                _rewrite(drawn, sight, writer, done, depth + 1, words_of_hidden)
                kept.append((operands, operator))
                continue
        if operator in _TEXT or operator in (b"Do", b"INLINE IMAGE"):
            if hidden == words_of_hidden and (operator != b"INLINE IMAGE" or not words_of_hidden):
                kept.append((operands, operator))
            elif operator in _NEXT_LINE:
                kept.append(([], b"T*"))
        else:
            kept.append((operands, operator))
    return kept


def _rewrite(
    reference: Any, sight: _Sight, writer: Any, done: set[int], depth: int, words_of_hidden: bool
) -> None:
    """The same for a part of a page that is drawn by its name; once, however often it is drawn."""
    from pypdf.generic import ContentStream

    form = _object(reference)
    number = getattr(reference, "idnum", id(form))
    if number in done or depth > _DEEPEST:
        return
    done.add(number)
    before = sight.hidden
    content = ContentStream(form, writer)
    resources = _object(form.get("/Resources")) or {}
    kept = _kept(content.operations, resources, sight, writer, done, depth, words_of_hidden)
    if sight.hidden > before or words_of_hidden:
        content.operations = kept
        form.set_data(content.get_data())


def _entry(dictionary: Any, name: Any) -> Any:
    """What a dictionary holds under a name, a reference where it is one; [] where it is nothing."""
    return dictionary.raw_get(name) if name in dictionary else []


def _object(value: Any) -> Any:
    return value.get_object() if hasattr(value, "get_object") else value
