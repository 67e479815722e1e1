"""ODT: the text in its order, with headings, lists, tables, notes and comments."""

from __future__ import annotations

from ingest.readers.base import Content, Source
from ingest.readers.blocks import Blocks
from ingest.readers.odf import Writer, body_of, open_package


def read(source: Source) -> Content:
    package = open_package(source)
    writer = Writer(Blocks(source.limits))
    writer.write(body_of(package))
    return writer.blocks.content(package.title)
