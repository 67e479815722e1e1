"""The two libraries that open PDFs, behind one face.

pdfium is about ten times as fast and finds more of the text of Chinese fonts; pypdf opens some damaged
files that pdfium refuses and knows the names of glyphs where a font hides its characters.
"""

from __future__ import annotations

import contextlib
import ctypes
import io
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ingest.errors import Skipped, Unreadable

_LOCKED = "locked: it needs a password"
_ANNOTATION_NOTE, _ANNOTATION_FREE_TEXT, _ANNOTATION_FIELD = 1, 3, 20
_MOST_ANNOTATIONS = 2000
_GLYPH_RUN = re.compile(r"/[CcGg](\d{1,3})(?!\d)")


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """An entry of the outline: level from 1, page index from 0 (None if it leads nowhere)."""

    level: int
    title: str
    page: int | None


class Pdfium:
    """Raises Skipped when no password fits and Unreadable when pdfium cannot open the file."""

    def __init__(self, data: bytes, passwords: Sequence[str]) -> None:
        import pypdfium2

        self._raw = pypdfium2.raw
        self._error = pypdfium2.PdfiumError
        for password in (None, *passwords):
            try:
                self._document = pypdfium2.PdfDocument(data, password=password)
                break
            except pypdfium2.PdfiumError as error:
                if "assword" not in str(error):
                    raise Unreadable(f"damaged PDF: {_reason(error)}") from error
        else:
            raise Skipped(_LOCKED, fix="Give it with --password.")
        self.pages = len(self._document)

    def text(self, index: int) -> str | None:
        """The page's text in reading order, None if the page cannot be loaded."""
        try:
            page = self._document[index]
        except self._error:
            return None
        try:
            textpage = page.get_textpage()
            try:
                text = str(textpage.get_text_bounded())
            finally:
                textpage.close()
            extra = self._annotations(page, notes=bool(text.strip()))
            return f"{text}\n{extra}" if extra else text
        except self._error:
            return None
        finally:
            page.close()

    def label(self, index: int) -> str | None:
        try:
            return self._document.get_page_label(index) or None
        except self._error:
            return None

    def title(self) -> str | None:
        return self._document.get_metadata_value("Title") or None

    def outline(self) -> list[OutlineEntry]:
        entries = []
        with contextlib.suppress(self._error):
            for bookmark in self._document.get_toc(max_depth=12):
                target = bookmark.get_dest()
                page = target.get_index() if target else None
                entries.append(OutlineEntry(bookmark.level + 1, bookmark.get_title() or "", page))
        return entries

    def close(self) -> None:
        self._document.close()

    def _annotations(self, page: Any, notes: bool) -> str:
        """What readers see on the page though it is not in its content: fields filled in, free text.

        notes: with what was pinned to it, too, which must not make a scan look like a page of text.
        """
        raw = self._raw
        lines = []
        for number in range(min(raw.FPDFPage_GetAnnotCount(page), _MOST_ANNOTATIONS)):
            annotation = raw.FPDFPage_GetAnnot(page, number)
            if not annotation:
                continue
            try:
                kind = raw.FPDFAnnot_GetSubtype(annotation)
                if kind == _ANNOTATION_FREE_TEXT or (notes and kind == _ANNOTATION_NOTE):
                    lines.append(self._value(annotation, b"Contents"))
                elif kind == _ANNOTATION_FIELD:
                    value = self._value(annotation, b"V")
                    if value and value != "Off":
                        lines.append(f"{self._value(annotation, b'T') or 'field'}: {value}")
            finally:
                raw.FPDFPage_CloseAnnot(annotation)
        return "\n".join(line for line in lines if line.strip())

    def _value(self, annotation: Any, key: bytes) -> str:
        length = self._raw.FPDFAnnot_GetStringValue(annotation, key, None, 0)
        if length <= 2:
            return ""
        buffer = ctypes.create_string_buffer(length)
        self._raw.FPDFAnnot_GetStringValue(
            annotation, key, ctypes.cast(buffer, ctypes.POINTER(self._raw.FPDF_WCHAR)), length
        )
        return buffer.raw[: length - 2].decode("utf-16-le", "replace")


class Pypdf:
    """The same face, slower. Raises Skipped or Unreadable when it cannot open the file."""

    def __init__(self, data: bytes, passwords: Sequence[str]) -> None:
        import pypdf
        from pypdf.errors import PyPdfError

        # It reports what it repairs; only what it cannot repair is of interest here.
        logging.getLogger("pypdf").setLevel(logging.CRITICAL)
        self._failures = (
            PyPdfError,
            ValueError,
            TypeError,
            KeyError,
            IndexError,
            AttributeError,
            NotImplementedError,
            RecursionError,
            OverflowError,
            AssertionError,
        )
        try:
            self._reader = pypdf.PdfReader(io.BytesIO(data), strict=False)
            if self._reader.is_encrypted and not any(
                self._reader.decrypt(password) for password in ("", *passwords)
            ):
                raise Skipped(_LOCKED, fix="Give it with --password.")
            self.pages = len(self._reader.pages)
        except self._failures as error:
            raise Unreadable(f"damaged PDF: {_reason(error)}") from error

    def text(self, index: int) -> str | None:
        try:
            return letters_from_glyph_names(self._reader.pages[index].extract_text())
        except self._failures:
            return None

    def label(self, index: int) -> str | None:
        return None

    def title(self) -> str | None:
        try:
            return self._reader.metadata.title if self._reader.metadata else None
        except self._failures:
            return None

    def outline(self) -> list[OutlineEntry]:
        return []

    def close(self) -> None:
        self._reader.close()


def letters_from_glyph_names(text: str) -> str:
    """Characters for glyphs that are named by their number ("/C67/C117" → "Cu").

    Some old converters named every glyph by its code in Latin-1; pypdf passes such names on. Texts
    where they are not the rule are left alone.
    """
    marks = _GLYPH_RUN.findall(text)
    if len(marks) < 20 or sum(len(mark) + 2 for mark in marks) < len(text) * 0.6:
        return text
    return _GLYPH_RUN.sub(
        lambda match: (
            bytes([int(match.group(1))]).decode("cp1252", "replace")
            if 32 <= int(match.group(1)) <= 255
            else " "
        ),
        text,
    )


def _reason(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return text[:200] or type(error).__name__
