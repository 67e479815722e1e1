"""The passages of one document that bear on the question, as evidence numbered from 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rag.answering.every.documents import Paper
from rag.answering.named_pages import chunks_of
from rag.answering.retrieving import packed
from rag.errors import LibraryError
from rag.records import Chunk, Evidence, Passage
from rag.text.context import embedding_text
from rag.text.words import words

if TYPE_CHECKING:
    from rag.answering.asked import Asked
    from rag.embedding.protocol import Vectors

_WORDS = 0.25
"""What holding all words of the question is worth, in cosine."""


def evidence_of(asked: Asked, paper: Paper, question: Vectors, budget_tokens: int) -> list[Evidence]:
    """All of a small document, the passages nearest to the question of a large one; [] if it has gone."""
    chunks = chunks_of(asked.library, paper.document)
    if not chunks:
        return []
    passages = [
        Passage(chunk, paper.path, paper.collection, score)
        for chunk, score in sorted(
            zip(chunks, _scores(asked, chunks, question), strict=True), key=lambda pair: -pair[1]
        )
    ]
    return list(packed(asked, passages, budget_tokens).evidence)


def _scores(asked: Asked, chunks: list[Chunk], question: Vectors) -> list[float]:
    try:
        vectors = asked.library.vectors([chunk.id for chunk in chunks])
    except LibraryError:
        return [0.0] * len(chunks)  # it is being replaced at this moment
    likeness = vectors @ np.asarray(question)
    wanted = set(words(asked.search))
    held = [len(wanted & set(words(embedding_text(chunk, None)))) / (len(wanted) or 1) for chunk in chunks]
    return [float(cosine) + _WORDS * share for cosine, share in zip(likeness, held, strict=True)]
