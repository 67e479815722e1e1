"""What is usual in each library that is being asked, measured once and again when the library changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from rag.retrieval.adaptation import SAMPLE, Background
from rag.retrieval.remembered import remembered
from rag.retrieval.strangers import STRANGERS
from rag.text.language import language

if TYPE_CHECKING:
    from rag.embedding.protocol import Embedder, Vectors
    from rag.library import Library
    from rag.text.language import Language

LOOKED_AT = 16
"""How many of the dense leg's best passages the evidence test looks at."""

_TELLING = 300
"""Characters of a passage that tell its language."""
_strangers: dict[tuple[str, Language], Vectors] = {}


def spoken_in(text: str) -> Language:
    """The language of a passage, by its beginning."""
    return language(text[:_TELLING])


def background_of(library: Library, collections: Sequence[str]) -> Background:
    """How the library's passages are spread, in its present state."""

    def made() -> Background:
        ids = library.sample_ids(collections, SAMPLE)
        chunks = library.chunks(ids)
        there = [number for number in ids if number in chunks]
        if not there:
            return Background.of(library.sample_vectors(collections, SAMPLE))
        return Background.of(library.vectors(there), [spoken_in(chunks[number].text) for number in there])

    return remembered(library, collections, "background", made)


@dataclass(frozen=True, slots=True)
class Usual:
    """How questions about anything (`STRANGERS`) stand to the library.

    centre: their mean vector; (question − centre) · passage is by how much a passage is nearer to a question
    than to them. nearness: the best of that among the passages of such a question, compared with the others
    of them; the median.
    """

    centre: Vectors
    nearness: float


def usual_of(library: Library, embedder: Embedder, collections: Sequence[str], asked_in: Language) -> Usual:
    """For questions in that language. Not for an empty library."""

    def measured() -> Usual:
        background = background_of(library, collections)
        strangers = strangers_in(embedder, asked_in)
        centre = strangers.mean(axis=0)
        nearness = []
        for vector, from_others in zip(strangers, apart(strangers), strict=True):
            hits = library.dense(collections, background.adapt(vector), LOOKED_AT)
            if hits:
                nearness.append(float((library.vectors([hit.chunk_id for hit in hits]) @ from_others).max()))
        return Usual(centre, median(nearness))

    return remembered(library, collections, ("usual", embedder.id, asked_in), measured)


def apart(questions: Vectors) -> Vectors:
    """Each question's difference from the mean of the others, shape (n, d), n at least 2.

    That is n / (n − 1) times its difference from the mean of all.
    """
    different: Vectors = (questions - questions.mean(axis=0)) * (len(questions) / (len(questions) - 1))
    return different


def strangers_in(embedder: Embedder, asked_in: Language) -> Vectors:
    """The vectors of the questions about anything else in that language; embedded once."""
    key = (embedder.id, asked_in)
    found = _strangers.get(key)
    if found is None:
        found = _strangers[key] = embedder.embed_queries(STRANGERS[asked_in])
    return found
