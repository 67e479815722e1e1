"""OpenDocument: the parts of a package (or of a flat file), and the text of paragraphs, lists and tables."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from ingest.errors import Unreadable
from ingest.readers.archive import Archive, parse_xml
from ingest.readers.base import Source
from ingest.readers.blocks import Blocks, one_line
from ingest.readers.docx_text import local
from ingest.readers.odf_locked import unlocked
from ingest.readers.odf_objects import put_in_place
from ingest.readers.titles import plausible_title

_LEFT_OUT = frozenset(
    {"tracked-changes", "ruby-text", "desc", "sequence-decls", "variable-decls", "forms", "event-listeners",
     "meta", "toc-mark-start", "alphabetical-index-mark", "bibliography-source"}
)  # fmt: skip
_FLAT_ROOT = re.compile(r"<(?:[\w.-]+:)?document[\s>]")
_MOST_BLANKS = 100
_MOST_REPEATED = 256


@dataclass(slots=True)
class Package:
    """content: the root of content.xml, or of the flat file."""

    content: Any
    title: str | None = None


@dataclass(slots=True)
class Inline:
    """A paragraph's text, and what is anchored in it: frames with text or tables, notes, comments."""

    parts: list[str] = field(default_factory=list)
    frames: list[Any] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.parts).strip()


def open_package(source: Source) -> Package:
    """Raises Skipped if it is locked, Unreadable if it is damaged."""
    if source.decoded is not None:
        root = parse_xml(flat_document(source), "file")
        put_in_place(root, None)
        return Package(root, _title(root))
    archive = Archive(unlocked(source).data, source.limits)
    title = _title(archive.aside("meta.xml")) if "meta.xml" in archive else None
    content = archive.xml("content.xml")
    put_in_place(content, archive)
    return Package(content, title)


def flat_document(source: Source) -> bytes:
    """A document in one XML file, in UTF-8 and without its declaration, which would name another encoding."""
    text = source.text()
    root = _FLAT_ROOT.search(text)
    if root is None:
        raise Unreadable("damaged: it has no root element")
    return text[root.start() :].encode("utf-8", "replace")


def body_of(package: Package) -> Any:
    """office:text, office:spreadsheet, office:presentation or office:drawing."""
    for body in package.content.iter("{*}body"):
        for element in body:
            if local(element) in ("text", "spreadsheet", "presentation", "drawing"):
                return element
    raise Unreadable("damaged: it has no body")


def attribute(element: Any, name: str, default: str = "") -> str:
    """An attribute by its name without namespace."""
    for key, value in element.attrib.items():
        if key.rpartition("}")[2] == name:
            return str(value)
    return default


def inline_of(paragraph: Any) -> Inline:
    found = Inline()
    _collect(paragraph, found)
    return found


def _collect(element: Any, found: Inline) -> None:
    found.parts.append(element.text or "")
    for child in element:
        name = local(child)
        if name == "s":
            found.parts.append(" " * min(_number(child, "c", 1), _MOST_BLANKS))
        elif name == "tab":
            found.parts.append(" ")
        elif name == "line-break":
            found.parts.append("\n")
        elif name == "note":
            found.notes.append(text_of(child, "note-body"))
        elif name == "annotation":
            found.comments.append(text_of(child, "p", "list"))
        elif name in (
            "frame",
            "custom-shape",
            "g",
            "rect",
            "ellipse",
            "text-box",
            "line",
            "polygon",
            "a",
        ) and (name != "a" or any(local(inner) == "frame" for inner in child)):
            found.frames.append(child)
        elif name and name not in _LEFT_OUT:
            _collect(child, found)
        found.parts.append(child.tail or "")


def text_of(element: Any, *within: str) -> str:
    """All paragraphs under an element, or under those of its children with these names, on one line."""
    roots = [child for child in element if local(child) in within] if within else [element]
    texts = [inline_of(part).text for root in roots for part in root.iter() if local(part) in ("p", "h")]
    return one_line(" ".join(texts))


class Writer:
    """Writes paragraphs, headings, lists and tables in their order."""

    def __init__(self, blocks: Blocks) -> None:
        self.blocks = blocks
        self._notes = 0

    def write(self, container: Any, level: int = 0) -> None:
        for element in container:
            name = local(element)
            if name == "h":
                outline = attribute(element, "outline-level", "1")
                self._paragraph(element, int(outline) if outline.isdigit() else 1)
            elif name == "p":
                self._paragraph(element, 0)
            elif name == "list":
                self._list(element, level)
            elif name == "table":
                self.blocks.table(*rows_of(element))
            elif name in ("frame", "text-box", "custom-shape", "g", "rect", "ellipse"):
                self.frame(element)
            elif name and name not in _LEFT_OUT and not name.endswith("-source"):
                self.write(element, level)

    def frame(self, element: Any) -> None:
        """A text box, a table, a group, or a shape with text of its own."""
        if any(local(inner) in ("p", "h", "list", "table") for inner in element.iter()):
            self.write(element)

    def _paragraph(self, element: Any, outline: int) -> None:
        found = inline_of(element)
        if outline and len(found.text) <= 200:
            self.blocks.heading(found.text, outline)
        else:
            self.blocks.paragraph(found.text)
        self._beside(found)

    def _beside(self, found: Inline) -> None:
        for frame in found.frames:
            self.frame(frame)
        for note in found.notes:
            self._notes += 1
            self.blocks.paragraph(f"Footnote {self._notes}: {note}" if note else "")
        for comment in found.comments:
            self.blocks.paragraph(f"Comment: {comment}" if comment else "")

    def _list(self, element: Any, level: int) -> None:
        for item in element:
            first = True
            for part in item:
                name = local(part)
                if name == "list":
                    self._list(part, level + 1)
                elif name == "h":
                    self.write([part], level)
                elif name == "p":
                    found = inline_of(part)
                    mark = f"{'  ' * level}• " if first else "  " * (level + 1)
                    self.blocks.item(mark + found.text if found.text else "")
                    self._beside(found)
                    first = False
                else:
                    self.write([part], level)


def rows_of(table: Any) -> tuple[list[list[str]], int | None]:
    """Cells of every row, and how many rows the document marks as header (None if it marks none)."""
    rows: list[list[str]] = []
    header = 0
    for row in table.iter("{*}table-row"):
        if next(row.iterancestors("{*}table"), None) is not table:
            continue
        above = local(row.getparent())
        cells: list[str] = []
        for cell in row:
            name = local(cell)
            if name in ("table-cell", "covered-table-cell"):
                text = text_of(cell)
                cells.extend([text] * min(_number(cell, "number-columns-repeated", 1), _MOST_REPEATED))
        rows.extend(
            [cells] * (min(_number(row, "number-rows-repeated", 1), _MOST_REPEATED) if any(cells) else 1)
        )
        header += above == "table-header-rows"
    return rows, header or None


def _number(element: Any, name: str, default: int) -> int:
    given = attribute(element, name)
    return int(given) if given.isdigit() and len(given) < 9 else default


def _title(root: Any) -> str | None:
    for element in root.iter("{http://purl.org/dc/elements/1.1/}title"):
        return plausible_title(element.text)
    return None
