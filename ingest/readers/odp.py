"""ODP and ODG: one page a slide or drawing, with its title, its shapes and its notes."""

from __future__ import annotations

from typing import Any

from ingest.readers.base import Content, Source
from ingest.readers.blocks import Blocks
from ingest.readers.docx_text import local
from ingest.readers.odf import Writer, attribute, body_of, open_package, text_of
from ingest.readers.odp_places import in_order

_SHAPES = frozenset(
    {"frame", "custom-shape", "g", "rect", "ellipse", "circle", "line", "connector", "polygon", "path", "a"}
)
_FURNITURE = frozenset({"date-time", "footer", "page-number", "header"})
_LONGEST_LABEL = 80


def read(source: Source) -> Content:
    package = open_package(source)
    hidden = {
        attribute(style, "name")
        for style in package.content.iter("{*}style")
        for properties in style
        if attribute(properties, "visibility") == "hidden"
    }
    blocks = Blocks(source.limits)
    pages = [element for element in body_of(package) if local(element) == "page"]
    first_title = None
    for number, page in enumerate(pages, start=1):
        title = next(
            (text for shape in _shapes(page) if _class(shape) == "title" and (text := text_of(shape))), ""
        )
        first_title = first_title or title or None
        label = title[:_LONGEST_LABEL]
        if attribute(page, "style-name") in hidden:
            label = f"{label} (hidden)".strip()
        blocks.page(number, label or None)
        blocks.heading(title, 1)
        _write(page, blocks)
    return blocks.content(package.title or first_title)


def _write(page: Any, blocks: Blocks) -> None:
    writer = Writer(blocks)
    shown = [shape for shape in _shapes(page) if _class(shape) != "title" and _class(shape) not in _FURNITURE]
    for shape in in_order(shown):
        writer.write([shape] if local(shape) != "frame" else shape)
    for notes in page:
        if local(notes) == "notes":
            text = " ".join(
                filter(None, (text_of(shape) for shape in _shapes(notes) if _class(shape) not in _FURNITURE))
            )
            blocks.paragraph(f"Notes: {text}" if text else "")


def _shapes(page: Any) -> list[Any]:
    return [shape for shape in page if local(shape) in _SHAPES]


def _class(shape: Any) -> str:
    return attribute(shape, "class")
