"""What an embedder can do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
"""Shape (n, dimension), every row of length 1."""


class Embedder(Protocol):
    """Maps texts to unit vectors; the dot product of two is their cosine.

    id: model name and the hash of its files ("multilingual-e5-small-int8@3f2a…"): vectors of different
        ids must never be compared, whatever their dimension.
    max_tokens: tokens that a passage may have, the model's own prefix and special tokens already
        taken off. Longer passages raise EmbeddingError: nothing is cut silently.
    """

    @property
    def id(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    @property
    def max_tokens(self) -> int: ...

    def token_offsets(self, text: str) -> list[tuple[int, int]]:
        """Character span of every token of `text`, without prefix and special tokens."""
        ...

    def embed_passages(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        """Vectors in the order of `texts`. `progress` is told how many more are done."""
        ...

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors in the order of `texts`, which may have any length."""
        ...

    def close(self) -> None: ...
