"""Question → passages: both legs over the library, weighed together passage by passage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from rag.errors import EmbedderChanged, UsageError
from rag.glossary import glossary_of
from rag.records import Passage
from rag.retrieval.backgrounds import usual_of
from rag.retrieval.candidates import Candidates, Places, candidates_of
from rag.retrieval.copies import MOST, changes, copies, settled
from rag.retrieval.coverage import rarities, said_shares, texts_of
from rag.retrieval.duplicates import Alike, alike
from rag.retrieval.feedback import turn
from rag.retrieval.filters import Filters, documents_of
from rag.retrieval.fusion import lifted, weigh
from rag.retrieval.legs import Legs, Steps, both_legs, second_look
from rag.retrieval.named import apart, fairly
from rag.retrieval.relevance import Signals, is_evidence
from rag.retrieval.reranking import reranker_of
from rag.retrieval.signals import abroad_of, meaning_of, signals_of
from rag.text.language import language

if TYPE_CHECKING:
    from rag.embedding.protocol import Embedder
    from rag.glossary import Named
    from rag.library import Hit, Library
    from rag.records import Copy
    from rag.settings import Settings

_SPARE = 16
"""Candidates beyond the limit, for those that turn out to be repeats."""


@dataclass(frozen=True)
class Retrieval:
    """passages: best first. steps: milliseconds each step took; "keyword" runs beside "embed" and
    "dense". signals: what the evidence test saw, None where there was nothing to search. named: things that
    the question names, with the other names that were looked for, too."""

    passages: list[Passage]
    steps: dict[str, float] = field(default_factory=dict)
    signals: Signals | None = None
    named: Sequence[Named] = ()


def search(
    library: Library,
    embedder: Embedder,
    question: str,
    collections: Sequence[str],
    *,
    limit: int,
    settings: Settings,
    where: Filters | None = None,
    doubtful: bool = False,
) -> list[Passage]:
    """The best passages of all the collections together, at most `limit`; [] if there is no evidence.

    where: only these documents. Whether anything is evidence is judged against the whole collections.
    doubtful: with such as may be no evidence, for a capable model that reads and judges them.

    Raises EmbedderChanged if the library's vectors are another embedder's, UsageError for a limit below 1.
    """
    found = retrieve(
        library,
        embedder,
        question,
        collections,
        limit=limit,
        settings=settings,
        where=where,
        doubtful=doubtful,
    )
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
    doubtful: bool = False,
) -> Retrieval:
    """As `search`, with what each step took and what was believed. test=False: without the evidence test."""
    if limit < 1:
        raise UsageError(f"A limit of {limit} passages is not possible.", fix="Give 1 or more.")
    steps = Steps()
    if not _searchable(library, embedder, question):
        return Retrieval([], steps.milliseconds)
    documents = admitted = None
    if where is not None and where.restrict:
        with steps.timed("filter"):
            files = where.admitted(library, collections)
            documents = documents_of(files)
            admitted = {(file.collection, file.path) for file in files}
    depth = max(settings.retrieval.candidates, limit + _SPARE)
    named = glossary_of(settings).named(question)
    legs = both_legs(library, embedder, question, collections, depth, documents, steps, named)
    if not legs.meant.hits:
        return Retrieval([], steps.milliseconds)
    asked_in = language(question)
    with steps.timed("usual"):
        usual = usual_of(library, embedder, collections, asked_in)
    with steps.timed("read"):
        read = candidates_of(legs, Places(library, collections, admitted))
    with steps.timed("judge"):
        meaning = meaning_of(legs, read)
        if not meaning:
            return Retrieval([], steps.milliseconds)
        said = said_shares(legs.said, legs.statistics)
        signals = signals_of(library, question, legs, read, meaning, said, usual, asked_in)
        if doubtful:
            signals = replace(signals, abroad=abroad_of(library, legs, read, meaning, usual, asked_in))
        if test and not is_evidence(signals, doubtful=doubtful):
            return Retrieval([], steps.milliseconds, signals, legs.named)
    step = turn(max(said.values(), default=0.0))
    if step:
        with steps.timed("feedback"):
            legs = second_look(library, legs, list(meaning), step)
            meaning = meaning_of(legs, read)
    order = _ordered(legs, read, weigh(meaning, said), question, limit, settings, steps)
    with steps.timed("copies"):
        copied = _copies(library, read, order)
    with steps.timed("scores"):
        passages = _passages(library, legs, read, order, copied)
    return Retrieval(passages, steps.milliseconds, signals, legs.named)


@dataclass(frozen=True)
class _Order:
    """best: the passages found, best first. groups: each with its repeats. fused: both legs' score of every
    candidate. judged: the reranker's of those that it was shown. by: what they are ranked by."""

    best: Sequence[int]
    groups: Mapping[int, Alike[int]]
    fused: Mapping[int, float]
    judged: Mapping[int, float]
    by: Mapping[int, float]


