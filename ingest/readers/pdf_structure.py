"""What of a PDF's own structure pdfium does not tell, asked of pypdf: fields that stand on no page.

pypdf is opened only for files that mention such things at all: it is slow.
"""

from __future__ import annotations

import io
import logging
import re
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

_MOST_FIELDS = 5000
_DEEPEST = 20
_PASSWORD = 1 << 13
_OBJECT_STREAM = re.compile(rb"/ObjStm\b")
_STREAM = re.compile(rb"stream\r?\n")
_MOST_INFLATED = 16 << 20
_NEAR = 400
"""Bytes between the type of an object stream and its beginning."""


def mentions(data: bytes, name: bytes) -> bool:
    """Whether a name stands in the file or in its streams of objects; True where these are encrypted."""
    if name in data:
        return True
    if not _OBJECT_STREAM.search(data):
        return False
    return b"/Encrypt" in data or any(name in part for part in _object_streams(data))


def opened(data: bytes, passwords: Sequence[str]) -> Any:
    """pypdf's reader; None if it cannot read the file."""
    import pypdf

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        reader = pypdf.PdfReader(io.BytesIO(data), strict=False)
        if reader.is_encrypted and not any(reader.decrypt(password) for password in ("", *passwords)):
            return None
        return reader if reader.root_object is not None else None
    except Exception:  # noqa: BLE001 - whatever a damaged file makes of it; pdfium has read the pages
        return None


def loose_fields(data: bytes, passwords: Sequence[str]) -> list[str]:
    """The values ("name: value") of form fields that no page shows, in the order of the form."""
    if not mentions(data, b"/AcroForm"):
        return []
    reader = opened(data, passwords)
    if reader is None:
        return []
    try:
        form = _object(reader.root_object.get("/AcroForm"))
        fields = _object(form.get("/Fields")) if isinstance(form, dict) else None
        if not isinstance(fields, list):
            return []
        shown = {
            annotation.idnum
            for page in reader.pages
            for annotation in _object(page.get("/Annots")) or ()
            if hasattr(annotation, "idnum")
        }
        return list(dict.fromkeys(_values(fields, shown)))
    except Exception:  # noqa: BLE001 - as above
        return []


def _values(fields: Sequence[Any], shown: set[int]) -> Iterator[str]:
    waiting: list[tuple[Any, str, Any, int, int]] = [(field, "", None, 0, 0) for field in reversed(fields)]
    seen: set[int] = set()
    while waiting and len(seen) < _MOST_FIELDS:
        reference, above, value, flags, depth = waiting.pop()
        number = getattr(reference, "idnum", -1)
        field = _object(reference)
        if number in seen or not isinstance(field, dict) or depth > _DEEPEST:
            continue
        seen.add(number if number >= 0 else -2 - len(seen))
        name = ".".join(filter(None, (above, _text(field.get("/T")))))
        value = field.get("/V", value)
        flags = field.get("/Ff", flags)
        kids = _object(field.get("/Kids"))
        if isinstance(kids, list) and kids:
            if any(getattr(kid, "idnum", -1) in shown for kid in kids):
                continue  # one of its boxes stands on a page
            waiting += [(kid, name, value, flags, depth + 1) for kid in reversed(kids)]
            if any("/T" in _object(kid) for kid in kids if isinstance(_object(kid), dict)):
                continue
        text = _text(_object(value))
        hidden = isinstance(flags, int) and flags & _PASSWORD
        if number not in shown and text and text != "Off" and not hidden:
            label = _text(field.get("/TU")) or name or "field"
            yield f"{label}: {text}"


def _object(value: Any) -> Any:
    return value.get_object() if hasattr(value, "get_object") else value


def _text(value: Any) -> str:
    value = _object(value)
    if isinstance(value, list):
        return ", ".join(filter(None, map(_text, value)))
    return " ".join(value.removeprefix("/").split()) if isinstance(value, str) else ""


def _object_streams(data: bytes) -> Iterator[bytes]:
    left = _MOST_INFLATED
    for mark in _OBJECT_STREAM.finditer(data):
        begin = _STREAM.search(data, mark.end(), mark.end() + _NEAR)
        if begin is None or left <= 0:
            continue
        try:
            part = zlib.decompressobj().decompress(data[begin.end() : begin.end() + left], left)
        except zlib.error:
            continue
        left -= len(part)
        yield part
