"""DOCX: the body in its order, then what stands beside it (notes, headers, comments), each once.

Word files have no pages of their own: where a page breaks depends on fonts and printer, so none is
claimed here.
"""

from __future__ import annotations

from typing import Any

from ingest.errors import ReadError, Unreadable
from ingest.readers.archive import Archive
from ingest.readers.base import Content, Source
from ingest.readers.blocks import Blocks, one_line
from ingest.readers.docx_numbering import Numbering
from ingest.readers.docx_styles import Styles
from ingest.readers.docx_text import Paragraph, children, is_container, local, paragraph_of, value
from ingest.readers.drawing_text import chart_of, diagram_of
from ingest.readers.embedded import Embedded
from ingest.readers.office_properties import title_of

_EMPTY_ARCHIVE = b"PK\x05\x06" + b"\0" * 18
_NOTES = {"footnotes": "Footnote", "endnotes": "Endnote"}


def read(source: Source) -> Content:
    archive = Archive(source.data, source.limits)
    main = archive.main_part(("word/document.xml",))
    parts = archive.related(main)
    body = _Body(archive, parts, source)
    root = archive.xml(main)
    for element in root:
        if local(element) == "body":
            body.blocks_of(element)
    body.beside()
    embedded = Embedded(archive)
    for part in sorted({part for _, part in parts.values()} | {main}):
        embedded.add(archive.related(part))
    return body.blocks.content(title_of(archive) or body.title, embedded.members())


def read_body(root: Any, source: Source) -> Content:
    """The body of a document that has no other parts (Word 2003 in one XML file)."""
    body = _Body(
        Archive(_EMPTY_ARCHIVE, source.limits), {}, source, styles=next(children(root, "styles"), None)
    )
    for element in root:
        if local(element) == "body":
            body.blocks_of(element)
    return body.blocks.content(body.title)


