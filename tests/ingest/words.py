"""A stand-in for an embedder's tokenizer: one token a word of letters, an ideograph, or any other sign."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np

from rag.embedding.protocol import Vectors

_TOKEN = re.compile(r"[^\W_\u2e80-\u9fff\uac00-\ud7af]{1,8}|\S")


class WordEmbedder:
    """Counts as a real one would, deterministically; its vectors are not meant to be used."""

    id = "words"
    dimension = 4

    def __init__(self, max_tokens: int = 512) -> None:
        self.max_tokens = max_tokens

    def token_offsets(self, text: str) -> list[tuple[int, int]]:
        return [match.span() for match in _TOKEN.finditer(text)]

    def embed_passages(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        return np.ones((len(texts), self.dimension), dtype=np.float32) / 2

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self.embed_passages(texts)

    def close(self) -> None:
        pass
