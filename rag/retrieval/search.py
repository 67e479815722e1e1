"""Question → passages: both legs over the library, joined by how far each can be believed."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, cast

import numpy as np

from rag.errors import EmbedderChanged, UsageError
from rag.records import Passage
from rag.retrieval.backgrounds import background_of
from rag.retrieval.coverage import coverage, rarities, texts_of
from rag.retrieval.duplicates import without_repeats
from rag.retrieval.fusion import Leg, fuse
from rag.retrieval.relevance import Signals, is_evidence
from rag.text.language import language
from rag.text.words import words

if TYPE_CHECKING:
    from rag.embedding.protocol import Embedder, Vectors
    from rag.library import Hit, Library
    from rag.records import Chunk
    from rag.settings import Settings

KEYWORD_BELIEF = 1.5
"""Weight of the keyword leg, against 1 of the dense one, when one of its hits holds the whole question.

It falls with the share of the question that its best hits hold: a question in other words, or in
another language than the documents, is left to the dense leg.
"""

_CUT_SLACK = 8
_DECIDING = 5
"""So many of the best dense passages say in which language the library answers."""

_SPARE = 16
"""Candidates beyond the limit, for those that turn out to be repeats."""


@dataclass(frozen=True)
class Retrieval:
    """passages: best first. steps: milliseconds each step took. signals: what the evidence test saw, None
    where there was nothing to search."""

    passages: list[Passage]
    steps: dict[str, float] = field(default_factory=dict)
    signals: Signals | None = None


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
    test: bool = True,
) -> Retrieval:
    """As `search`, with what each step took and what was believed. test=False: without the evidence test."""
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
        vector = question_vector(embedder, question)
    with steps.timed("dense"):
        direction = background.adapt(vector)
        by_meaning = library.dense(collections, direction, depth)
    with steps.timed("read"):
        ids = list(dict.fromkeys([hit.chunk_id for hit in (*by_words, *by_meaning)]))
        chunks = library.chunks(ids)
        paths = library.paths(ids, collections)
        # Between the search and this look another process may have removed some.
        present = {number for number in ids if number in chunks and paths.get(number)}
    with steps.timed("fuse"):
        rarity = rarities(library.keyword_statistics(asked))
        first = [chunks[hit.chunk_id] for hit in by_words if hit.chunk_id in chunks]
        nearest = [chunks[hit.chunk_id] for hit in by_meaning if hit.chunk_id in chunks]
        covered = coverage(rarity, texts_of(first, paths))
        signals = Signals(
            standing=background.standing(direction, by_meaning[0].score) if by_meaning else None,
            meant=coverage(rarity, texts_of(nearest, paths)),
            said=covered,
            passages=sum(found.chunks for found in library.collections() if found.name in set(collections)),
            same_language=_same_language(question, nearest),
        )
        if not present or (test and not is_evidence(signals)):
            return Retrieval([], steps.milliseconds, signals)
        legs = [
            Leg([hit.chunk_id for hit in by_words], KEYWORD_BELIEF * covered),
            Leg([hit.chunk_id for hit in by_meaning]),
        ]
        fused = [(number, score) for number, score in fuse(legs) if number in present]
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
    return Retrieval(passages, steps.milliseconds, signals)


def question_vector(embedder: Embedder, question: str) -> Vectors:
    """The question's vector; of one longer than the embedder takes, the mean direction of its parts."""
    offsets = embedder.token_offsets(question)
    # Cut from the text, a part may have a few tokens more at its ends than inside it.
    size = embedder.max_tokens - _CUT_SLACK
    if len(offsets) <= size:
        return cast("Vectors", embedder.embed_queries([question])[0])
    groups = [offsets[begin : begin + size] for begin in range(0, len(offsets), size)]
    mean = embedder.embed_queries([question[group[0][0] : group[-1][1]] for group in groups]).mean(axis=0)
    return cast("Vectors", mean / np.linalg.norm(mean))


def _same_language(question: str, nearest: Sequence[Chunk]) -> bool:
    asked = language(question)
    # In a library of few passages a third of them is as deep as "the best" goes.
    best = nearest[: max(1, min(_DECIDING, len(nearest) // 3))]
    return 2 * sum(language(chunk.text) == asked for chunk in best) >= len(best)


def _cosines(library: Library, vector: Vectors, ids: Sequence[int]) -> list[float]:
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
