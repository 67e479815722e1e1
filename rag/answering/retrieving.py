"""From questions to numbered evidence."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING

from rag.answering.named_pages import on_pages
from rag.errors import PromptTooLong
from rag.prompting import fenced
from rag.records import Evidence, Passage

if TYPE_CHECKING:
    from rag.answering.asked import Asked

_TOKENS_A_PASSAGE = 100
"""A passage has at least about that many: how many passages a budget could hold."""


@dataclass(frozen=True, slots=True)
class Found:
    evidence: tuple[Evidence, ...]
    left_out: int


def passages_for(asked: Asked) -> list[Passage]:
    """Everything relevant that the budget could hold, best first; empty if nothing is relevant enough."""
    for place in range(len(asked.searches)):
        asked.tried = place
        passages = searched(asked, asked.search)
        if passages:
            return passages
    return []


def searched(asked: Asked, question: str) -> list[Passage]:
    """The passages for one search of a question, best first; empty if nothing is relevant enough."""
    from rag.retrieval import search

    retrieval = asked.settings.retrieval
    limit = max(retrieval.limit, min(retrieval.candidates, asked.budget // _TOKENS_A_PASSAGE))
    demo = asked.engine.info().demo
    if demo:
        limit = retrieval.limit
    passages = search(
        asked.library,
        asked.embedder,
        question,
        asked.collections,
        limit=limit,
        settings=asked.settings,
        where=asked.where,
        doubtful=not demo,
    )
    if asked.on_pages:
        nearest = passages or untested(asked, question)
        passages = on_pages(asked.library, asked.on_pages, question, nearest) or passages
    asked.retrieve_s = asked.retrieve_s or time.monotonic() - asked.started
    return passages


def untested(asked: Asked, question: str) -> list[Passage]:
    """What comes nearest to a question, be it evidence or not: for a judge that needs no evidence test."""
    from rag.retrieval import retrieve

    return retrieve(
        asked.library,
        asked.embedder,
        question,
        asked.collections,
        limit=asked.settings.retrieval.limit,
        settings=asked.settings,
        where=asked.where,
        test=False,
    ).passages


def by_turns(lists: Sequence[Sequence[Passage]]) -> list[Passage]:
    """One list of several: the best of each, then the second best of each, every chunk once.

    So that each search has its share of a budget, however its scores compare with another's. What one search
    shows from one document and another search from its copy is shown once.
    """
    turns = [passage for row in zip_longest(*lists) for passage in row if passage is not None]
    chosen: dict[int, Passage] = {}
    for passage in turns:
        there = [(one.chunk.document, one.chunk.start, one.chunk.end) for one in chosen.values()]
        if not any(_said(passage, *place) for place in there):
            chosen[passage.chunk.id] = passage
    return list(chosen.values())


def packed(asked: Asked, passages: Sequence[Passage], budget_tokens: int, *, after: int = 0) -> Found:
    """The passages as evidence, as many as fit, counted as the prompt will show them.

    after: numbers already given; the first evidence gets the next one. Raises PromptTooLong if not even
    one sentence fits.
    """
    from rag.retrieval import pack

    result = pack(
        asked.library,
        passages,
        budget_tokens,
        asked.engine.count,
        render=partial(fenced, phrases=asked.phrases),
        question=asked.search,
    )
    if not result.evidence:
        raise PromptTooLong(
            f"{budget_tokens} tokens hold not even one sentence of evidence.", fix="Give a larger budget."
        )
    evidence = tuple(replace(item, n=item.n + after) for item in result.evidence)
    return Found(evidence, result.left_out)


def unread(passages: Sequence[Passage], evidence: Sequence[Evidence]) -> list[Passage]:
    """The passages that no evidence holds yet, be it from another document that says the same."""
    return [
        passage
        for passage in passages
        if not any(_said(passage, item.document, item.start, item.end) for item in evidence)
    ]


def _said(passage: Passage, document: str, start: int, end: int) -> bool:
    """Whether that place holds all the words of the passage."""
    chunk = passage.chunk
    places = [
        (chunk.document, chunk.start, chunk.end),
        *((copy.document, copy.start, copy.end) for copy in passage.copies if copy.whole),
    ]
    return any(where == document and start <= first and last <= end for where, first, last in places)
