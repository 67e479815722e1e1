"""Where the headings and tables of a Markdown text are, by CommonMark's own rules."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

from rag.records import Heading, Table

_INLINE_MARKS = re.compile(r"!?\[([^\]\[]*)\]\([^()\s]*(?:\s+\"[^\"]*\")?\)|[*_`]+|<[^<>]*>|\\(?=[^\w\s])")
_MARKED_LINE = re.compile(r"^ {0,3}(#{1,6}(?=[ \t])|`{3,}|~{3,})([^\n]{0,500})", re.M)
_LARGE = 3 << 20
"""Characters of a text that is not parsed as Markdown."""


@dataclass(frozen=True, slots=True)
class Outline:
    headings: tuple[Heading, ...]
    tables: tuple[Table, ...]


def outline_of(text: str, body_start: int = 0) -> Outline:
    """Places count in `text`; what stands before body_start (front matter) is no Markdown."""
    from markdown_it import MarkdownIt

    body = text[body_start:]
    if len(body) > _LARGE:
        return Outline(_plain_headings(text, body_start), ())
    # Line ends as markdown-it counts them; the reader has already turned \r into \n.
    starts = [0, *(match.end() for match in re.finditer("\n", body))]

    def place(line: int) -> int:
        return body_start + starts[line] if line < len(starts) else len(text)

    tokens = MarkdownIt("commonmark").enable("table").disable("inline").parse(body)
    headings: list[Heading] = []
    tables: list[Table] = []
    for opening, inline in itertools.pairwise(tokens):
        if opening.level != 0 or not opening.map:
            continue
        if opening.type == "heading_open":
            title = plain(inline.content)
            if title:
                headings.append(Heading(place(opening.map[0]), int(opening.tag[1]), title))
        elif opening.type == "table_open":
            start, end = opening.map
            begin = place(start)
            # The header row and the line of dashes below it.
            head_end = begin + len(text[begin : place(start + 2)].rstrip("\n"))
            finish = begin + len(text[begin : place(end)].rstrip())
            tables.append(Table(begin, finish, head_end if head_end < finish else begin))
    return Outline(tuple(headings), tuple(tables))


def _plain_headings(text: str, body_start: int) -> tuple[Heading, ...]:
    """Lines that begin with "#", outside fenced code: for texts that would keep the parser busy too long."""
    found = []
    fence = ""
    for match in _MARKED_LINE.finditer(text, body_start):
        mark, title = match.group(1), match.group(2)
        if mark[0] == "#":
            if not fence and title.strip():
                found.append(Heading(match.start(), len(mark), plain(title)))
        elif not fence:
            fence = mark
        elif mark.startswith(fence):
            fence = ""
    return tuple(heading for heading in found if heading.title)


def heading_lines(text: str) -> list[tuple[int, str]]:
    """The text cut at its headings: (level, title) for those, (0, text) for what is between."""
    parts: list[tuple[int, str]] = []
    done = 0
    for heading in outline_of(text).headings:
        parts.append((0, text[done : heading.start]))
        parts.append((heading.level, heading.title))
        end = text.find("\n", heading.start)
        done = len(text) if end < 0 else end + 1
        underline = re.match(r"[ \t]{0,3}(?:=+|-+)[ \t]*(?:\n|\Z)", text[done:])
        done += underline.end() if underline else 0
    parts.append((0, text[done:]))
    return [(level, part) for level, part in parts if part.strip()]


def plain(inline: str) -> str:
    """A heading's words without Markdown's marks: links by their text, no emphasis, no tags."""
    text = _INLINE_MARKS.sub(lambda match: match.group(1) or "", inline)
    return " ".join(text.replace("{#", "\0{#").split("\0")[0].split()).strip("# ").strip()
