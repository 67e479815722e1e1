"""The two legs of a search: what says the question's words, and what means the like."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from rag.cpus import usable_cpus
from rag.library.records import Hit
from rag.retrieval.backgrounds import background_of
from rag.retrieval.coverage import telling
from rag.retrieval.feedback import LOOKED_BACK, turned
from rag.text.asking import without_asking
from rag.text.words import words

if TYPE_CHECKING:
    from rag.embedding.protocol import Embedder, Vectors
    from rag.glossary import Named
    from rag.library import Library, WordStatistics
    from rag.retrieval.adaptation import Background

_MOST_NAMES = 24

_BESIDE = ThreadPoolExecutor(usable_cpus(), thread_name_prefix="dense-leg")


class Steps:
    """Milliseconds that each step took. Steps may run beside one another."""

    def __init__(self) -> None:
        self.milliseconds: dict[str, float] = {}

    @contextmanager
    def timed(self, step: str) -> Iterator[None]:
        began = time.perf_counter()
        yield
        self.milliseconds[step] = (time.perf_counter() - began) * 1000


class Meant(NamedTuple):
    """The dense leg. vector: the question's. hits: nearest to `direction`, which is that vector (or that of
    the question with other names behind it) as adapted to the library."""

    vector: Vectors
    background: Background
    direction: Vectors
    hits: list[Hit]


@dataclass(frozen=True)
class Legs:
    """said: the keyword leg's hits, best first. statistics: of the question's words. meant: the dense leg.
    named: what the question names, with those other names of which the library has every word."""

    said: list[Hit]
    statistics: WordStatistics
    meant: Meant
    named: Sequence[Named] = ()


def both_legs(
    library: Library,
    embedder: Embedder,
    question: str,
    collections: Sequence[str],
    depth: int,
    documents: frozenset[str] | None,
    steps: Steps,
    named: Sequence[Named] = (),
) -> Legs:
    """At most `depth` hits of each; documents: only in these. named: what the question names.

    One core for each leg: most of what they call runs without the interpreter's lock.
    """
    known = _known(library, named)
    also = list(dict.fromkeys(name for thing in known for name in thing.others))[:_MOST_NAMES]
    dense_leg = _BESIDE.submit(
        _meant, library, embedder, question, also, collections, depth, documents, steps
    )
    with steps.timed("keyword"):
        asked = telling(words(without_asking(question)))
        # Of the question's own words alone: other names add to what a passage says, never to what it should.
        statistics = library.keyword_statistics(asked)
        looked_for = list(dict.fromkeys([*asked, *(word for name in also for word in telling(words(name)))]))
        said = library.keyword(collections, looked_for, depth, documents)
    return Legs(said, statistics, dense_leg.result(), known)


def _known(library: Library, named: Sequence[Named]) -> list[Named]:
    """With those other names alone of which each word stands somewhere in the library."""

    def stands(name: str) -> bool:
        found = library.keyword_statistics(words(name)).document_frequency
        return bool(found) and all(found.values())

    kept = (replace(thing, others=tuple(filter(stands, thing.others))) for thing in named)
    return [thing for thing in kept if thing.others]


def second_look(library: Library, legs: Legs, ids: Sequence[int], step: float) -> Legs:
    """The legs with the dense one turned by `step` towards the first of what it has found, and that ranked
    anew. ids: its hits, as far as they are still there.

    Nothing else is looked for: another question to the index would take as long as the first, and what the
    turned direction brings to the front stands among the hits already.
    """
    meant = legs.meant
    vectors = library.vectors(ids)
    direction = turned(meant.direction, vectors[:LOOKED_BACK], meant.background, step)
    scores = (vectors @ direction).tolist()
    hits = sorted((Hit(number, score) for number, score in zip(ids, scores, strict=True)), key=_best_first)
    return replace(legs, meant=meant._replace(direction=direction, hits=hits))


def _best_first(hit: Hit) -> tuple[float, int]:
    return -hit.score, hit.chunk_id


def _meant(
    library: Library,
    embedder: Embedder,
    question: str,
    also: Sequence[str],
    collections: Sequence[str],
    depth: int,
    documents: frozenset[str] | None,
    steps: Steps,
) -> Meant:
    with steps.timed("embed"):
        texts = [question, f"{question} ({', '.join(also)})"] if also else [question]
        vectors = embedder.embed_queries(texts)
        vector, wider = vectors[0], vectors[-1]
    with steps.timed("background"):
        background = background_of(library, collections)
    with steps.timed("dense"):
        direction = background.adapt(wider)
        hits = library.dense(collections, direction, depth, documents)
    return Meant(vector, background, direction, hits)
