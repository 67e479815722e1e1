"""Chroma is asked for small collections, too."""

from __future__ import annotations

import pytest

from rag.embedding.protocol import Vectors
from rag.library.vectors import search
from rag.library.vectors.chroma import ChromaFolder


@pytest.fixture(autouse=True)
def chroma_for_small_collections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "EXACT_UP_TO", 0)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The collections that Chroma was asked about, so that a test can tell which way an answer came."""
    calls: list[int] = []
    nearest = ChromaFolder.nearest

    def noting(self: ChromaFolder, collection: int, vector: Vectors, limit: int) -> list[tuple[int, float]]:
        calls.append(collection)
        return nearest(self, collection, vector, limit)

    monkeypatch.setattr(ChromaFolder, "nearest", noting)
    return calls
