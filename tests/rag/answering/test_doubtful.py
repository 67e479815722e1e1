"""What may or may not be evidence: a model that can judge it is shown it, and may still say no."""

from __future__ import annotations

import pytest

from rag.answering import Answerer
from rag.answering.events import Finished
from rag.embedding.protocol import Embedder
from rag.library import Library
from rag.settings import Settings
from tests.rag.answering.standins import SayingEngine

DOUBTFUL = "What does the firm pay for a gym?"
FOREIGN = "What is the colour charge of a gluon in quantum chromodynamics?"


@pytest.mark.parametrize(
    ("demo", "question", "asked"),
    [
        (False, DOUBTFUL, True),
        (True, DOUBTFUL, False),
        (False, FOREIGN, False),
    ],
)
def test_only_a_capable_model_is_asked_about_the_doubtful(
    papers_settings: Settings,
    library: Library,
    embedder: Embedder,
    demo: bool,
    question: str,
    asked: bool,
) -> None:
    engine = SayingEngine("The documents do not contain this.", demo=demo)
    answerer = Answerer(papers_settings, library, embedder, engine)
    events = list(answerer.ask(question, collections=["default"], mode="quick"))
    assert bool(engine.prompts) is asked
    assert isinstance(events[-1], Finished)
    assert not events[-1].answer.found
    assert "do not contain" in events[-1].answer.text
