"""The whole pipeline with the packaged models: a real generation, really stopped, really killed."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator

import pytest

from rag import engine as engine_module
from rag.answering import Answerer
from rag.answering.events import Delta, Event, Finished, Retrieved
from rag.embedding.protocol import Embedder
from rag.engine.local import LocalEngine
from rag.errors import EngineDied
from rag.library import Library
from rag.settings import EngineSettings, Settings

LEAVE = "How many days of annual leave do employees receive?"


@pytest.fixture
def own_engine(papers_settings: Settings) -> Iterator[LocalEngine]:
    """An engine that a test may kill."""
    made = engine_module.load(papers_settings)
    assert isinstance(made, LocalEngine)
    yield made
    made.close()


def generating(events: Iterator[Event]) -> list[Event]:
    """The events until the quotations are shown and the model has begun to write."""
    seen: list[Event] = []
    for event in events:
        seen.append(event)
        if isinstance(event, Delta) and not event.text and any(isinstance(e, Delta) and e.text for e in seen):
            return seen
    raise AssertionError("The model never began.")


def test_both_languages_are_answered(
    papers_settings: Settings, library: Library, embedder: Embedder, engine: LocalEngine
) -> None:
    answerer = Answerer(papers_settings, library, embedder, engine)
    for question, words, path in (
        (LEAVE, "25 days", "hr/leave.pdf"),
        ("员工每年有几天年假？", "二十五天", "hr/年假规定.md"),
    ):
        last = list(answerer.ask(question, collections=["default"]))[-1]
        assert isinstance(last, Finished)
        answer = last.answer
        assert answer.extractive
        assert words in answer.text
        assert path in {citation.path for citation in answer.citations}
        assert all(citation.verified for citation in answer.citations)
        assert answer.usage.prompt_tokens > 50
        assert 0 < answer.timing.first_token_s < answer.timing.total_s


def test_evidence_is_counted_by_the_models_own_tokenizer(
    papers_settings: Settings, library: Library, embedder: Embedder, engine: LocalEngine
) -> None:
    answerer = Answerer(papers_settings, library, embedder, engine)
    for question in (LEAVE, "员工每年有几天年假？"):
        events = answerer.ask(question, collections=["default"], budget=300)
        retrieved = next(event for event in events if isinstance(event, Retrieved))
        events.close()  # type: ignore[attr-defined]
        texts = [item.text for item in retrieved.evidence]
        assert sum(engine.count(texts)) <= sum(item.tokens for item in retrieved.evidence) <= 300


def test_stopping_makes_the_engine_idle(
    papers_settings: Settings, library: Library, embedder: Embedder, engine: LocalEngine
) -> None:
    events = Answerer(papers_settings, library, embedder, engine).ask(LEAVE, collections=["default"])
    generating(events)
    started = time.monotonic()
    events.close()  # type: ignore[attr-defined]
    while engine.info().state != "ready":
        assert time.monotonic() - started < 3
        time.sleep(0.01)


def test_a_killed_worker_leaves_the_quotations_and_the_next_question_is_answered(
    papers_settings: Settings, library: Library, embedder: Embedder, own_engine: LocalEngine
) -> None:
    answerer = Answerer(papers_settings, library, embedder, own_engine)
    events = answerer.ask(LEAVE, collections=["default"])
    generating(events)
    pid = own_engine.info().pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    rest: list[Event] = []
    with pytest.raises(EngineDied):
        rest.extend(events)
    assert isinstance(rest[-1], Finished)
    assert "25 days" in rest[-1].answer.text
    assert rest[-1].answer.stopped
    again = list(answerer.ask(LEAVE, collections=["default"]))[-1]
    assert isinstance(again, Finished)
    assert not again.answer.stopped


def test_a_trusted_model_streams_within_a_small_context(
    papers_settings: Settings, library: Library, embedder: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The packaged model taken for a trusted one: whatever it says, the checks hold and the prompt fits."""
    small = papers_settings.model_copy(update={"engine": EngineSettings(context=1024, max_answer_tokens=16)})
    engine = engine_module.load(small)
    info = engine.info
    monkeypatch.setattr(engine, "info", lambda: _trusted(info()))
    try:
        last = list(Answerer(small, library, embedder, engine).ask(LEAVE, collections=["default"]))[-1]
    finally:
        engine.close()
    assert isinstance(last, Finished)
    assert last.answer.usage.prompt_tokens + 16 <= 1024
    assert not last.answer.extractive


def _trusted(info):  # type: ignore[no-untyped-def]
    from dataclasses import replace

    return replace(info, demo=False)
