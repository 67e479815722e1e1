"""Plain text, logs, and whatever is read as plain text: as it is, on one page without a number.
Calendars, cards and subtitles, which are texts for programs, are said in words.
"""

from __future__ import annotations

from ingest.readers.base import Content, Source
from ingest.readers.calendar_cards import in_words, is_calendar
from ingest.readers.captions import is_captions, spoken
from rag.records import Page


def read(source: Source) -> Content:
    text = source.text()
    if is_calendar(text):
        text = in_words(text)
    elif is_captions(text):
        text = spoken(text)
    return Content((Page(None, text),))
