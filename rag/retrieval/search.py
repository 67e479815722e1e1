"""Question → passages: both legs over the library, weighed together passage by passage."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from rag.cpus import usable_cpus
from rag.errors import EmbedderChanged, UsageError
from rag.records import Passage
from rag.retrieval.backgrounds import LOOKED_AT, background_of, spoken_in, usual_of
from rag.retrieval.coverage import coverage, rarities, said_shares, telling, texts_of
from rag.retrieval.duplicates import without_repeats
from rag.retrieval.filters import Filters, documents_of
from rag.retrieval.fusion import lifted, weigh
from rag.retrieval.relevance import Signals, is_evidence
from rag.retrieval.reranking import reranker_of
from rag.text.asking import without_asking
from rag.text.language import language
from rag.text.words import words

if TYPE_CHECKING:
    from rag.embedding.protocol import Embedder, Vectors
    from rag.library import Hit, Library
    from rag.retrieval.adaptation import Background
    from rag.settings import Settings

_CUT_SLACK = 8
_SPARE = 16
"""Candidates beyond the limit, for those that turn out to be repeats."""

_BESIDE = ThreadPoolExecutor(usable_cpus(), thread_name_prefix="dense-leg")


@dataclass(frozen=True)
class Retrieval:
    """passages: best first. steps: milliseconds each step took; "keyword" runs beside "embed" and
    "dense". signals: what the evidence test saw, None where there was nothing to search."""

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
    where: Filters | None = None,
) -> list[Passage]:
    """The best passages of all the collections together, at most `limit`; [] if there is no evidence.

    where: only these documents. Whether anything is evidence is judged against the whole collections.

    Raises EmbedderChanged if the library's vectors are another embedder's, UsageError for a limit below 1.
    """
    found = retrieve(library, embedder, question, collections, limit=limit, settings=settings, where=where)
    return found.passages


def retrieve(
    library: Library,
    embedder: Embedder,
    question: str,
    collections: Sequence[str],
    *,
    limit: int,
    settings: Settings,
    where: Filters | None = None,
    test: bool = True,
) -> Retrieval:
    """As `search`, with what each step took and what was believed. test=False: without the evidence test."""
    if limit < 1:
        raise UsageError(f"A limit of {limit} passages is not possible.", fix="Give 1 or more.")
    steps = _Steps()
    known = library.embedder_id
    if known is None or not any(map(str.isalnum, question)):
        return Retrieval([], steps.milliseconds)
    if known != embedder.id:
        raise EmbedderChanged(
            f"The library's vectors were made by {known}, the questions would be by {embedder.id}.",
            fix="Run `python -m ingest --rebuild`, or set the former embedder again.",
        )
    documents = None
    if where is not None and where.restrict:
        with steps.timed("filter"):
            documents = documents_of(where.admitted(library, collections))
    depth = max(settings.retrieval.candidates, limit + _SPARE)
    asked_in = language(question)
    # One core for each leg: most of what they call runs without the interpreter's lock.
    dense_leg = _BESIDE.submit(_meant, library, embedder, question, collections, depth, documents, steps)
    with steps.timed("keyword"):
        asked = telling(words(without_asking(question)))
        statistics = library.keyword_statistics(asked)
        by_words = library.keyword(collections, asked, depth, documents)
    vector, background, direction, by_meaning = dense_leg.result()
    if not by_meaning:
        return Retrieval([], steps.milliseconds)
    with steps.timed("usual"):
        usual = usual_of(library, embedder, collections, asked_in)
    with steps.timed("read"):
        ids = list(dict.fromkeys([hit.chunk_id for hit in (*by_words, *by_meaning)]))
        chunks = library.chunks(ids)
        paths = library.paths(ids, collections)
        # Between the search and this look another process may have removed some.
        present = {number for number in ids if number in chunks and paths.get(number)}
    with steps.timed("judge"):
        near = [hit for hit in by_meaning if hit.chunk_id in present]
        meaning = dict(
            zip(
                [hit.chunk_id for hit in near],
                background.among_their_own(
                    direction,
                    [hit.score for hit in near],
                    [spoken_in(chunks[hit.chunk_id].text) for hit in near],
                ),
                strict=True,
            )
        )
        if not meaning:
            return Retrieval([], steps.milliseconds)
        said = said_shares(by_words, statistics)
        rarity = rarities(statistics)
        looked_at = library.vectors(list(meaning)[:LOOKED_AT])
        (standing,) = background.standardised(vector, [float((looked_at @ vector).max())])
        signals = Signals(
            nearness=float((looked_at @ (vector - usual.centre)).max()) - usual.nearness,
            standing=standing,
            meant=coverage(rarity, texts_of([chunks[number] for number in meaning], paths)),
            said=coverage(rarity, texts_of([chunks[number] for number in said if number in chunks], paths)),
            language=asked_in,
            spoken=background.speaks(asked_in),
            passages=len(background.passages),
        )
        if test and not is_evidence(signals):
            return Retrieval([], steps.milliseconds, signals)
    with steps.timed("fuse"):
        scores = weigh(meaning, said)
        places = {number: (chunks[number].document, chunks[number].ordinal) for number in present}
        scores = lifted({number: scores[number] for number in present}, places)
        ranked = sorted(scores, key=lambda number: -scores[number])
        reranker = reranker_of(settings)
        wanted = max(limit, settings.retrieval.rerank) if reranker else limit
        best = list(islice(without_repeats(ranked, [chunks[number].text for number in ranked]), wanted))
    judged: dict[int, float] = {}
    ranked_by = scores
    if reranker is not None:
        with steps.timed("rerank"):
            first = best[: settings.retrieval.rerank]
            texts = texts_of([chunks[number] for number in first], paths, deep=len(first))
            judged = dict(zip(first, reranker.scores(question, texts), strict=True))
            rest = best[len(first) :]
            best = [*sorted(first, key=lambda number: -judged[number]), *rest][:limit]
            # Those that it was not shown stand behind those that it was.
            last = min(judged.values(), default=0.0)
            ranked_by = {**judged, **{number: last - place for place, number in enumerate(rest, start=1)}}
    with steps.timed("scores"):
        cosines = _cosines(library, vector, best)
    by_leg = {"keyword": _scores(by_words), "adapted": _scores(by_meaning), "reranker": judged}
    passages = [
        Passage(
            chunk=chunks[number],
            path=paths[number][0][1],
            collection=paths[number][0][0],
            score=ranked_by[number],
            scores={
                "fused": scores[number],
                "dense": cosine,
                **{leg: found[number] for leg, found in by_leg.items() if number in found},
            },
        )
        for number, cosine in zip(best, cosines, strict=True)
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


class _Meant(NamedTuple):
    """The dense leg. hits: nearest to `direction`, the question's vector as adapted to the library."""

    vector: Vectors
    background: Background
    direction: Vectors
    hits: list[Hit]


def _meant(
    library: Library,
    embedder: Embedder,
    question: str,
    collections: Sequence[str],
    depth: int,
    documents: frozenset[str] | None,
    steps: _Steps,
) -> _Meant:
    with steps.timed("embed"):
        vector = question_vector(embedder, question)
    with steps.timed("background"):
        background = background_of(library, collections)
    with steps.timed("dense"):
        direction = background.adapt(vector)
        hits = library.dense(collections, direction, depth, documents)
    return _Meant(vector, background, direction, hits)


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
