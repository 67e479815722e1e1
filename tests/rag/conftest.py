from __future__ import annotations

from pathlib import Path

import pytest

from rag import settings as settings_module
from rag.embedding.protocol import Embedder
from rag.settings import Settings
from tests.rag.papers import write_papers


@pytest.fixture(scope="session")
def papers_home(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Path:
    """The data folder of a library that holds `tests.rag.papers.PAPERS`, made once; nobody writes to it."""
    home = tmp_path_factory.mktemp("papers")
    write_papers(home, embedder)
    return home


@pytest.fixture
def papers_settings(papers_home: Path) -> Settings:
    return settings_module.load(home=papers_home)
