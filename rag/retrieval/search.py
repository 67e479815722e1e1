"""Question → passages: both legs over the library, joined by how far each can be believed."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from rag.errors import EmbedderChanged, UsageError
from rag.records import Passage
from rag.retrieval.backgrounds import background_of
from rag.retrieval.coverage import coverage, rarities, texts_of
from rag.retrieval.duplicates import without_repeats
from rag.retrieval.fusion import Leg, fuse
from rag.text.words import words

if TYPE_CHECKING:
    from rag.embedding.protocol import Embedder
    from rag.library import Hit, Library
    from rag.settings import Settings

KEYWORD_BELIEF = 2.0
"""Weight of the keyword leg, against 1 of the dense one, when one of its hits holds the whole question.

It falls with the share of the question that its best hits hold: a question in other words, or in
another language than the documents, is left to the dense leg.
"""

_SPARE = 16
"""Candidates beyond the limit, for those that turn out to be repeats."""


@dataclass(frozen=True)
class Retrieval:
    """passages: best first. steps: milliseconds each step took. coverage: share of the question, by rarity
    of its words, that the best keyword hits hold."""

    passages: list[Passage]
    steps: dict[str, float] = field(default_factory=dict)
    coverage: float = 0.0


def search(
    library: Library,
    embedder: Embedder,
    question: str,
    collections: Sequence[str],
    *,
    limit: int,
    settings: Settings,
) -> list[Passage]:
    """The best passages of all the collections together, at most `limit`; [] if there is no evidence.

    Raises EmbedderChanged if the library's vectors are another embedder's, UsageError for a limit below 1.
    """
    return retrieve(library, embedder, question, collections, limit=limit, settings=settings).passages


def retrieve(
    library: Library,
    embedder: Embedder,
    question: str,
    collections: Sequence[str],
    *,
    limit: int,
    settings: Settings,
) -> Retrieval:
    """As `search`, with what each step took and what was believed."""
    if limit < 1:
        raise UsageError(f"A limit of {limit} passages is not possible.", fix="Give 1 or more.")
    steps = _Steps()
    known = library.embedder_id
    if known is None or not question.strip():
        return Retrieval([], steps.milliseconds)
    if known != embedder.id:
        raise EmbedderChanged(
            f"The library's vectors were made by {known}, the questions would be by {embedder.id}.",
            fix="Run `python -m ingest --rebuild`, or set the former embedder again.",
        )
    depth = max(settings.retrieval.candidates, limit + _SPARE)
    with steps.timed("keyword"):
        asked = list(dict.fromkeys(words(question)))
        by_words = library.keyword(collections, asked, depth)
    with steps.timed("background"):
        background = background_of(library, collections)
    with steps.timed("embed"):
        vector = embedder.embed_queries([question])[0]
    with steps.timed("dense"):
        by_meaning = library.dense(collections, background.adapt(vector), depth)
    with steps.timed("read"):
        ids = list(dict.fromkeys([hit.chunk_id for hit in (*by_words, *by_meaning)]))
        chunks = library.chunks(ids)
        paths = library.paths(ids, collections)
        # Between the search and this look another process may have removed some.
        there = [number for number in ids if number in chunks and paths.get(number)]
    with steps.timed("fuse"):
        rarity = rarities(library.keyword_statistics(asked))
        first = [chunks[hit.chunk_id] for hit in by_words if hit.chunk_id in chunks]
        covered = coverage(rarity, texts_of(first, paths))
        legs = [
            Leg([hit.chunk_id for hit in by_words], KEYWORD_BELIEF * covered),
            Leg([hit.chunk_id for hit in by_meaning]),
        ]
        fused = [(number, score) for number, score in fuse(legs) if number in set(there)]
        best = list(
            islice(without_repeats(fused, [chunks[number].text for number, _ in fused]), limit),
        )
    with steps.timed("scores"):
        cosines = _cosines(library, vector, [number for number, _ in best])
    by_leg = {"keyword": _scores(by_words), "adapted": _scores(by_meaning)}
    passages = [
        Passage(
            chunk=chunks[number],
            path=paths[number][0][1],
            collection=paths[number][0][0],
            score=score,
            scores={
                "fused": score,
                "dense": cosine,
                **{leg: scores[number] for leg, scores in by_leg.items() if number in scores},
            },
        )
        for (number, score), cosine in zip(best, cosines, strict=True)
    ]
    return Retrieval(passages, steps.milliseconds, covered)


def _cosines(library: Library, vector: np.ndarray, ids: Sequence[int]) -> list[float]:
    return [float(score) for score in library.vectors(ids) @ vector] if ids else []


def _scores(hits: Sequence[Hit]) -> dict[int, float]:
    return {hit.chunk_id: hit.score for hit in hits}


class _Steps:
    def __init__(self) -> None:
        self.milliseconds: dict[str, float] = {}

    @contextmanager
    def timed(self, step: str) -> Iterator[None]:
        began = time.perf_counter()
        yield
        self.milliseconds[step] = (time.perf_counter() - began) * 1000
