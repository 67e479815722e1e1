"""Complete answers: every part answered, checked, searched for once more, and owned up to."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rag.answering import Answerer
from rag.answering.coverage import coverage_line, unanswered
from rag.answering.events import Event, Finished, Progress, Retrieved
from rag.citations import MARKER
from rag.embedding.protocol import Embedder
from rag.engine.local import LocalEngine
from rag.errors import EngineDied, PromptTooLong
from rag.library import Library
from rag.records import Answer, Turn
from rag.settings import Settings
from tests.rag.answering.answers import Ask, assert_sound, finished, shown
from tests.rag.answering.standins import SayingEngine, ScriptedEngine

TWO = "How many days of annual leave do employees receive, and who is in charge of backups?"
THREE = "1. How long does parental leave last?\n2. When is payment due?\n3. What does the canteen cost?"


def steps(events: Sequence[Event]) -> list[str]:
    return [event.step for event in events if isinstance(event, Progress)]


LEAVE_PART = ("this part of it now: How many days", "Employees receive 25 days of annual leave per year [1].")
BACKUP_PART = ("this part of it now: Who is in charge", "The person in charge of backups is Petra Vos [2].")


def test_each_part_is_answered_from_evidence_of_its_own(ask: Ask) -> None:
    engine = ScriptedEngine(script=[("system:take questions apart", ""), LEAVE_PART, BACKUP_PART])
    events = ask(engine, TWO)
    answer = finished(events)
    assert_sound(answer)
    assert answer.coverage["answered"] == answer.coverage["of"] == 2
    assert {citation.path for citation in answer.citations} == {"hr/leave.pdf", "it/backup.txt"}
    assert answer.unsupported == ()
    assert shown(events) == answer.text
    assert coverage_line(answer.coverage, "en") == "2 of 2 parts answered"
    # The prompts of the parts differ at their end alone, so that what was read is read once.
    first, second = engine.prompts[-2:]
    assert first[:-1] == second[:-1]
    assert first[-1].content.partition("now: ")[0] == second[-1].content.partition("now: ")[0]
    assert answer.usage.prompt_tokens == 20 * len(engine.prompts)


def test_a_part_that_the_documents_do_not_answer_is_named(ask: Ask) -> None:
    engine = ScriptedEngine(
        script=[
            ("system:search for the question below", "canteen lunch price menu"),
            ("now: How long does parental", "Parental leave lasts 14 weeks at full pay [1]."),
            ("now: When is payment", "Payment is due within 30 days of the invoice date [2]."),
            ("now: What does the canteen", "The documents do not contain this."),
        ]
    )
    events = ask(engine, THREE)
    answer = finished(events)
    assert_sound(answer)
    assert (answer.coverage["answered"], answer.coverage["of"]) == (2, 3)
    assert unanswered(answer.coverage) == ["What does the canteen cost?"]
    assert "The documents do not say: What does the canteen cost?" in answer.text
    assert "**When is payment due?**" in answer.text
    assert answer.unsupported == ()
    assert "again" in steps(events)
    assert coverage_line(answer.coverage, "zh") == "已回答 3 个部分中的 2 个"


def test_what_has_no_support_is_searched_for_again_in_other_words(ask: Ask) -> None:
    """The model says nothing useful until it has seen what a search in its own words brings."""
    engine = ScriptedEngine(
        script=[
            ("system:search for the question below", "person in charge of backups of the file server"),
            ("Petra Vos", "Petra Vos is the person in charge of backups [N]."),
        ],
        otherwise="The documents do not contain this.",
    )
    question = "Who at the legal department limits liability to the total price?"
    plain = finished(ask(engine, question, budget=200, mode="quick"))
    assert not plain.found
    engine.script = [engine.script[0], ("Petra Vos", "The person in charge of backups is Petra Vos.")]
    events = ask(engine, question, budget=200)
    answer = finished(events)
    assert_sound(answer)
    assert answer.found
    assert "again" in steps(events)
    retrieved = [event.evidence for event in events if isinstance(event, Retrieved)]
    assert len(retrieved) == 2
    assert retrieved[1][: len(retrieved[0])] == retrieved[0]
    assert answer.citations[0].path == "it/backup.txt"
    assert answer.coverage["parts"][0]["searched_again"]  # type: ignore[index]


def test_nothing_at_all_is_said_once(ask: Ask) -> None:
    engine = ScriptedEngine(otherwise="The documents do not contain this.")
    answer = finished(ask(engine, TWO))
    assert not answer.found
    assert answer.citations == ()
    assert answer.text.count("do not contain") == 1
    assert answer.coverage["answered"] == 0


def test_the_models_list_of_parts_is_used_and_a_useless_one_is_not(ask: Ask) -> None:
    question = (
        "I would like to know all there is to know about how long parental leave lasts and the backups."
    )
    listed = "How long does parental leave last?\nWho is in charge of backups?"
    engine = ScriptedEngine(script=[("system:take questions apart", listed)], otherwise="Nobody knows.")
    answer = finished(ask(engine, question))
    assert [part["part"] for part in answer.coverage["parts"]] == listed.split("\n")  # type: ignore[attr-defined]
    engine = ScriptedEngine(script=[("system:take questions apart", "Sure!")], otherwise="Nobody knows.")
    assert finished(ask(engine, question)).coverage["of"] == 1


def test_a_short_question_costs_no_planning(ask: Ask) -> None:
    engine = SayingEngine("Employees receive 25 days of annual leave [1].")
    assert finished(ask(engine, "How many days of annual leave are there?")).found
    assert len(engine.prompts) == 1


def test_a_list_of_parts_that_leaves_out_half_of_the_question_is_not_used(ask: Ask) -> None:
    question = (
        "Please explain the carry-over of unused annual leave days, the notice period of the contract with "
        "Norfolk Pumps, and the weekly full backup of the file server."
    )
    engine = ScriptedEngine(
        script=[("system:take questions apart", "What is the notice period of the contract?")],
        otherwise="Nobody knows.",
    )
    answer = finished(ask(engine, question))
    assert [part["part"] for part in answer.coverage["parts"]] == [question]  # type: ignore[attr-defined]


def test_several_parts_read_all_that_a_quick_answer_reads_and_more(ask: Ask) -> None:
    engine = ScriptedEngine(otherwise="Employees receive 25 days of annual leave per year [1].", context=4096)
    for budget in (None, 160):
        plain = finished(ask(engine, TWO, mode="quick", budget=budget))
        answer = finished(ask(engine, TWO, budget=budget))
        if budget is None:
            first = answer.evidence[: len(plain.evidence)]
            assert [item.text for item in first] == [item.text for item in plain.evidence]
        else:
            assert sum(item.tokens for item in answer.evidence) <= budget


def test_what_a_quick_answer_answers_is_not_refused(ask: Ask) -> None:
    """A model that is silent about each part by itself, and answers the question as it stands."""
    said = "Employees receive 25 days of annual leave per calendar year [1]."
    engine = ScriptedEngine(
        script=[("this part of it now:", "The documents do not contain this.")], otherwise=said
    )
    assert finished(ask(engine, TWO, mode="quick")).found
    events = ask(engine, TWO)
    answer = finished(events)
    assert_sound(answer)
    assert answer.found
    assert "25 days" in answer.text
    assert "do not" not in answer.text
    assert shown(events) == answer.text
    assert (answer.coverage["answered"], answer.coverage["of"]) == (1, 1)


def test_when_the_engine_dies_the_finished_parts_stay(
    papers_settings: Settings, library: Library, embedder: Embedder
) -> None:
    died = EngineDied("It died.", fix="Ask again.")
    engine = ScriptedEngine(script=[LEAVE_PART, ("now: Who is in charge", died)])
    events: list[Event] = []
    with pytest.raises(EngineDied):
        events.extend(Answerer(papers_settings, library, embedder, engine).ask(TWO, collections=["default"]))
    answer = finished(events)
    assert answer.stopped
    assert "25 days" in answer.text
    assert (answer.coverage["answered"], answer.coverage["of"]) == (1, 2)
    assert_sound(answer)


def test_prompts_fit_into_a_small_context(ask: Ask) -> None:
    history = [Turn("What about sick leave? " * 10, "Tell your manager. " * 30)] * 3
    for context in (900, 1500):
        engine = ScriptedEngine(script=[LEAVE_PART, BACKUP_PART], context=context)
        finished(ask(engine, TWO, history=history))
        for messages, limit in zip(engine.prompts, engine.limits, strict=True):
            assert engine.count_messages(messages) + limit <= context
    with pytest.raises(PromptTooLong):
        ask(ScriptedEngine(context=300), TWO)


def test_the_models_number_for_old_and_new_evidence_never_dangles(ask: Ask) -> None:
    for said in ("25 days [99].", "Employees receive 25 days of annual leave 【7】(3)[doc 1].", "[1][2][3]"):
        answer = finished(ask(ScriptedEngine(otherwise=said), TWO))
        assert_sound(answer)
        assert {int(n) for n in MARKER.findall(answer.text)} <= {item.n for item in answer.evidence}


def complete(answerer: Answerer, question: str) -> Answer:
    last = list(answerer.ask(question, collections=["default"], mode="complete"))[-1]
    assert isinstance(last, Finished)
    return last.answer


def test_quotations_for_each_part(
    papers_settings: Settings, library: Library, embedder: Embedder, engine: LocalEngine
) -> None:
    answerer = Answerer(papers_settings, library, embedder, engine)
    answer = complete(answerer, TWO)
    assert_sound(answer)
    assert answer.extractive
    assert answer.coverage["answered"] == 2
    assert "25 days" in answer.text
    assert "Petra Vos" in answer.text
    chinese = complete(answerer, "员工每年有几天年假？病假须在什么时候告知上级？")
    assert "二十五天" in chinese.text
    assert "上午十点前" in chinese.text
    assert coverage_line(chinese.coverage, "zh") == "已回答 2 个部分中的 2 个"


def test_quotations_say_which_part_is_not_there(
    papers_settings: Settings, library: Library, embedder: Embedder
) -> None:
    answerer = Answerer(papers_settings, library, embedder, SayingEngine(demo=True))
    answer = complete(answerer, "Who is in charge of backups? What is the colour charge of a gluon?")
    assert "Petra Vos" in answer.text
    assert unanswered(answer.coverage) == ["What is the colour charge of a gluon?"]
    assert "The documents do not say: What is the colour charge of a gluon?" in answer.text


@pytest.mark.parametrize(
    "question",
    [
        "How many days of annual leave do employees receive?",
        TWO,
        "How long does parental leave last, and to whom does the request go?",
        "When is payment due, and what is the total price with Norfolk Pumps?",
        "员工每年有几天年假，没用完的怎么办？病假什么时候告知，要交什么？",
        "What does the contract say on subcontracting, liability and disputes?",
    ],
)
def test_whatever_a_quick_answer_quotes_is_quoted(
    papers_settings: Settings, library: Library, embedder: Embedder, question: str
) -> None:
    answerer = Answerer(papers_settings, library, embedder, SayingEngine(demo=True))
    (*_, last) = answerer.ask(question, collections=["default"], mode="quick")
    answer = complete(answerer, question)
    assert_sound(answer)
    assert isinstance(last, Finished)
    for quick in last.answer.citations:
        assert any(
            each.path == quick.path and each.start < quick.end and quick.start < each.end
            for each in answer.citations
        )
    quotations = [
        line for line in answer.text.split("\n\n") if line.startswith(("“", "What comes", "最接近"))
    ]
    assert len(quotations) == len(set(quotations))
    assert len(answer.text) < 2500


def test_a_part_that_leans_on_the_rest_is_answered_by_what_is_quoted(
    papers_settings: Settings, library: Library, embedder: Embedder
) -> None:
    answerer = Answerer(papers_settings, library, embedder, SayingEngine(demo=True))
    answer = complete(answerer, "How long does parental leave last, and when must it be announced?")
    assert answer.coverage["answered"] == 2
    assert "14 weeks" in answer.text
    assert "eight weeks before" in answer.text


def test_a_part_about_something_else_quotes_nothing_as_its_answer(
    papers_settings: Settings, library: Library, embedder: Embedder
) -> None:
    answerer = Answerer(papers_settings, library, embedder, SayingEngine(demo=True))
    answer = complete(answerer, "员工每年有几天年假？猫流口水是怎么回事？")
    assert unanswered(answer.coverage) == ["猫流口水是怎么回事？"]
    assert answer.text.endswith("文档没有说明：猫流口水是怎么回事？")
    assert "二十五天" in answer.text


def test_the_answer_about_one_name_is_not_that_about_another(
    papers_settings: Settings, library: Library, embedder: Embedder
) -> None:
    answerer = Answerer(papers_settings, library, embedder, SayingEngine(demo=True))
    question = "When is payment to Norfolk Pumps due? When is payment to Suffolk Valves due?"
    answer = complete(answerer, question)
    assert unanswered(answer.coverage) == ["When is payment to Suffolk Valves due?"]
    assert "The documents do not say: When is payment to Suffolk Valves due?" in answer.text
    assert "30 days" in answer.text
