"""Questions put to an answerer, and what came of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rag.answering import Answerer, Mode
from rag.answering.events import Delta, Event, Finished, Replaced
from rag.citations import MARKER
from rag.embedding.protocol import Embedder
from rag.library import Library
from rag.records import Answer, Turn
from rag.settings import Settings
from rag.text.normal import find_quote
from tests.rag.answering.standins import SayingEngine

Ask = Callable[..., list[Event]]
"""An engine, a question and options of `Answerer.ask` → the events."""


def answered(
    settings: Settings,
    embedder: Embedder,
    question: str,
    *,
    mode: Mode = "complete",
    engine: SayingEngine | None = None,
    history: Sequence[Turn] = (),
) -> Answer:
    """The answer out of a library that is opened for it; of a demo model that says nothing, unless told."""
    library = Library.open(settings)
    try:
        answerer = Answerer(settings, library, embedder, engine or SayingEngine(demo=True))
        return finished(list(answerer.ask(question, collections=["default"], mode=mode, history=history)))
    finally:
        library.close()


def finished(events: Sequence[Event]) -> Answer:
    assert isinstance(events[-1], Finished)
    return events[-1].answer


def shown(events: Sequence[Event]) -> str:
    text = ""
    for event in events:
        if isinstance(event, Delta):
            text += event.text
        elif isinstance(event, Replaced):
            text = event.text
    return text


def assert_sound(answer: Answer) -> None:
    """What must hold for every answer whatever the model said."""
    numbers = {item.n for item in answer.evidence}
    marked = {int(n) for n in MARKER.findall(answer.text)}
    assert marked <= numbers
    assert {citation.n for citation in answer.citations} == (marked if answer.found else set())
    for citation in answer.citations:
        evidence = answer.evidence[citation.n - 1]
        assert evidence.n == citation.n
        assert citation.path == evidence.path
        if citation.verified:
            assert find_quote(citation.quote, evidence.text) is not None
            assert citation.page is None or citation.page in evidence.pages
