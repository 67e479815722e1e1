"""Markdown: the text as it was written, and where its headings and tables are.

The marks stay, since quotes are compared with what the author typed and tables read well as they are.
"""

from __future__ import annotations

import re

from ingest.readers.base import Content, Source
from ingest.readers.markdown_headings import outline_of
from rag.records import Page

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*$\n?", re.S | re.M)
_FRONT_TITLE = re.compile(r"^title:[ \t]*(.+?)[ \t]*$", re.M | re.I)


def read(source: Source) -> Content:
    text = source.text()
    title = None
    body_start = 0
    front = _FRONT_MATTER.match(text)
    if front:
        body_start = front.end()
        named = _FRONT_TITLE.search(front.group(1))
        if named:
            title = named.group(1).strip("\"'“”").strip() or None
    outline = outline_of(text, body_start)
    if title is None and outline.headings and outline.headings[0].level == 1:
        title = outline.headings[0].title
    return Content((Page(None, text),), outline.headings, title, outline.tables)
