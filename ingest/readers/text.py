"""Plain text, logs, and whatever is read as plain text: as it is, on one page without a number."""

from __future__ import annotations

from ingest.readers.base import Content, Source
from ingest.readers.calendar_cards import in_words, is_calendar
from rag.records import Page


def read(source: Source) -> Content:
    text = source.text()
    return Content((Page(None, in_words(text) if is_calendar(text) else text),))
