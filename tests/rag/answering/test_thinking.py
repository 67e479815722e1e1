"""What a model thinks is told apart from what it answers, and is no part of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pytest

from rag.answering import Answerer
from rag.answering.events import Event, Replaced, Thought
from rag.embedding.protocol import Embedder
from rag.engine.protocol import Sampling, Thinking, Token
from rag.errors import EngineError
from rag.library import Library
from rag.records import Message, Usage
from rag.settings import Settings
from tests.rag.answering.answers import finished, shown
from tests.rag.answering.standins import SayingEngine
from tests.rag.answering.test_answerer import LEAVE

THOUGHT = "The first source [1] says 25 days. Or were it 99 days [7]?"
ANSWER = "Employees receive 25 days of annual leave per calendar year [1]."


@dataclass
class ThinkingEngine(SayingEngine):
    """Streams the pieces `tokens`, whatever it is asked."""

    tokens: Sequence[Token] = ()
    asked_to_think: list[bool] = field(default_factory=list)

    def stream(
        self,
        messages: Sequence[Message],
        *,
        sampling: Sampling | None = None,
        max_tokens: int = 1024,
        stop: Sequence[str] = (),
        thinking: Thinking | None = None,
    ) -> Iterator[Token]:
        self.asked_to_think.append(thinking is not None and thinking.on)
        yield from self.tokens


def pieces(text: str) -> list[str]:
    return [text[at : at + 9] for at in range(0, len(text), 9)]


APART = [
    *(Token("", thought=piece) for piece in pieces(THOUGHT)),
    Token(""),
    *map(Token, pieces(ANSWER)),
    Token("", usage=Usage(20, 0, 12, 30), finish="end"),
]
LATE = [
    *map(Token, pieces(THOUGHT)),
    Token("", thought="\nSo 25.", was_thought=True),
    *map(Token, pieces(ANSWER)),
    Token("", usage=Usage(20, 0, 12, 30), finish="end"),
]


def events_of(
    settings: Settings, library: Library, embedder: Embedder, tokens: Sequence[Token], **options: object
) -> list[Event]:
    answering = settings.answering.model_copy(update={"mode": "quick", **options})
    engine = ThinkingEngine(tokens=tokens)
    answerer = Answerer(settings.model_copy(update={"answering": answering}), library, embedder, engine)
    return list(answerer.ask(LEAVE, collections=["default"]))


@pytest.mark.parametrize("tokens", [APART, LATE], ids=["apart", "taken back"])
def test_a_thought_is_told_and_is_no_part_of_the_answer(
    papers_settings: Settings, library: Library, embedder: Embedder, tokens: Sequence[Token]
) -> None:
    events = events_of(papers_settings, library, embedder, tokens)
    told = "".join(event.text for event in events if isinstance(event, Thought))
    assert told.startswith(THOUGHT)
    assert [event.begins for event in events if isinstance(event, Thought)].count(True) == 1
    answer = finished(events)
    assert shown(events) == answer.text == ANSWER
    assert answer.thought == told
    assert "99" not in answer.text
    assert {citation.n for citation in answer.citations} == {1}
    assert not answer.unsupported
    assert (answer.usage.answer_tokens, answer.usage.thought_tokens) == (12, 30)
    assert 0 < answer.timing.thought_s < answer.timing.total_s
    assert answer.timing.first_token_s >= answer.timing.thought_s


def test_what_was_shown_before_the_thought_ended_is_taken_back(
    papers_settings: Settings, library: Library, embedder: Embedder
) -> None:
    events = events_of(papers_settings, library, embedder, LATE)
    at = next(place for place, event in enumerate(events) if isinstance(event, Thought))
    assert shown(events[:at]) == ""
    assert isinstance(events[at - 1], Replaced)


def test_with_the_setting_off_it_is_told_only_that_the_model_thinks(
    papers_settings: Settings, library: Library, embedder: Embedder
) -> None:
    events = events_of(papers_settings, library, embedder, APART, thoughts=False)
    told = [event for event in events if isinstance(event, Thought)]
    assert told
    assert {event.text for event in told} == {""}
    answer = finished(events)
    assert (answer.thought, answer.text) == ("", ANSWER)
    assert answer.timing.thought_s > 0


def test_a_thought_without_an_end_is_said_to_be_one(
    papers_settings: Settings, library: Library, embedder: Embedder
) -> None:
    endless = [Token("", thought="Hm. "), Token("", usage=Usage(20, 0, 0, 8), finish="length")]
    with pytest.raises(EngineError, match="thought until its tokens were used up"):
        events_of(papers_settings, library, embedder, endless)


def test_the_parts_of_a_question_are_each_thought_about(
    papers_settings: Settings, library: Library, embedder: Embedder
) -> None:
    engine = ThinkingEngine(tokens=APART)
    options = papers_settings.engine.model_copy(update={"thinking": True})
    answerer = Answerer(papers_settings.model_copy(update={"engine": options}), library, embedder, engine)
    question = "How many days of annual leave do employees receive? And how long is parental leave?"
    events = list(answerer.ask(question, collections=["default"], mode="complete"))
    begun = [event for event in events if isinstance(event, Thought) and event.begins]
    assert len(begun) >= 2
    assert engine.asked_to_think.count(True) == len(begun)
    assert finished(events).thought.count(THOUGHT) == len(begun)
