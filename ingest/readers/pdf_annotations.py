"""What stands on a PDF page besides its content: fields filled in, and what readers wrote on it."""

from __future__ import annotations

import ctypes
import html
import re
from collections.abc import Iterator
from typing import Any

_MOST_ANNOTATIONS = 2000
_HIDDEN = 2 | 32
"""Flags of an annotation that no screen shows (hidden, no view)."""

_LINE = re.compile(r"<br\b[^<>]*>|</(?:p|div|li)\s*>", re.I)
_TAG = re.compile(r"<[^<>]*>")
_PASSWORD = 1 << 13
"""Flag of a text field that shows stars."""


def annotation_lines(raw: Any, page: Any, forms: Any, text: str) -> tuple[list[str], bool]:
    """The values of the page's form fields ("name: value") and the text of its annotations, in their order,
    and whether a file is pinned to the page.

    raw: pypdfium2.raw. forms: the document's form environment, None if it has no fields. text: the page's
    own text. Comments, unlike fields and free text, are left out of a page without text of its own, which
    they must not make look like one with text; so is what only repeats the page's words (highlights).
    """
    found: dict[str, None] = {}
    pinned = False
    count = raw.FPDFPage_GetAnnotCount(page)
    squeezed = "".join(text.split()) if count else ""
    for number in range(min(count, _MOST_ANNOTATIONS)):
        annotation = raw.FPDFPage_GetAnnot(page, number)
        if not annotation:
            continue
        try:
            kind = raw.FPDFAnnot_GetSubtype(annotation)
            pinned = pinned or kind == raw.FPDF_ANNOT_FILEATTACHMENT
            for line in _one(raw, annotation, kind, forms, bool(squeezed)):
                if line.strip() and "".join(line.split()) not in squeezed:
                    found.setdefault(line)
        finally:
            raw.FPDFPage_CloseAnnot(annotation)
    return list(found), pinned


def _one(raw: Any, annotation: Any, kind: int, forms: Any, comments: bool) -> Iterator[str]:
    if kind == raw.FPDF_ANNOT_LINK or raw.FPDFAnnot_GetFlags(annotation) & _HIDDEN:
        return
    if kind == raw.FPDF_ANNOT_WIDGET:
        yield from _field(raw, annotation, forms)
    elif kind == raw.FPDF_ANNOT_FREETEXT or (comments and kind != raw.FPDF_ANNOT_POPUP):
        text = _string(raw.FPDFAnnot_GetStringValue, annotation, b"Contents")
        yield text or _without_tags(_string(raw.FPDFAnnot_GetStringValue, annotation, b"RC"))


def _without_tags(rich: str) -> str:
    """The words of a note with fonts and colours, which is written as XHTML."""
    lines = _TAG.sub("", _LINE.sub("\n", rich)).splitlines()
    return html.unescape("\n".join(" ".join(line.split()) for line in lines if line.strip()))


def _field(raw: Any, annotation: Any, forms: Any) -> Iterator[str]:
    if forms is None:
        name, value = (_string(raw.FPDFAnnot_GetStringValue, annotation, key) for key in (b"T", b"V"))
    else:
        if raw.FPDFAnnot_GetFormFieldType(forms, annotation) == raw.FPDF_FORMFIELD_PUSHBUTTON:
            return
        if raw.FPDFAnnot_GetFormFieldFlags(forms, annotation) & _PASSWORD:
            return
        value = _string(raw.FPDFAnnot_GetFormFieldValue, forms, annotation)
        # What a screen reader says of a field is meant for people, its name seldom is.
        name = _string(raw.FPDFAnnot_GetFormFieldAlternateName, forms, annotation) or _string(
            raw.FPDFAnnot_GetFormFieldName, forms, annotation
        )
    if value.strip() and value != "Off":
        yield f"{' '.join(name.split()) or 'field'}: {value}"


def _string(function: Any, *arguments: Any) -> str:
    """A text that pdfium writes into a buffer: asked for its length first."""
    length = function(*arguments, None, 0)
    if length <= 2:
        return ""
    buffer = ctypes.create_string_buffer(length)
    wide = ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort))
    function(*arguments, wide, length)
    text = buffer.raw[: length - 2].decode("utf-16-le", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")
