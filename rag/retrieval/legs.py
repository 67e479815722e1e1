"""The two legs of a search: what says the question's words, and what means the like."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from rag.cpus import usable_cpus
from rag.library.records import Hit
from rag.retrieval.backgrounds import background_of
from rag.retrieval.coverage import telling
from rag.retrieval.feedback import LOOKED_BACK, turned
from rag.text.asking import without_asking
from rag.text.words import words

if TYPE_CHECKING:
    from rag.embedding.protocol import Embedder, Vectors
    from rag.library import Library, WordStatistics
    from rag.retrieval.adaptation import Background

_CUT_SLACK = 8

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
    """The dense leg. hits: nearest to `direction`, the question's vector as adapted to the library."""

    vector: Vectors
    background: Background
    direction: Vectors
    hits: list[Hit]


@dataclass(frozen=True)
class Legs:
    """said: the keyword leg's hits, best first. statistics: of the question's words. meant: the dense leg."""

    said: list[Hit]
    statistics: WordStatistics
    meant: Meant


def both_legs(
    library: Library,
    embedder: Embedder,
    question: str,
    collections: Sequence[str],
    depth: int,
    documents: frozenset[str] | None,
    steps: Steps,
) -> Legs:
    """At most `depth` hits of each; documents: only in these.

    One core for each leg: most of what they call runs without the interpreter's lock.
    """
    dense_leg = _BESIDE.submit(_meant, library, embedder, question, collections, depth, documents, steps)
    with steps.timed("keyword"):
        asked = telling(words(without_asking(question)))
        statistics = library.keyword_statistics(asked)
        said = library.keyword(collections, asked, depth, documents)
    return Legs(said, statistics, dense_leg.result())


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


def _meant(
    library: Library,
    embedder: Embedder,
    question: str,
    collections: Sequence[str],
    depth: int,
    documents: frozenset[str] | None,
    steps: Steps,
) -> Meant:
    with steps.timed("embed"):
        vector = question_vector(embedder, question)
    with steps.timed("background"):
        background = background_of(library, collections)
    with steps.timed("dense"):
        direction = background.adapt(vector)
        hits = library.dense(collections, direction, depth, documents)
    return Meant(vector, background, direction, hits)