class _Body:
    """Turns elements into blocks, keeping count of list numbers and notes."""

    def __init__(
        self, archive: Archive, parts: dict[str, tuple[str, str]], source: Source, *, styles: Any = None
    ) -> None:
        by_kind = dict(reversed(parts.values()))
        self._archive = archive
        self._parts = parts
        self._source = source
        self._styles = Styles(self._part(by_kind, "styles") if styles is None else styles)
        self._numbering = Numbering(self._part(by_kind, "numbering"))
        self._notes = {kind: _notes(self._part(by_kind, kind)) for kind in _NOTES}
        self._noted: dict[str, list[str]] = {kind: [] for kind in _NOTES}
        self._comments = self._part(by_kind, "comments")
        self.blocks = Blocks(source.limits)
        self.title: str | None = None

    def blocks_of(self, container: Any) -> None:
        for element in container:
            name = local(element)
            if name == "p":
                self._paragraph(element)
            elif name == "tbl":
                self.blocks.table(self._rows(element), _header_rows(element))
            elif name == "altChunk":
                self._chunk_of_another_kind(element)
            elif is_container(name):
                self.blocks_of(element)

    def beside(self) -> None:
        """Notes that the body did not show yet, headers and footers, charts, comments: each text once."""
        for kind, notes in self._notes.items():
            for note in [note for note in notes if note not in self._noted[kind]]:
                self._note(kind, note)
        seen: set[str] = set()
        for kind, part in sorted(set(self._parts.values())):
            if kind in ("header", "footer") and part in self._archive:
                for element in self._archive.aside(part).iter():
                    if local(element) == "p":
                        text = one_line(paragraph_of(element).text)
                        if sum(character.isalpha() for character in text) >= 3 and text not in seen:
                            seen.add(text)
                            self.blocks.paragraph(text)
        for kind, part in self._parts.values():
            if kind in ("chart", "chartEx", "diagramData") and part in self._archive:
                self._drawn(kind, self._archive.aside(part))
        for comment in children(self._comments, "comment"):
            self.blocks.paragraph(f"Comment: {_text_of(comment)}" if _text_of(comment) else "")

    def _drawn(self, kind: str, root: Any) -> None:
        """A chart with its figures, or the texts of a SmartArt drawing."""
        if kind != "diagramData":
            titles, rows = chart_of(root)
            for title in titles:
                self.blocks.paragraph(title)
            self.blocks.table(rows, 1)
        else:
            for text in diagram_of(root):
                self.blocks.item(f"• {text}")

    def _paragraph(self, element: Any) -> None:
        paragraph = paragraph_of(element)
        style = self._styles[paragraph.style]
        level = paragraph.outline if paragraph.outline is not None else style.outline
        numbered = paragraph.numbering or style.numbering
        number = self._numbering.label(*numbered) if numbered and paragraph.text.strip() else ""
        text = f"{number} {paragraph.text}" if number else paragraph.text
        if style.title and self.title is None and paragraph.text.strip():
            self.title = one_line(paragraph.text)
        if style.title or (level is not None and len(one_line(text)) <= 200):
            self.blocks.heading(text, 1 if style.title else (level or 0) + 1)
        elif number:
            self.blocks.item(text)
        else:
            self.blocks.paragraph(text)
        self._around(paragraph)

    def _around(self, paragraph: Paragraph) -> None:
        for box in paragraph.boxes:
            self.blocks_of(box)
        for kind, note in paragraph.notes:
            if note in self._notes[kind] and note not in self._noted[kind]:
                self._note(kind, note)

    def _note(self, kind: str, note: str) -> None:
        self._noted[kind].append(note)
        text = self._notes[kind][note]
        if text:
            self.blocks.paragraph(f"{_NOTES[kind]} {len(self._noted[kind])}: {text}")

    def _rows(self, table: Any) -> list[list[str]]:
        """Cells of every row; a cell merged downwards is repeated, so that each row can stand alone."""
        rows: list[list[str]] = []
        above: dict[int, str] = {}
        for row in _rows_of(table):
            cells: list[str] = []
            column = 0
            for cell in _cells_of(row):
                properties = next(children(cell, "tcPr"), None)
                span = value(properties, "gridSpan")
                merge = next(children(properties, "vMerge"), None)
                text = self._cell(cell)
                if merge is not None and value(properties, "vMerge") != "restart":
                    text = above.get(column, text)
                above[column] = text
                cells.append(text)
                column += int(span) if span and span.isdigit() else 1
            rows.append(cells)
        return rows

    def _cell(self, cell: Any) -> str:
        """A cell's blocks on one line; tables inside it row by row."""
        inner = Blocks(self._source.limits)
        outer, self.blocks = self.blocks, inner
        try:
            self.blocks_of(cell)
        finally:
            self.blocks = outer
        return inner.content().text.replace("\n", " ")

    def _chunk_of_another_kind(self, element: Any) -> None:
        """A body kept as a file of its own inside the document (HTML, text, another DOCX)."""
        from ingest.readers import content_of

        for key, relation in element.attrib.items():
            kind, part = self._parts.get(relation, ("", "")) if key.endswith("}id") else ("", "")
            if kind == "aFChunk" and part in self._archive:
                source = Source(self._archive.read(part), part, (), self._source.limits)
                try:
                    self.blocks.append(content_of(source))
                except ReadError as error:
                    raise Unreadable(f"its part {part} cannot be read: {error.reason}") from error

    def _part(self, by_kind: dict[str, str], kind: str) -> Any:
        name = by_kind.get(kind)
        # A document with a damaged list of styles is still a document.
        return self._archive.aside(name) if name and name in self._archive else None


def _notes(root: Any) -> dict[str, str]:
    """id → text, without the separators that Word keeps among them."""
    notes = {}
    for note in root if root is not None else ():
        if local(note) in ("footnote", "endnote") and not any(key.endswith("}type") for key in note.attrib):
            number = next((content for key, content in note.attrib.items() if key.endswith("}id")), "")
            notes[number] = _text_of(note)
    return notes


def _text_of(element: Any) -> str:
    paragraphs = (paragraph_of(inner).text for inner in element.iter() if local(inner) == "p")
    return one_line(" ".join(paragraphs))


def _rows_of(table: Any) -> list[Any]:
    rows = []
    for element in table:
        if local(element) == "tr":
            if not any(local(mark) == "del" for mine in children(element, "trPr") for mark in mine):
                rows.append(element)  # else it was deleted, and the change is still tracked
        elif is_container(local(element)):
            rows.extend(_rows_of(element))
    return rows


def _header_rows(table: Any) -> int | None:
    """How many rows at the top are marked to be repeated on every page; None if none is."""
    marked = 0
    for row in _rows_of(table):
        if not any(local(mark) == "tblHeader" for properties in children(row, "trPr") for mark in properties):
            break
        marked += 1
    return marked or None


def _cells_of(row: Any) -> list[Any]:
    cells = []
    for element in row:
        if local(element) == "tc":
            cells.append(element)
        elif is_container(local(element)):
            cells.extend(_cells_of(element))
    return cells
