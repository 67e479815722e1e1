from __future__ import annotations

from collections.abc import Iterator

import pytest

from rag.library import Library, LibraryWriter, writing
from rag.library.vectors.publish import publish
from rag.settings import Settings
from tests.rag.library.samples import WordEmbedder


@pytest.fixture(autouse=True)
def publish_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process, where Chroma is imported once; `test_apart` and the fault tests use the child."""
    for module in ("rag.library.writer", "rag.library.vectors.search"):
        monkeypatch.setattr(f"{module}.publish_apart", publish)


@pytest.fixture
def embedder() -> WordEmbedder:
    return WordEmbedder()


@pytest.fixture
def writer(settings: Settings) -> Iterator[LibraryWriter]:
    with writing(settings) as opened:
        yield opened


@pytest.fixture
def library(settings: Settings) -> Iterator[Library]:
    opened = Library.open(settings)
    yield opened
    opened.close()
