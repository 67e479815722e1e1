"""Markdown: the text as it was written, and where its headings are.

The marks stay, since quotes are compared with what the author typed and tables read well as they are.
Headings are found by CommonMark's own rules, so that a `#` in a code block is none.
"""

from __future__ import annotations

import itertools
import re

from ingest.readers.base import Content, Source
from rag.records import Heading, Page

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*$\n?", re.S | re.M)
_FRONT_TITLE = re.compile(r"^title:[ \t]*(.+?)[ \t]*$", re.M | re.I)
_INLINE_MARKS = re.compile(r"!?\[([^\]\[]*)\]\([^()\s]*(?:\s+\"[^\"]*\")?\)|[*_`]+|<[^<>]*>|\\(?=[^\w\s])")


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
    headings = _headings(text, body_start)
    if title is None and headings and headings[0].level == 1:
        title = headings[0].title
    return Content((Page(None, text),), headings, title)


def _headings(text: str, body_start: int) -> tuple[Heading, ...]:
    from markdown_it import MarkdownIt

    body = text[body_start:]
    # Line ends as markdown-it counts them; the reader has already turned \r into \n.
    starts = [0]
    for match in re.finditer("\n", body):
        starts.append(match.end())
    parser = MarkdownIt("commonmark").disable("inline")
    tokens = parser.parse(body)
    found = []
    for opening, inline in itertools.pairwise(tokens):
        if opening.type == "heading_open" and opening.level == 0 and opening.map:
            title = plain(inline.content)
            if title:
                found.append(Heading(body_start + starts[opening.map[0]], int(opening.tag[1]), title))
    return tuple(found)


def plain(inline: str) -> str:
    """A heading's words without Markdown's marks: links by their text, no emphasis, no tags."""
    text = _INLINE_MARKS.sub(lambda match: match.group(1) or "", inline)
    return " ".join(text.replace("{#", "\0{#").split("\0")[0].split()).strip("# ").strip()
