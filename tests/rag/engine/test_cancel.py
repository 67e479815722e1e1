"""Stopping: the worker is idle within a second, whatever it was doing."""

from __future__ import annotations

import threading
import time

import pytest

from rag.engine.local import LocalEngine
from rag.engine.sampling import PROFILES
from rag.errors import Cancelled
from rag.records import Message

GREEDY = PROFILES["greedy"]
STORY = [Message("user", "Tell me a very long story about the sea.")]
SHORT = [Message("user", "Say hello.")]


def long_prompt(tag: str) -> list[Message]:
    """About 4,000 tokens that differ from the first on."""
    return [Message("user", f"{tag}. " + "The quick brown fox jumps over the lazy dog. " * 400)]


def seconds_until_idle(engine: LocalEngine) -> float:
    """How long another caller waits for the first sign of its own answer."""
    began = time.monotonic()
    answer = iter(engine.stream(SHORT, sampling=GREEDY, max_tokens=1))
    for token in answer:
        if token.read:
            break
    waited = time.monotonic() - began
    list(answer)
    return waited


def test_closing_while_the_prompt_is_evaluated(engine: LocalEngine) -> None:
    answer = engine.stream(long_prompt("closed"), sampling=GREEDY, max_tokens=8)
    for token in answer:
        if token.read:
            assert token.read[0] < token.read[1]
            break
    time.sleep(0.3)  # into the middle of a micro-batch
    began = time.monotonic()
    answer.close()
    assert time.monotonic() - began < 1
    assert engine.info().state == "ready"
    assert seconds_until_idle(engine) < 1


def test_what_was_evaluated_before_the_stop_is_still_right(engine: LocalEngine) -> None:
    expected = "".join(t.text for t in engine.stream(STORY, sampling=GREEDY, max_tokens=12))
    answer = engine.stream(long_prompt("again"), sampling=GREEDY, max_tokens=8)
    while not next(answer).read:
        pass
    answer.close()
    assert "".join(t.text for t in engine.stream(STORY, sampling=GREEDY, max_tokens=12)) == expected


def test_closing_in_the_middle_of_an_answer(engine: LocalEngine) -> None:
    answer = engine.stream(STORY, sampling=GREEDY, max_tokens=1000)
    while not next(answer).text:
        pass
    began = time.monotonic()
    answer.close()
    assert time.monotonic() - began < 1
    assert seconds_until_idle(engine) < 1


def test_cancel_stops_the_answer_of_another_thread(engine: LocalEngine) -> None:
    started, outcome = threading.Event(), []

    def ask() -> None:
        try:
            for token in engine.stream(STORY, sampling=GREEDY, max_tokens=1000):
                if token.text:
                    started.set()
        except Cancelled as error:
            outcome.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    assert started.wait(60)
    began = time.monotonic()
    engine.cancel()
    thread.join(10)
    assert time.monotonic() - began < 1
    assert len(outcome) == 1


def test_whoever_waits_sees_the_place_and_can_give_up(engine: LocalEngine) -> None:
    answer = engine.stream(STORY, sampling=GREEDY, max_tokens=1000)
    while not next(answer).text:
        pass
    second, third = (engine.stream(SHORT, sampling=GREEDY, max_tokens=1) for _ in range(2))
    assert next(second).ahead == 1
    assert next(third).ahead == 2
    second.close()
    while (token := next(third)).ahead == 2:
        pass
    assert token.ahead == 1
    answer.close()
    assert [t.finish for t in third if t.finish] == ["length"]
    assert engine.turnstile.waiting == 0


def test_cancel_with_nothing_to_stop_does_nothing(engine: LocalEngine) -> None:
    engine.cancel()
    assert list(engine.stream(SHORT, sampling=GREEDY, max_tokens=1))[-1].finish == "length"


def test_a_stream_that_is_never_read_takes_no_place(engine: LocalEngine) -> None:
    engine.stream(SHORT)
    assert engine.turnstile.waiting == 0
    with pytest.raises(ValueError, match="max_tokens"):
        engine.stream(SHORT, max_tokens=0)
