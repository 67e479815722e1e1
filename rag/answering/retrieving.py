"""From the question to numbered evidence."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

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
    from rag.retrieval import search

    retrieval = asked.settings.retrieval
    limit = max(retrieval.limit, min(retrieval.candidates, asked.budget // _TOKENS_A_PASSAGE))
    if asked.engine.info().demo:
        limit = retrieval.limit
    for place in range(len(asked.searches)):
        asked.tried = place
        passages = search(
            asked.library,
            asked.embedder,
            asked.search,
            asked.collections,
            limit=limit,
            settings=asked.settings,
        )
        if passages:
            return passages
    return []


def packed(asked: Asked, passages: list[Passage], budget_tokens: int) -> Found:
    """The passages as evidence, as many as fit, counted as the prompt will show them."""
    from rag.retrieval import pack

    result = pack(
        asked.library,
        passages,
        budget_tokens,
        asked.engine.count,
        render=partial(fenced, page_phrase=asked.phrases.page),
    )
    return Found(result.evidence, result.left_out)
