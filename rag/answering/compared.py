"""What is read of two documents that a question compares: more than the passages that hold its words."""

from __future__ import annotations

from collections.abc import Sequence

from rag.answering.asked import Asked
from rag.answering.extractive.both_sides import aspect_of, sides_named, title_words
from rag.answering.extractive.naming import OtherNames
from rag.answering.named_pages import chunks_of
from rag.answering.parts import parts_of
from rag.citations.wording import content_words
from rag.records import Chunk, Passage

_FIRST_LINE = 80
_EACH = 12
"""Chunks of one document, at most."""


def with_compared(asked: Asked, passages: Sequence[Passage]) -> list[Passage]:
    """The passages, before them those of the two documents that the question compares, by turns: "Compare
    RFC 7 and RFC 12" has no word of what they decide. As they are if it compares none.

    passages: best first.
    """
    parts = parts_of(asked.search)
    sides = parts[0].sides if len(parts) == 1 else ()
    if not sides or asked.on_pages:
        return list(passages)
    said = OtherNames(asked.named(asked.search)).with_lent
    titles: dict[str, set[str]] = {}
    first: dict[str, Passage] = {}
    for passage in passages:
        chunk = passage.chunk
        line = chunk.text.lstrip().partition("\n")[0] if chunk.start == 0 else ""
        words = title_words(passage.path, chunk.heading, line if len(line) <= _FIRST_LINE else "")
        titles.setdefault(chunk.document, set()).update(said(words))
        first.setdefault(chunk.document, passage)
    documents = [
        next((each for each in first if each in named), None) for named in sides_named(sides, titles)
    ]
    aspect = aspect_of(asked.search, sides)
    found: list[Passage] = []
    for document in documents:
        if document is not None:
            chunks = _nearest(chunks_of(asked.library, document), aspect)
            like = first[document]
            found += [Passage(chunk, like.path, like.collection, like.score) for chunk in chunks]
    there = {passage.chunk.id for passage in found}
    return [*found, *(passage for passage in passages if passage.chunk.id not in there)]


def _nearest(chunks: Sequence[Chunk], aspect: set[str]) -> list[Chunk]:
    """As many chunks as are read of one document: those with words of what is compared before the others."""
    order = sorted(
        range(len(chunks)),
        key=lambda at: -len(aspect & {*content_words(" ".join([*chunks[at].heading, chunks[at].text]))}),
    )
    return [chunks[at] for at in order[:_EACH]]
