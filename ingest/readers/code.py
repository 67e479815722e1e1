"""Source code: the file's own lines, with its functions and classes as headings."""

from __future__ import annotations

from ingest.code_languages import DEFINITIONS, language_of
from ingest.readers.base import Content, Source
from rag.records import Heading, Page

_DEEPEST = 4
_LONGEST_LINE = 2000


def read(source: Source) -> Content:
    text = source.text()
    return Content((Page(None, text),), headings_in(text, language_of(source.name, text[:4096])))


def headings_in(text: str, language: str | None) -> tuple[Heading, ...]:
    """One heading for each definition, by its name, at the level that its indentation gives."""
    pattern = DEFINITIONS.get(language or "")
    # In minified programs nothing is on a line of its own.
    if pattern is None or max(map(len, text[:100_000].split("\n"))) > _LONGEST_LINE:
        return ()
    found: list[Heading] = []
    open_at: list[int] = []
    for match in pattern.finditer(text):
        indent, *names = match.groups()
        title = next(filter(None, names), "").rstrip(":")
        while open_at and open_at[-1] >= len(indent):
            open_at.pop()
        open_at.append(len(indent))
        if title and len(open_at) <= _DEEPEST:
            found.append(Heading(match.start(), len(open_at), title))
    return tuple(found)
