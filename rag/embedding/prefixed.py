"""What every embedder of ours has, whatever runs its model: identity, tokens, the model's own prefixes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from rag.embedding.any_length import of_any_length
from rag.embedding.protocol import Vectors
from rag.embedding.tokens import Tokens

Progress = Callable[[int], None]


class Prefixed(ABC):
    """Implements `rag.embedding.protocol.Embedder` but for `close`."""

    def __init__(self, id: str, dimension: int, tokens: Tokens, *, passage: str, query: str) -> None:
        """passage, query: what the model wants before each, "" for nothing."""
        self._id = id
        self._dimension = dimension
        self._tokens = tokens
        self._passage, self._query = passage, query
        self._max_tokens = tokens.room(passage)

    @property
    def id(self) -> str:
        return self._id

    @property
    def dimension(self) -> int:
        return self._dimension

    @property
    def max_tokens(self) -> int:
        return self._max_tokens

    def token_offsets(self, text: str) -> list[tuple[int, int]]:
        return self._tokens.offsets(text)

    def embed_passages(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        return self._embed(self._passage, texts, progress)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return of_any_length(
            texts, self._query, self._tokens, lambda fit: self._embed(self._query, fit, None)
        )

    @abstractmethod
    def _embed(self, prefix: str, texts: Sequence[str], progress: Progress | None) -> Vectors:
        """Vectors of texts that fit after `prefix`, in their order."""
