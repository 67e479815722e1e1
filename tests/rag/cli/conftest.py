"""The papers of the test session as the library of a command, and models that are loaded once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rag.embedding.protocol import Embedder
from rag.engine.local import LocalEngine


class Kept:
    """A model of the whole test session, which the end of one command must not close."""

    def __init__(self, model: object) -> None:
        self._model = model

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def close(self) -> None:
        pass


@pytest.fixture
def papers(monkeypatch: pytest.MonkeyPatch, papers_home: Path) -> None:
    monkeypatch.setenv("RAG_HOME", str(papers_home))


@pytest.fixture
def warm(monkeypatch: pytest.MonkeyPatch, embedder: Embedder, engine: LocalEngine) -> None:
    """Spares the time of loading the models again; what loads them is tried without this."""
    monkeypatch.setattr("rag.embedding.load", lambda settings: Kept(embedder))
    monkeypatch.setattr("rag.engine.load", lambda settings: Kept(engine))
