"""Files inside a PDF: those embedded in the document and those pinned to its pages."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from ingest.readers.base import Member
from ingest.readers.member_names import MemberNames

_MOST_MEMBERS = 1000
_UTF_16_MARK = ("þÿ", "ÿþ")
_MOST_PINNED = 2000
"""Annotations of a page that are looked at."""


def members_of(document: Any, pinned: Sequence[int], most_bytes: int) -> tuple[Member, ...]:
    """document: a pypdfium2.PdfDocument. pinned: indices of the pages that have files pinned to them.
    most_bytes: of all of them together.

    A file that cannot be taken out, or that goes over the limit, is named with the reason.
    """
    import pypdfium2

    raw = pypdfium2.raw
    names = MemberNames()
    found: list[Member] = []
    left = most_bytes
    for attachment in islice(_attachments(raw, document, pinned), _MOST_MEMBERS):
        name = names.unique(_name(raw, attachment))
        size = ctypes.c_ulong()
        # Without a buffer it says how large the file is.
        readable = raw.FPDFAttachment_GetFile(attachment, None, 0, size)
        if size.value > left:
            found.append(Member(name, b"", f"more than {most_bytes >> 20} MiB unpacked"))
            continue
        data = (ctypes.c_char * size.value)()
        if not readable or not raw.FPDFAttachment_GetFile(attachment, data, size.value, size):
            found.append(Member(name, b"", "damaged: it cannot be taken out of the PDF"))
            continue
        left -= len(data)
        found.append(Member(name, bytes(data)))
    return tuple(found)


def _attachments(raw: Any, document: Any, pinned: Sequence[int]) -> Iterator[Any]:
    for number in range(raw.FPDFDoc_GetAttachmentCount(document)):
        attachment = raw.FPDFDoc_GetAttachment(document, number)
        if attachment:
            yield attachment
    for index in pinned:
        page = raw.FPDF_LoadPage(document, index)
        if not page:
            continue
        try:
            for number in range(min(raw.FPDFPage_GetAnnotCount(page), _MOST_PINNED)):
                annotation = raw.FPDFPage_GetAnnot(page, number)
                if not annotation:
                    continue
                try:
                    if raw.FPDFAnnot_GetSubtype(annotation) == raw.FPDF_ANNOT_FILEATTACHMENT:
                        attachment = raw.FPDFAnnot_GetFileAttachment(annotation)
                        if attachment:
                            yield attachment
                finally:
                    raw.FPDFPage_CloseAnnot(annotation)
        finally:
            raw.FPDF_ClosePage(page)


def _name(raw: Any, attachment: Any) -> str:
    length = raw.FPDFAttachment_GetName(attachment, None, 0)
    if length <= 2:
        return "unnamed"
    buffer = ctypes.create_string_buffer(length)
    raw.FPDFAttachment_GetName(attachment, ctypes.cast(buffer, ctypes.POINTER(raw.FPDF_WCHAR)), length)
    return _twice_encoded(buffer.raw[: length - 2].decode("utf-16-le", "replace"))


def _twice_encoded(name: str) -> str:
    """Some programs write UTF-16 with its mark as if it were a name in the PDF's own one-byte letters."""
    if name.startswith(_UTF_16_MARK):
        try:
            return name.encode("latin-1").decode("utf-16")
        except UnicodeError:
            return name
    return name