def _searchable(library: Library, embedder: Embedder, question: str) -> bool:
    """Whether there is anything to search, and for."""
    known = library.embedder_id
    if known is None or not any(map(str.isalnum, question)):
        return False
    if known != embedder.id:
        raise EmbedderChanged(
            f"The library's vectors were made by {known}, the questions would be by {embedder.id}.",
            fix="Run `python -m ingest --rebuild`, or set the former embedder again.",
        )
    return True


def _ordered(
    legs: Legs,
    read: Candidates,
    weighed: Mapping[int, float],
    question: str,
    limit: int,
    settings: Settings,
    steps: Steps,
) -> _Order:
    """The best candidates without repeats, by both legs and then by the reranker if there is one."""
    with steps.timed("fuse"):
        present = {number: read.chunks[number] for number in read.present}
        places = {number: (chunk.document, chunk.ordinal) for number, chunk in present.items()}
        fused = lifted({number: weighed[number] for number in read.present}, places)
        ranked = sorted(fused, key=lambda number: -fused[number])
        reranker = reranker_of(settings)
        wanted = max(limit, settings.retrieval.rerank) if reranker else limit
        shares = apart(question, {chunk.document: read.paths[n][0][1] for n, chunk in present.items()})
        texts = [read.chunks[number].text for number in ranked]
        every = alike(ranked, texts, len(ranked) if shares else wanted)
        found = fairly(every, lambda group: read.chunks[group.first].document, shares, wanted)
        scores = [fused[group.first] for group in found]
        repeated = {
            read.chunks[number].document for group in found if group.equal for number in _members(group)
        }
        changed = changes(read.places.library, repeated, read.places.collections)
        best = settled(found, read.chunks, read.paths, rarities(legs.statistics), changed)
        groups = dict(zip(best, found, strict=True))
        # The one that is shown stands for all of its group, and where the best of them stood.
        fused.update(zip(best, scores, strict=True))
    if reranker is None:
        return _Order(best, groups, fused, {}, fused)
    with steps.timed("rerank"):
        first, rest = best[: settings.retrieval.rerank], best[settings.retrieval.rerank :]
        texts = texts_of(read.of(first), read.paths, deep=len(first))
        judged = dict(zip(first, reranker.scores(question, texts), strict=True))
        # Those that it was not shown stand behind those that it was.
        last = min(judged.values(), default=0.0)
        by = {**judged, **{number: last - place for place, number in enumerate(rest, start=1)}}
        best = [*sorted(first, key=lambda number: -judged[number]), *rest][:limit]
    return _Order(best, groups, fused, judged, by)


def _members(group: Alike[int]) -> list[int]:
    return [group.first, *group.equal]


def _copies(library: Library, read: Candidates, order: _Order) -> dict[int, tuple[Copy, ...]]:
    """Of each of the best passages, where else it stands: among the candidates, and wherever the library
    holds the same text."""
    same = library.same_text(order.best, read.places.collections, MOST)
    unread = [number for numbers in same.values() for number in numbers if number not in read.chunks]
    chunks = {**read.chunks, **library.chunks(unread)} if unread else read.chunks
    paths = {**read.paths, **read.places.of(unread)} if unread else read.paths
    return {
        number: copies(order.groups[number], same.get(number, ()), chunks, paths) for number in order.best
    }


def _passages(
    library: Library, legs: Legs, read: Candidates, order: _Order, copied: Mapping[int, tuple[Copy, ...]]
) -> list[Passage]:
    if not order.best:
        return []
    cosines = (library.vectors(order.best) @ legs.meant.vector).tolist()
    by_leg = {"keyword": _scores(legs.said), "adapted": _scores(legs.meant.hits), "reranker": order.judged}
    return [
        Passage(
            chunk=read.chunks[number],
            path=read.paths[number][0][1],
            collection=read.paths[number][0][0],
            score=order.by[number],
            scores={
                "fused": order.fused[number],
                "dense": cosine,
                **{leg: found[number] for leg, found in by_leg.items() if number in found},
            },
            copies=copied[number],
        )
        for number, cosine in zip(order.best, cosines, strict=True)
    ]


def _scores(hits: Sequence[Hit]) -> dict[int, float]:
    return {hit.chunk_id: hit.score for hit in hits}
