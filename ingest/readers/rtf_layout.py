"""Paragraphs, headings, tables and notes of an RTF text, as its control words build them up."""

from __future__ import annotations

from dataclasses import dataclass, field

from ingest.readers.blocks import Blocks, one_line
from ingest.readers.rtf_words import HEADING_STYLE

_LONGEST_HEADING = 200
_DEEPEST_HEADING = 9


@dataclass(slots=True)
class _Paragraph:
    style: int | None = None
    outline: int | None = None
    in_table: bool = False
    listed: bool = False


@dataclass(slots=True)
class _Rows:
    """The table under construction."""

    done: list[list[str]] = field(default_factory=list)
    cells: list[str] = field(default_factory=list)
    header: int = 0
    is_header: bool = False


class Layout:
    """Writes what is complete to its blocks. Texts are given when they end."""

    def __init__(self, blocks: Blocks) -> None:
        self.blocks = blocks
        self.paragraph = _Paragraph()
        self._rows = _Rows()
        self._styles: dict[int, int] = {}
        self._style_number: int | None = None
        self._beside: list[str] = []
        self._notes = 0

    def plain_paragraph(self) -> None:
        """What comes next has no properties of its own yet."""
        self.paragraph = _Paragraph()

    def style(self, number: int) -> None:
        """The paragraph has this style, or the list of styles describes it next."""
        self._style_number = number
        self.paragraph.style = number

    def outline(self, level: int, *, of_style: bool) -> None:
        """level: from 1. of_style: it belongs to the style that is being described."""
        if not of_style or self._style_number is None:
            self.paragraph.outline = level
        else:
            self._styles.setdefault(self._style_number, level)

    def name_style(self, name: str) -> None:
        """A style that is called a heading is one."""
        match = HEADING_STYLE.match(name)
        if match and self._style_number is not None:
            self._styles[self._style_number] = int(match.group(1))

    def begin_row(self) -> None:
        self._rows.is_header = False

    def row_is_header(self) -> None:
        self._rows.is_header = True

    def aside(self, kind: str, text: str) -> None:
        """kind: "footnote", "annotation", or "furniture" for headers and footers of pages."""
        if kind == "footnote":
            self._notes += 1
            text = f"Footnote {self._notes}: {text}"
        elif kind == "annotation":
            text = f"Comment: {text}"
        self._beside.append(text)

    def end_paragraph(self, text: str) -> None:
        paragraph = self.paragraph
        level = paragraph.outline or self._styles.get(paragraph.style if paragraph.style is not None else -1)
        if level and level <= _DEEPEST_HEADING and len(one_line(text)) <= _LONGEST_HEADING:
            self.blocks.heading(text, level)
        elif paragraph.listed:
            self.blocks.item(text)
        else:
            self.blocks.paragraph(text)
        paragraph.listed = False
        self.write_asides()

    def write_asides(self) -> None:
        """What was noted since the last time."""
        beside, self._beside = self._beside, []
        for note in beside:
            self.blocks.paragraph(note)

    def end_cell(self, text: str) -> None:
        self._rows.cells.append(one_line(text))

    def end_row(self) -> None:
        rows = self._rows
        rows.header += rows.is_header and rows.header == len(rows.done)
        rows.done.append(rows.cells)
        rows.cells = []

    def end_table(self) -> None:
        rows, self._rows = self._rows, _Rows()
        if rows.cells:
            rows.done.append(rows.cells)
        if rows.done:
            self.blocks.table(rows.done, rows.header or None)
