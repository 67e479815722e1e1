"""What is embedded for a chunk: its text, with the document's title and the headings above it in front.

A chunk alone often does not say what it is about ("The fee is 30 euros."); its headings do. They are
shortened, so that they never take much of what the embedder can hold. The rows of a table that was cut
come with its header row, without which their figures mean nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from rag.records import Chunk

_BETWEEN = " › "
_LONGEST_PART = 60
_LONGEST_CONTEXT = 150
"""In columns: a letter of a narrow script is one wide, an ideograph two."""


def embedding_text(chunk: Chunk, title: str | None) -> str:
    """Title and heading path on a line of their own, a cut table's header, then the chunk's text.

    title: the document's title. `ingest.chunking` counts the tokens of this very text.
    """
    line = context_line(title, chunk.heading, chunk.table_header or chunk.text)
    return "\n".join(part for part in (line, chunk.table_header, chunk.text) if part)


def context_line(title: str | None, heading: Sequence[str], text: str = "") -> str:
    """ "Title › Section › Subsection", without what `text` itself begins with; "" if nothing is left.

    When it gets too long the outer headings go first, then the title is shortened.
    """
    beginning = " ".join(text[:400].lstrip("#*> \n").split()).casefold()
    parts: list[str] = []
    seen: set[str] = set()
    for name in (title or "", *heading):
        name = " ".join(name.split())
        key = name.casefold()
        if name and key not in seen and not beginning.startswith(key):
            seen.add(key)
            parts.append(shortened(name, _LONGEST_PART))
    while len(parts) > 2 and columns(_BETWEEN.join(parts)) > _LONGEST_CONTEXT:
        del parts[1]
    return shortened(_BETWEEN.join(parts), _LONGEST_CONTEXT)


def shortened(text: str, longest: int) -> str:
    """`text` in at most `longest` columns, with … where it was cut."""
    if columns(text) <= longest:
        return text
    kept = 0
    width = 1
    for character in text:
        width += columns(character)
        if width > longest:
            break
        kept += 1
    return text[:kept].rstrip() + "…"


def columns(text: str) -> int:
    """Width of a text as a terminal counts it, roughly: also a fair guess of its tokens."""
    if text.isascii():
        return len(text)
    return len(text) + sum(character > "\u2e7f" for character in text)
