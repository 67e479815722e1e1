"""What a newcomer asks first: the opening questions find every passage that a complete answer needs."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ingest.sync import run
from rag.embedding.protocol import Embedder
from rag.library import Library
from rag.retrieval import search
from rag.settings import Settings
from rag.text.normal import find_quote

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
OPENING: list[dict[str, Any]] = [
    question
    for question in tomllib.loads((EXAMPLES / "questions.toml").read_text(encoding="utf-8"))["question"]
    if "opening" in question
]


@pytest.fixture(scope="module")
def sample_settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return Settings(home=tmp_path_factory.mktemp("first-look"))


@pytest.fixture(scope="module")
def library(sample_settings: Settings, embedder: Embedder) -> Iterator[Library]:
    report = run(sample_settings, [EXAMPLES / "corpus"], "examples", embedder=embedder)
    assert len(report.added) == report.documents
    assert not report.failed
    assert not report.skipped
    assert not report.pages_without_text
    opened = Library.open(sample_settings)
    yield opened
    opened.close()


@pytest.mark.parametrize("question", OPENING, ids=lambda question: str(question["id"]))
def test_an_opening_question_finds_all_its_evidence(
    question: dict[str, Any], library: Library, embedder: Embedder, sample_settings: Settings
) -> None:
    limit = sample_settings.retrieval.limit
    passages = search(
        library, embedder, question["question"], ["examples"], limit=limit, settings=sample_settings
    )
    for evidence in question["evidence"]:
        texts = [passage.chunk.text for passage in passages if passage.path == evidence["doc"]]
        assert any(find_quote(evidence["quote"], text) for text in texts), evidence
