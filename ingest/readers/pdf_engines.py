"""pdfium, with which PDFs are read: what it knows of a document and its pages.

It is about ten times as fast as pypdf (`ingest.readers.pdf_second`) and finds more of the text of Chinese
fonts.
"""

from __future__ import annotations

import contextlib
import ctypes
import logging
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ingest.errors import Skipped, Unreadable
from ingest.readers.base import Member
from ingest.readers.pdf_annotations import annotation_lines
from ingest.readers.pdf_columns import in_reading_order
from ingest.readers.pdf_figures import Words
from ingest.readers.pdf_furniture import EDGE, SHORT
from ingest.readers.pdf_headings import OutlineEntry, StyledLine
from ingest.readers.pdf_lines import from_top, in_rows, main_turn, with_line_ends
from ingest.readers.pdf_members import members_of
from ingest.readers.pdf_pictures import drawn_for_reading, is_blank, is_reasonable, picture_share
from ingest.readers.pdf_places import LINE_END, Line, by_rows, words_of
from ingest.readers.pdf_raised import marked, raised_figures, renamed
from ingest.readers.pdf_ruled import in_cells
from ingest.readers.pdf_text import tidy
from ingest.readers.pdf_trust import unmapped_share
from ingest.readers.pdf_xfa import has_xfa, xfa_text

LOCKED = "locked: it needs a password"
PASSWORD_FIX = "Give it with --password."


@dataclass(slots=True)
class Extracted:
    """A page: text as set, in reading order; beside: form fields and annotations, line by line; words: where
    the words of lines stand that may belong to tables, by the line's text; heights: of its first and last
    lines, by their text, from 0 (the bottom of the page) to 1; unmapped: the part of its characters whose
    font does not tell what they are; rows: tidied lines that are whole rows of tables.
    """

    text: str
    beside: list[str] = field(default_factory=list)
    words: dict[str, Words] = field(default_factory=dict)
    heights: dict[str, float] = field(default_factory=dict)
    unmapped: float = 0.0
    rows: frozenset[str] = frozenset()


