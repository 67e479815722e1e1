"""A question that goes on from the conversation gets what it asks for, not what was quoted before."""

from __future__ import annotations

import pytest

from rag.answering import Mode
from rag.answering.extractive.earlier import Earlier
from rag.answering.extractive.units import units
from rag.answering.leaning import leans
from rag.embedding.protocol import Embedder
from rag.records import Answer, Turn
from rag.settings import Settings
from tests.rag.answering.answers import answered
from tests.rag.answering.extractive.quoting import evidence
from tests.rag.library.samples import fill

PAPERS = {
    "lease hall 4.md": "Lease of hall 4\n\nThe rent of the hall is 3,150 euros a month.\n\n"
    "The lease ends on 30 June 2031. It may be prolonged once by five years.\n\nThe owner is Tessa Brook.",
    "offer Kestrel.md": "Offer of Kestrel\n\nKestrel paints the fence for 2,400 euros. Work takes six days. "
    "Payment is due within 18 days.",
    "offer Merlin.md": "Offer of Merlin\n\nMerlin paints the fence for 2,950 euros. Work takes four days. "
    "Payment is due within 30 days.",
    "仓库.md": "六号仓库\n\n六号仓库的面积为八百平方米。\n\n仓库由刘洋负责管理。\n\n仓库每天六点开门。",
}


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Settings:
    return fill(tmp_path_factory.mktemp("going"), embedder, PAPERS)


def conversation(settings: Settings, embedder: Embedder, mode: Mode, *questions: str) -> list[Answer]:
    history: list[Turn] = []
    answers = []
    for question in questions:
        answers.append(answered(settings, embedder, question, mode=mode, history=history))
        history.append(Turn(question, answers[-1].text))
    return answers


@pytest.mark.parametrize("mode", ["quick", "complete"])
@pytest.mark.parametrize(
    ("first", "then", "said", "not_again"),
    [
        ("What is the rent of hall 4?", "And when does the lease end?", "30 June 2031", "3,150"),
        ("What is the rent of hall 4?", "Who is its owner?", "Tessa Brook", "3,150"),
        ("When does the lease of hall 4 end?", "Can it be prolonged?", "prolonged once", "3,150"),
        ("What does Kestrel ask for the fence?", "And how long does the work take?", "six days", "2,400"),
        ("六号仓库的面积是多少？", "那由谁负责？", "刘洋", "八百"),
    ],
)
def test_what_was_quoted_is_not_quoted_again(
    settings: Settings, embedder: Embedder, first: str, then: str, said: str, not_again: str, mode: Mode
) -> None:
    before, after = conversation(settings, embedder, mode, first, then)
    assert before.found
    assert said in after.text
    assert not_again not in after.text


def test_the_same_of_another_is_quoted_though_it_was_seen(settings: Settings, embedder: Embedder) -> None:
    _, after = conversation(
        settings, embedder, "complete", "How long does the work on the fence take?", "And Merlin?"
    )
    assert "four days" in after.text


def test_the_same_question_again_gets_the_same_answer(settings: Settings, embedder: Embedder) -> None:
    question = "What is the rent of hall 4?"
    first, second = conversation(settings, embedder, "complete", question, question)
    assert first.text == second.text


def test_what_an_answer_quoted_is_known_in_any_dress() -> None:
    texts = evidence("## Fees\n\nThe fee is 30 euros.\n\n- The fee is paid in cash.\n\nDogs are free.")
    told = units(texts)
    earlier = Earlier(("Fees: “The fee is 30 euros.” [1]\n\n“The fee is paid in cash.” [1]",), "And dogs?")
    said = {told[index].text for index in earlier.quoted(told, texts)}
    assert said == {"## Fees", "The fee is 30 euros.", "- The fee is paid in cash."}
    assert Earlier(("“The fee is 30 euros.” [1]",), "Which fee?").quoted(told, texts) == frozenset()
    assert Earlier().quoted(told, texts) == frozenset()


@pytest.mark.parametrize("question", ["What is stored there?", "How tight are the bolts then?"])
def test_such_a_question_leans(question: str) -> None:
    assert leans(question)


def test_such_a_question_stands_alone() -> None:
    assert not leans("Are there rules for dogs?")
