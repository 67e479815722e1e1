"""Strategies that answer in a model's own words send different prompts: each what its name says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from eval.strategies import known
from eval.tuned import TunedEngine
from rag.answering import Answerer
from rag.answering.events import Finished
from rag.library import Library, writing
from rag.prompting import phrases_in
from rag.records import Message
from rag.settings import Settings
from tests.rag.answering.standins import SayingEngine
from tests.rag.library.samples import WordEmbedder, document, put

QUESTION = "How many days of annual leave do employees receive, and who is in charge of backups?"
NAMES = ("quick", "complete", "every", "zero-shot", "few-shot", "stepwise")


@pytest.fixture(scope="module")
def words() -> WordEmbedder:
    return WordEmbedder()


@pytest.fixture(scope="module")
def shelf(
    tmp_path_factory: pytest.TempPathFactory, words: WordEmbedder
) -> Iterator[tuple[Settings, Library]]:
    settings = Settings(home=tmp_path_factory.mktemp("strategies"))
    with writing(settings) as writer:
        put(writer, words, "leave.txt", document("Employees receive 25 days of annual leave per year."))
        put(writer, words, "backup.txt", document("The person in charge of backups is Petra Vos."))
        writer.publish()
    library = Library.open(settings)
    yield settings, library
    library.close()


def prompts_of(name: str, shelf: tuple[Settings, Library], words: WordEmbedder) -> list[list[Message]]:
    """What a demo model, allowed its own words, is sent. Its tokenizer counts four characters as a token."""
    settings, library = shelf
    strategy = known()[name].model_copy(update={"own_words": True})
    engine = SayingEngine("Employees receive 25 days [1]. Petra Vos is in charge of backups [2].", demo=True)
    answerer = Answerer(strategy.applied(settings), library, words, TunedEngine(engine, strategy))
    last = list(answerer.ask(QUESTION, collections=["default"], mode=strategy.mode, budget=strategy.budget))[
        -1
    ]
    assert isinstance(last, Finished)
    assert not last.answer.extractive
    return engine.prompts


def examples_in(prompt: list[Message]) -> int:
    return sum(message.role == "assistant" for message in prompt)


def test_each_strategy_sends_what_its_name_says(shelf: tuple[Settings, Library], words: WordEmbedder) -> None:
    sent = {name: prompts_of(name, shelf, words) for name in NAMES}
    phrases = phrases_in("en")
    texts = {
        name: "\n".join(m.content for prompt in prompts for m in prompt) for name, prompts in sent.items()
    }
    assert len(set(texts.values())) == len(NAMES) - (texts["quick"] == texts["few-shot"])

    # One pass: one prompt. Every part on its own: a prompt for each, and one that asks for the parts.
    assert len(sent["quick"]) == 1
    assert len(sent["complete"]) > 2
    parts = [prompt[-1].content for prompt in sent["complete"]]
    assert sum("Answer only this part of it now" in text for text in parts) >= 2
    # Every document on its own.
    assert len(sent["every"]) == 2
    assert all(("leave.txt" in p[-1].content) != ("backup.txt" in p[-1].content) for p in sent["every"])
    assert all(phrases.not_stated in prompt[-1].content for prompt in sent["every"])
    # Worked examples: none, some.
    assert examples_in(sent["zero-shot"][-1]) == 0
    assert examples_in(sent["few-shot"][-1]) in (2, 3)
    assert examples_in(sent["few-shot"][-1]) >= examples_in(sent["quick"][-1])
    # The instruction for ternary weights, once, before the question.
    told = phrases.steps.strip()
    assert [told in text for text in texts.values()] == [name == "stepwise" for name in NAMES]
    assert sent["stepwise"][-1][-1].content.count(told) == 1


def test_going_step_by_step_can_be_forbidden(
    shelf: tuple[Settings, Library], words: WordEmbedder, tmp_path: Path
) -> None:
    own = tmp_path / "own.toml"
    own.write_text(
        '[plain]\nsettings.answering.steps = "off"\nsettings.engine.model = "ternary-bonsai-27b"\n'
    )
    settings, library = shelf
    strategy = known(own)["plain"]
    engine = SayingEngine("25 days [1].")
    answerer = Answerer(strategy.applied(settings), library, words, TunedEngine(engine, strategy))
    list(answerer.ask(QUESTION, collections=["default"], mode="quick"))
    assert phrases_in("en").steps.strip() not in engine.prompts[0][-1].content
