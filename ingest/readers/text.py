"""Plain text, logs, and whatever is read as plain text: as it is, on one page without a number."""

from __future__ import annotations

from ingest.readers.base import Content, Source
from rag.records import Page


def read(source: Source) -> Content:
    return Content((Page(None, source.text()),))
