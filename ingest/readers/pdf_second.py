"""pypdf, the second library: it opens some damaged files that pdfium refuses, and knows the names of glyphs
where a font hides its characters. About ten times slower, so it is asked for doubtful pages only.
"""

from __future__ import annotations

import io
import logging
import re
import time
from collections.abc import Sequence
from typing import Any

from ingest.errors import Skipped, Unreadable
from ingest.readers.base import Member
from ingest.readers.pdf_engines import LOCKED, PASSWORD_FIX, Extracted, reason_of
from ingest.readers.pdf_headings import OutlineEntry, StyledLine

_MOST_SECONDS = 45.0
"""For all pages of a document."""
_LONGEST_CONTENT = 3 << 20
"""Bytes of drawing operations on a page: it takes pypdf seconds for each million."""

_GLYPH_RUN = re.compile(r"/[CcGg](\d{1,3})(?!\d)")


class Pypdf:
    """The same face, slower. Raises Skipped or Unreadable when it cannot open the file."""

    def __init__(self, data: bytes, passwords: Sequence[str]) -> None:
        import pypdf
        from pypdf.errors import DependencyError, PyPdfError

        # It reports what it repairs; only what it cannot repair is of interest here.
        logging.getLogger("pypdf").setLevel(logging.CRITICAL)
        self._failures = (
            PyPdfError,
            DependencyError,
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
        self._spent = 0.0
        try:
            self._reader = pypdf.PdfReader(io.BytesIO(data), strict=False)
            if self._reader.is_encrypted and not any(
                self._reader.decrypt(password) for password in ("", *passwords)
            ):
                raise Skipped(LOCKED, fix=PASSWORD_FIX)
            self.pages = len(self._reader.pages)
        except self._failures as error:
            raise Unreadable(f"damaged PDF: {reason_of(error)}") from error

    def text(self, index: int, styled: list[StyledLine] | None = None) -> Extracted | None:
        """The page; None if it cannot be read, or not in a reasonable time."""
        if self._spent > _MOST_SECONDS:
            return None
        began = time.monotonic()
        try:
            if _content_length(self._reader.pages[index]) > _LONGEST_CONTENT:
                return None
            return Extracted(letters_from_glyph_names(self._reader.pages[index].extract_text()))
        except self._failures:
            return None
        finally:
            self._spent += time.monotonic() - began

    def picture_share(self, index: int) -> float:
        return 0.0

    def drawn(self, index: int) -> Any:
        """It draws no pages."""
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

    def members(self, most_bytes: int) -> tuple[Member, ...]:
        return ()

    def form(self) -> str | None:
        return None

    def close(self) -> None:
        self._reader.close()


def _content_length(page: Any) -> int:
    contents = page.get_contents()
    return 0 if contents is None else len(contents.get_data())


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
