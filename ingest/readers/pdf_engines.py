"""The two libraries that open PDFs, behind one face.

pdfium is about ten times as fast and finds more of the text of Chinese fonts; pypdf opens some damaged
files that pdfium refuses and knows the names of glyphs where a font hides its characters.
"""

from __future__ import annotations

import contextlib
import ctypes
import io
import logging
import math
import re
from collections.abc import Iterator, Sequence
from typing import Any

from ingest.errors import Skipped, Unreadable
from ingest.readers.pdf_headings import OutlineEntry, StyledLine

_LOCKED = "locked: it needs a password"
_ANNOTATION_NOTE, _ANNOTATION_FREE_TEXT, _ANNOTATION_FIELD = 1, 3, 20
_MOST_ANNOTATIONS = 2000
_GLYPH_RUN = re.compile(r"/[CcGg](\d{1,3})(?!\d)")


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

    def text(self, index: int, styled: list[StyledLine] | None = None) -> str | None:
        """The page's text in reading order, None if the page cannot be loaded.

        styled: takes up the page's lines with their size and weight.
        """
        try:
            page = self._document[index]
        except self._error:
            return None
        try:
            textpage = page.get_textpage()
            try:
                text = str(textpage.get_text_bounded())
                if styled is not None:
                    styled.extend(self._styled(index, textpage))
            finally:
                textpage.close()
            extra = self._annotations(page, notes=bool(text.strip()))
            return f"{text}\n{extra}" if extra else text
        except self._error:
            return None
        finally:
            page.close()

    def _styled(self, index: int, textpage: Any) -> Iterator[StyledLine]:
        """The lines of a page by the font of their first and last letter."""
        count = textpage.count_chars()
        text = textpage.get_text_range(0, count) if count else ""
        if len(text) != count:
            return  # Characters outside the text break the correspondence of places.
        position = 0
        for line in text.split("\r\n"):
            shown = line.strip()
            if shown:
                first = position + line.index(shown[0])
                size, bold = self._font(textpage, first)
                last = first + len(shown) - 1
                bold = bold and (last == first or self._font(textpage, last)[1])
                yield StyledLine(index, shown, size, bold)
            position += len(line) + 2

    def _font(self, textpage: Any, place: int) -> tuple[float, bool]:
        """Size of a character as it is seen, and whether its font is a bold one."""
        raw = self._raw
        matrix = raw.FS_MATRIX()
        size = raw.FPDFText_GetFontSize(textpage, place)
        if raw.FPDFText_GetMatrix(textpage, place, matrix):
            # Many programs set all text in size 1 and enlarge it.
            size *= math.hypot(matrix.c, matrix.d)
        name = ctypes.create_string_buffer(96)
        length = raw.FPDFText_GetFontInfo(textpage, place, name, 96, None)
        font = name.raw[: max(0, min(length, 96) - 1)].decode("ascii", "ignore").lower()
        return round(size, 1), any(word in font for word in ("bold", "black", "heavy", "semibold"))

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

    def text(self, index: int, styled: list[StyledLine] | None = None) -> str | None:
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
