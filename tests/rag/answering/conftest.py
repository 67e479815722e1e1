from __future__ import annotations

from collections.abc import Iterator

import pytest

from rag.answering import Answerer
from rag.answering.events import Event
from rag.embedding.protocol import Embedder
from rag.library import Library
from rag.settings import Settings
from tests.rag.answering.answers import Ask
from tests.rag.answering.standins import SayingEngine


@pytest.fixture
def library(papers_settings: Settings) -> Iterator[Library]:
    opened = Library.open(papers_settings)
    yield opened
    opened.close()


@pytest.fixture
def ask(papers_settings: Settings, library: Library, embedder: Embedder) -> Ask:
    """Asks the library of `tests.rag.papers` a question, with an engine of the test's own."""

    def asked(engine: SayingEngine, question: str, **options: object) -> list[Event]:
        answerer = Answerer(papers_settings, library, embedder, engine)
        return list(answerer.ask(question, collections=["default"], **options))  # type: ignore[arg-type]

    return asked
