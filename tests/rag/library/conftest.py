from __future__ import annotations

from collections.abc import Iterator

import pytest

from rag.library import Library, LibraryWriter, writing
from rag.settings import Settings
from tests.rag.library.samples import WordEmbedder


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