class Pdfium:
    """Raises Skipped when no password fits and Unreadable when pdfium cannot open the file."""

    def __init__(self, data: bytes, passwords: Sequence[str]) -> None:
        import pypdfium2

        # It warns of forms that it does not show, which are read here in another way.
        logging.getLogger("pypdfium2").setLevel(logging.CRITICAL)
        self._raw = pypdfium2.raw
        self._error = pypdfium2.PdfiumError
        for password in (None, *passwords):
            try:
                self._document = pypdfium2.PdfDocument(data, password=password)
                break
            except pypdfium2.PdfiumError as error:
                if "assword" not in str(error):
                    raise Unreadable(f"damaged PDF: {reason_of(error)}") from error
        else:
            raise Skipped(LOCKED, fix=PASSWORD_FIX)
        with contextlib.suppress(self._error):
            self._document.init_forms()
        self.pages = len(self._document)
        self._pinned: list[int] = []

    def text(self, index: int, styled: list[StyledLine] | None = None) -> Extracted | None:
        """A page, None if it cannot be loaded. styled: takes up its lines with their size and weight."""
        try:
            page = self._document[index]
        except self._error:
            return None
        rotation = page.get_rotation()
        try:
            textpage = page.get_textpage()
            try:
                counted = _counted(textpage)
                turn = main_turn(self._raw, textpage, counted) or 0
                upright = -90 * turn % 360
                if rotation != upright and counted:
                    page.set_rotation(upright)
                    textpage.close()
                    textpage = page.get_textpage()
                    counted = _counted(textpage)
                rows: frozenset[str] = frozenset()
                if turn % 2:
                    # Places of lines and columns are those of a sheet that lies on its side.
                    text, counted = counted, ""
                else:
                    seen = str(textpage.get_text_bounded())
                    same = seen == counted
                    if not same and "".join(seen.split()) == "".join(counted.split()):
                        seen = in_rows(self._raw, textpage, counted, seen)
                    counted = with_line_ends(self._raw, textpage, counted)
                    text = in_reading_order(self._raw, page, textpage, counted if same else seen)
                    if turn == 0:
                        text = from_top(self._raw, textpage, counted, text)
                        text = by_rows(self._raw, textpage, counted, text)
                        text, rows = in_cells(self._raw, page, textpage, counted, text)
                lines = list(self._lines(textpage, counted))
                words = words_of(self._raw, textpage, text, counted, lines)
                heights = {}
                if self.pages <= SHORT:
                    heights = self._heights(textpage, lines, page.get_size())
                raised = raised_figures(self._raw, textpage, counted) if turn == 0 else []
                if raised:
                    before = [tidy(line) for line in text.split("\n")]
                    text = marked(counted, raised, text)
                    after = [tidy(line) for line in text.split("\n")]
                    words, heights = renamed(words, before, after), renamed(heights, before, after)
                    rows = frozenset(renamed(dict.fromkeys(map(tidy, rows)), before, after))
                unmapped = unmapped_share(self._raw, textpage)
                if styled is not None:
                    styled.extend(self._styled(index, textpage, lines))
            finally:
                textpage.close()
            beside, pinned = annotation_lines(self._raw, page, self._forms, text)
            if pinned:
                self._pinned.append(index)
            return Extracted(text, beside, words, heights, unmapped, frozenset(map(tidy, rows)))
        except self._error:
            return None
        finally:
            if page.get_rotation() != rotation:
                page.set_rotation(rotation)
            page.close()

    def picture_share(self, index: int) -> float:
        """The part of a page that one picture covers."""
        with contextlib.suppress(self._error), contextlib.closing(self._document[index]) as page:
            return picture_share(page)
        return 0.0

    def drawn(self, index: int) -> Any:
        """The page as a PIL image to recognise its text in; None if nothing is to be seen on it."""
        with contextlib.suppress(self._error), contextlib.closing(self._document[index]) as page:
            return drawn_for_reading(page) if is_reasonable(page) and not is_blank(page) else None
        return None

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

    def members(self, most_bytes: int) -> tuple[Member, ...]:
        """The files inside it, in at most so many bytes. Those pinned to pages are known after `text`."""
        return members_of(self._document, self._pinned, most_bytes)

    def form(self) -> str | None:
        """What stands in a form that is XML and not part of the pages (XFA); None if there is none."""
        return xfa_text(self._document) if has_xfa(self._document) else None

    def close(self) -> None:
        self._document.close()

    @property
    def _forms(self) -> Any:
        return self._document.formenv

    def _styled(self, index: int, textpage: Any, lines: Sequence[Line]) -> Iterator[StyledLine]:
        """The lines of a page by the font of their first and last letter."""
        for line, position in lines:
            shown = line.strip()
            if shown:
                first = position + line.index(shown[0])
                size, bold = self._font(textpage, first)
                last = first + len(shown) - 1
                bold = bold and (last == first or self._font(textpage, last)[1])
                yield StyledLine(index, shown, size, bold)

    def _heights(self, textpage: Any, lines: Sequence[Line], size: tuple[float, float]) -> dict[str, float]:
        # What repeats at the top of slides are their titles.
        upright = size[1] > size[0]
        shown = [(line, position) for line, position in lines if line.strip()]
        found: dict[str, float] = {}
        left, right, bottom, top = (ctypes.c_double() for _ in range(4))
        for line, position in (*shown[:EDGE], *shown[-EDGE:]):
            first = position + len(line) - len(line.lstrip())
            if upright and self._raw.FPDFText_GetCharBox(textpage, first, left, right, bottom, top):
                found.setdefault(tidy(line), bottom.value / size[1])
        return found

    def _lines(self, textpage: Any, text: str) -> Iterator[Line]:
        """The lines of a page; none where pdfium counts other characters than it gives."""
        if len(text) != textpage.count_chars():
            return
        position = 0
        for end in LINE_END.finditer(text):
            yield text[position : end.start()], position
            position = end.end()
        yield text[position:], position

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


def _counted(textpage: Any) -> str:
    """The page's text, one character for each that pdfium counts (in nearly all files)."""
    return str(textpage.get_text_range()) if textpage.count_chars() else ""


def reason_of(error: BaseException) -> str:
    """What an error says, in one line of bounded length."""
    text = " ".join(str(error).split())
    return text[:200] or type(error).__name__
