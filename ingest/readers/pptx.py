"""PPTX: one page a slide, with its title, text, tables, charts and SmartArt, then its notes and comments."""

from __future__ import annotations

from typing import Any

from ingest.errors import Unreadable
from ingest.readers.archive import Archive
from ingest.readers.base import Content, Source
from ingest.readers.blocks import Blocks, one_line
from ingest.readers.docx_text import children, local
from ingest.readers.drawing_text import Line, chart_of, diagram_of, lines_of, table_of, text_of
from ingest.readers.embedded import Embedded
from ingest.readers.office_properties import title_of
from ingest.readers.pptx_places import Places, placeholder, shapes, shapes_in_order

_TITLES = frozenset({"title", "ctrTitle"})
_FURNITURE = frozenset({"dt", "ftr", "sldNum", "hdr", "sldImg"})
_LONGEST_LABEL = 80


def read(source: Source) -> Content:
    archive = Archive(source.data, source.limits)
    main = archive.main_part(("ppt/presentation.xml",))
    related = archive.related(main)
    slides = [
        related[identity][1]
        for slides in children(archive.xml(main), "sldIdLst")
        for slide in children(slides, "sldId")
        for key, identity in slide.attrib.items()
        if key.startswith("{") and key.endswith("}id") and identity in related
    ]
    if not slides:
        slides = [part for kind, part in related.values() if kind == "slide"]
    blocks = Blocks(source.limits)
    embedded = Embedded(archive)
    places = Places(archive)
    titles = []
    for number, part in enumerate(slides, start=1):
        if part not in archive:
            blocks.page(number)
            continue
        try:
            slide = _Slide(archive, part, blocks, embedded, places)
        except Unreadable:
            blocks.page(number)  # reported as a page without text
            continue
        titles.append(slide.title)
        blocks.page(number, slide.label)
        slide.write()
    if not slides:
        raise Unreadable("damaged PPTX: it has no slides")
    return blocks.content(title_of(archive) or (titles[0] if titles else None), embedded.members())


class _Slide:
    def __init__(
        self, archive: Archive, part: str, blocks: Blocks, embedded: Embedded, places: Places
    ) -> None:
        self._archive = archive
        self._related = archive.related(part)
        self._blocks = blocks
        self._root = archive.xml(part)
        self._shapes = shapes(self._root)
        self._places = places.of(self._related)
        embedded.add(self._related)
        self.title = next((title for shape in self._shapes if (title := _title_of(shape))), None)
        name = (self.title or "")[:_LONGEST_LABEL]
        hidden = self._root.get("show") in ("0", "false")
        self.label = f"{name} (hidden)".strip() if hidden else name or None

    def write(self) -> None:
        if self.title:
            self._blocks.heading(self.title, 1)
        for shape in shapes_in_order(self._root, self._places, left_out=_apart):
            self._shape(shape)
        for kind, part in self._related.values():
            if part not in self._archive:
                continue
            if kind == "notesSlide":
                self._notes(self._archive.aside(part))
            elif kind == "comments":
                self._comments(self._archive.aside(part))

    def _shape(self, shape: Any) -> None:
        name = local(shape)
        if name == "graphicFrame":
            self._graphic(shape)
            return
        kind = placeholder(shape)
        for body in children(shape, "txBody"):
            self._lines(lines_of(body), bulleted=kind in ("body", "obj", ""))

    def _lines(self, lines: list[Line], *, bulleted: bool) -> None:
        plain: list[str] = []
        several = len(lines) > 1
        for line in lines:
            if line.bullet or (line.bullet is None and bulleted and several):
                self._blocks.paragraph("\n".join(plain))
                plain.clear()
                self._blocks.item(f"{'  ' * line.level}• {line.text}")
            else:
                plain.append(line.text)
        self._blocks.paragraph("\n".join(plain))

    def _graphic(self, frame: Any) -> None:
        for element in frame.iter():
            name = local(element)
            if name == "tbl":
                rows, header = table_of(element)
                self._blocks.table(rows, header)
            elif name in ("chart", "relIds"):
                for key, identity in element.attrib.items():
                    kind, part = self._related.get(identity, ("", ""))
                    if part in self._archive and local_key(key) in ("id", "dm"):
                        self._drawn(kind, self._archive.aside(part))

    def _drawn(self, kind: str, root: Any) -> None:
        if kind.startswith("chart"):
            titles, rows = chart_of(root)
            for title in titles:
                self._blocks.paragraph(title)
            self._blocks.table(rows, 1)
        elif kind == "diagramData":
            for text in diagram_of(root):
                self._blocks.item(f"• {text}")

    def _notes(self, root: Any) -> None:
        texts = [
            line.text
            for shape in shapes(root)
            if placeholder(shape) not in _FURNITURE
            for body in children(shape, "txBody")
            for line in lines_of(body)
        ]
        if texts:
            self._blocks.paragraph("\n".join(["Notes:", *texts]))

    def _comments(self, root: Any) -> None:
        for comment in root.iter():
            if local(comment) == "cm":
                plain = [one_line(text.text or "") for text in children(comment, "text")]
                text = " ".join(plain) or text_of(comment)
                self._blocks.paragraph(f"Comment: {text}" if text else "")


def _apart(shape: Any) -> bool:
    """Titles, which stand first, and what stands on every slide."""
    return bool(_title_of(shape)) or placeholder(shape) in _FURNITURE


def local_key(key: str) -> str:
    return key.rpartition("}")[2]


def _title_of(shape: Any) -> str | None:
    if local(shape) != "sp" or placeholder(shape) not in _TITLES:
        return None
    return (
        one_line(" ".join(line.text for body in children(shape, "txBody") for line in lines_of(body))) or None
    )
