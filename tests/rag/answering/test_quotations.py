"""Answers of a model that is too weak: quotations at once, its own words only where they are proved."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rag.answering import Answerer
from rag.answering.events import Delta, Event, Finished, Replaced
from rag.embedding.protocol import Embedder
from rag.errors import EngineDied
from rag.library import Library
from rag.records import Answer
from rag.settings import Settings
from rag.text.normal import find_quote
from tests.rag.answering.answers import finished
from tests.rag.answering.standins import SayingEngine

LEAVE = "How many days of annual leave do employees receive?"
Make = Callable[[SayingEngine], Answerer]
SENTENCE = "Employees receive 25 days of annual leave per calendar year."


@pytest.fixture
def answerer_of(papers_settings: Settings, library: Library, embedder: Embedder) -> Make:
    return lambda engine: Answerer(papers_settings, library, embedder, engine)


def ask(answerer: Answerer, question: str) -> tuple[list[Event], Answer]:
    events = list(answerer.ask(question, collections=["default"]))
    return events, finished(events)


def first_text(events: list[Event]) -> str:
    return next(event.text for event in events if isinstance(event, Delta) and event.text)


@pytest.mark.parametrize(
    ("question", "sentence", "path", "page"),
    [
        (LEAVE, SENTENCE, "hr/leave.pdf", 1),
        (
            "How long does parental leave last?",
            "Parental leave lasts 14 weeks at full pay.",
            "hr/leave.pdf",
            2,
        ),
        (
            "When is payment due to Norfolk Pumps?",
            "Payment is due within 30 days of the invoice date.",
            "legal/supply.pdf",
            1,
        ),
        ("员工每年有几天年假？", "员工每年享有二十五天年假。", "hr/年假规定.md", None),
        (
            "Who is in charge of backups?",
            "The person in charge of backups is Petra Vos.",
            "it/backup.txt",
            None,
        ),
    ],
)
def test_the_sentence_that_answers_is_quoted_first(
    answerer_of: Make, question: str, sentence: str, path: str, page: int | None
) -> None:
    events, answer = ask(answerer_of(SayingEngine("I am not sure.", demo=True)), question)
    assert answer.extractive
    assert answer.found
    assert sentence in first_text(events).split("\n\n")[0]
    assert sentence in answer.text
    assert (answer.citations[0].path, answer.citations[0].page) == (path, page)
    for citation in answer.citations:
        assert citation.verified
        assert find_quote(citation.quote, answer.evidence[citation.n - 1].text) is not None


def test_proved_words_of_its_own_stand_above(answerer_of: Make) -> None:
    events, answer = ask(
        answerer_of(SayingEngine("Employees receive 25 days of leave per year.", demo=True)), LEAVE
    )
    assert any(isinstance(event, Replaced) for event in events)
    assert answer.text.startswith("Employees receive 25 days of leave per year [1].\n\nAnnual leave: “")
    assert all(citation.verified for citation in answer.citations)
    assert answer.unsupported == ()


@pytest.mark.parametrize(
    "invented",
    [
        "Employees receive 30 days of annual leave per calendar year.",
        "Employees do not receive 25 days of annual leave per calendar year.",
        "Employees receive 25 days of annual leave and a company bicycle for every member of the family.",
        "Employees receive 25 days of annual leave per calendar year. The moon is made of cheese.",
        "Payment is due within 30 days of the invoice date.",
        "How many days of annual leave do employees receive?",
        "员工每年享有二十五天年假。",
        "Employees receive 25 days of annual",
        "",
        "[1]",
        SENTENCE,
    ],
)
def test_unproved_cut_off_and_repeated_words_are_dropped(answerer_of: Make, invented: str) -> None:
    events, answer = ask(answerer_of(SayingEngine(invented, demo=True)), LEAVE)
    assert not any(isinstance(event, Replaced) for event in events)
    assert answer.text == first_text(events)
    assert answer.text.split("\n")[0].endswith("[1]")


def test_what_the_passages_do_not_mention_is_said(answerer_of: Make) -> None:
    engine = SayingEngine("Payment is due within 30 days.", demo=True)
    _, answer = ask(
        answerer_of(engine), "When is payment due to Norfolk Pumps in Santiago under order PX-88?"
    )
    assert answer.text.startswith("These passages do not mention: Santiago, PX-88.")
    assert "Payment is due within 30 days" in answer.text


def test_the_prompt_of_the_weak_model_is_small(answerer_of: Make) -> None:
    engine = SayingEngine("No.", demo=True)
    ask(answerer_of(engine), LEAVE)
    assert engine.count_messages(engine.prompts[0]) < 1000


def test_the_engines_death_leaves_the_quotations_and_is_told(answerer_of: Make) -> None:
    engine = SayingEngine("Employees receive", demo=True, error=EngineDied("It died.", fix="Ask again."))
    events: list[Event] = []
    with pytest.raises(EngineDied):
        events.extend(answerer_of(engine).ask(LEAVE, collections=["default"]))
    last = events[-1]
    assert isinstance(last, Finished)
    assert SENTENCE in last.answer.text
    assert last.answer.citations
    assert last.answer.stopped
