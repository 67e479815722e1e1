"""Vectors of questions of any length: people paste whole letters into the field for a question."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from rag.embedding.protocol import Embedder, Vectors
from rag.embedding.tokens import Tokens

_SLACK = 8
"""Cut from the text, a part may have a few tokens more at its ends than inside it."""
_TOKENS_A_CHARACTER = 4
"""At most: a character that a vocabulary lacks is spelled in its bytes."""


def of_any_length(
    texts: Sequence[str], prefix: str, tokens: Tokens, embed: Callable[[Sequence[str]], Vectors]
) -> Vectors:
    """One unit vector a text; of one longer than the model takes, the mean direction of its parts.

    embed: of texts that fit after `prefix`.
    """
    room = tokens.room(prefix)
    parts = [_parts(text, room, tokens) for text in texts]
    if all(len(each) == 1 for each in parts):
        return embed(texts)
    vectors = embed([part for each in parts for part in each])
    ends = np.cumsum([len(each) for each in parts])
    means = np.stack([group.mean(axis=0) for group in np.split(vectors, ends[:-1])])
    unit: Vectors = (means / np.linalg.norm(means, axis=1, keepdims=True)).astype(np.float32)
    return unit


def beginning(text: str, embedder: Embedder) -> str:
    """What a passage may have of a text: a sentence without an end is compared by its beginning."""
    if len(text) * _TOKENS_A_CHARACTER <= embedder.max_tokens:
        return text
    offsets = embedder.token_offsets(text)
    room = embedder.max_tokens - _SLACK
    return text if len(offsets) <= room else text[: offsets[max(0, room - 1)][1]]


def _parts(text: str, room: int, tokens: Tokens) -> list[str]:
    offsets = tokens.offsets(text)
    size = max(1, room - _SLACK)
    if len(offsets) <= size:
        return [text]
    groups = [offsets[begin : begin + size] for begin in range(0, len(offsets), size)]
    return [text[group[0][0] : group[-1][1]] for group in groups]
