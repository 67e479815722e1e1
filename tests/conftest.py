"""Fixtures that every room shares. Each test gets its own data folder and a clean environment."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

from rag import embedding
from rag import engine as engine_module
from rag import settings as settings_module
from rag.embedding.protocol import Embedder
from rag.engine.local import LocalEngine
from rag.settings import EmbeddingSettings, Settings

os.environ.update(
    HF_HUB_OFFLINE="1",
    TRANSFORMERS_OFFLINE="1",
)

# A shell that starts the tests in the background makes them ignore Ctrl-C, and what they start would too.
signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples every time, and no failure because another process had the processor.
hypothesis.settings.register_profile("project", deadline=None, derandomize=True)
hypothesis.settings.load_profile("project")


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No RAG_* variable of the developer's shell reaches a test, and none writes outside tmp_path."""
    for name in list(os.environ):
        if name.startswith("RAG_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("RAG_HOME", str(tmp_path / "home"))


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return settings_module.load(home=tmp_path / "home")


@pytest.fixture(scope="session")
def embedder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Embedder]:
    """The packaged multilingual model on the CPU, loaded once for all tests; nobody closes it."""
    home = tmp_path_factory.mktemp("embedder")
    loaded = embedding.load(Settings(home=home, embedding=EmbeddingSettings(device="cpu")))
    yield loaded
    loaded.close()


@pytest.fixture(scope="session")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalEngine]:
    """The packaged 135M model in its worker process, one for all tests; nobody closes or kills it."""
    made = engine_module.load(Settings(home=tmp_path_factory.mktemp("engine")))
    assert isinstance(made, LocalEngine)
    yield made
    made.close()
