"""A folder of real files, and an ingest of it with a deterministic embedder."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ingest.sync import Report, run
from rag.library import Library
from rag.library.vectors.publish import publish
from rag.settings import Settings
from tests.rag.library.samples import WordEmbedder

Ingest = Callable[..., Report]


class Folder:
    """Files for a test. They are written with a time in the past, as documents have."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir()

    def write(self, name: str, content: str | bytes) -> Path:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        self._clock = getattr(self, "_clock", time.time() - 1e6) + 10
        os.utime(path, (self._clock, self._clock))
        return path


@pytest.fixture(autouse=True)
def publish_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process, where Chroma is imported once; the commands' and the fault tests use the child."""
    monkeypatch.setattr("rag.library.writer.publish_apart", publish)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "docs")


@pytest.fixture
def embedder() -> WordEmbedder:
    return WordEmbedder()


@pytest.fixture
def ingest(settings: Settings, embedder: WordEmbedder, folder: Folder) -> Ingest:
    def ingest(*paths: Path, **options: Any) -> Report:
        return run(settings, list(paths) or [folder.path], **{"embedder": embedder, **options})

    return ingest


@pytest.fixture
def library(settings: Settings) -> Iterator[Library]:
    opened = Library.open(settings)
    yield opened
    opened.close()
