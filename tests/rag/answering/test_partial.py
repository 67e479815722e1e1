"""Questions of all things of a kind, in a library of many documents of one form; whole tables and logs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rag import settings as settings_module
from rag.answering import Answerer, Mode
from rag.answering.partial import asks_of_many, form_of
from rag.embedding.protocol import Embedder
from rag.library import Library
from rag.records import Answer
from tests.rag.answering.answers import finished
from tests.rag.answering.standins import SayingEngine
from tests.rag.papers import write_papers

VALVES = {f"valve-{n:02d}.md": (f"Valve V{n} | Leakage\nV{n} | {n * 37 % 50}",) for n in range(1, 31)}
SHOPS = {f"门店{n:02d}.md": (f"门店{n}周报\n\n本周销售额为{n * 7 % 40 + 1}万元。",) for n in range(1, 31)}
LOG = "\n".join(
    f"2025-01-0{n % 3 + 1} 10:{n:02d}:00 {'ERROR scale drifted' if n % 4 == 0 else 'INFO weighed'}"
    for n in range(24)
)
TABLE = "Ticket | Hall | Minutes\n" + "\n".join(f"{n} | {'EW'[n % 2]} | {n * 3}" for n in range(1, 41))
DUTIES = "\n\n".join(
    f"Article {n}. The duties of hall {n} are: sweeping at {n % 24}:00 and a round, told to desk {n}."
    for n in range(1, 400)
)
OTHERS = {
    "duties.md": (DUTIES,),
    "scale.log": (LOG,),
    "tickets.csv": (TABLE,),
    "leave.md": ("Employees have 28 days of leave.",),
}


@pytest.fixture(scope="module")
def answerer(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Iterator[Answerer]:
    home = tmp_path_factory.mktemp("forms")
    write_papers(home, embedder, {**VALVES, **SHOPS, **OTHERS})
    settings = settings_module.load(home=home)
    library = Library.open(settings)
    yield Answerer(settings, library, embedder, SayingEngine("", demo=True))
    library.close()


def ask(answerer: Answerer, question: str, mode: Mode = "complete") -> Answer:
    return finished(list(answerer.ask(question, collections=["default"], mode=mode)))


def test_a_condition_is_asked_of_each_document_of_the_form(answerer: Answerer) -> None:
    answer = ask(answerer, "Which valves have a leakage over 40?")
    over = [n for n in range(1, 31) if n * 37 % 50 > 40]
    assert f"**{len(over)}** of 30 have a value > 40" in answer.text
    assert [f"| valve-{n:02d}.md |" in answer.text for n in range(1, 31)] == [n in over for n in range(1, 31)]
    assert answer.coverage["documents"] == answer.coverage["of"] == 30
    answer = ask(answerer, "哪些门店的销售额超过30万元？")
    assert "（只逐份询问了这一类文档。）" in answer.text
    assert "| 门店05.md |" in answer.text
    most = ask(answerer, "Which valve has the highest leakage?")
    assert "The highest value is **49**" in most.text


@pytest.mark.parametrize("mode", ["quick", "complete"])
def test_it_is_said_that_not_all_documents_were_looked_at(
    answerer: Answerer, mode: Mode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rag.answering.answerer.MOST_ALIKE", 29)
    answer = ask(answerer, "Which valves have a leakage over 40?", mode)
    assert "of 30 documents of this form were looked at" in answer.text
    assert "do not contain" not in answer.text
    answer = ask(answerer, "哪些门店的销售额超过30万元？", mode)
    assert "同类文档共 30 份" in answer.text
    assert "文档中没有找到" not in answer.text


def test_every_document_shows_those_that_meet_the_limit(answerer: Answerer) -> None:
    answer = ask(answerer, "哪些门店的销售额超过30万元？", "every")
    over = sum(n * 7 % 40 + 1 > 30 for n in range(1, 31))
    assert f"份中有 **{over}** 份的数值 > 300000" in answer.text
    assert answer.text.count("\n| 门店") == over


def test_nothing_is_added_where_one_thing_is_asked_for(answerer: Answerer) -> None:
    for question in ("How many days of leave do employees have?", "What is the leakage of valve V7?"):
        assert "were looked at" not in ask(answerer, question).text


@pytest.mark.parametrize("mode", ["quick", "complete"])
def test_a_table_is_summed_up_and_the_lines_of_a_log_are_counted(answerer: Answerer, mode: Mode) -> None:
    summary = ask(answerer, "Summarise the table of tickets.", mode)
    assert "**40** rows and 3 columns" in summary.text
    assert f"Minutes: sum {sum(n * 3 for n in range(1, 41))}" in summary.text
    assert summary.found
    assert all(citation.verified for citation in summary.citations)
    counted = ask(answerer, "How many ERROR lines are in the scale log?", mode)
    assert counted.text.startswith("**6** of the 24 lines of scale.log hold “ERROR”")
    of_day = ask(answerer, "scale日志中2025年1月1日有多少条ERROR？", mode)
    assert "**2** 行" in of_day.text


def test_a_long_text_of_which_a_part_was_read(answerer: Answerer) -> None:
    answer = ask(answerer, "List all duties of the halls.")
    assert "of duties.md was looked at" in answer.text
    assert "was looked at" not in ask(answerer, "What is the duty of hall 17?").text


def test_which_questions_ask_of_many() -> None:
    assert asks_of_many("所有仓库的盘点要求是什么？")
    assert not asks_of_many("仓库7的盘点要求是什么？")
    assert asks_of_many("List all fault codes.")
    assert not asks_of_many("Which valve has the highest leakage?")
    assert form_of("合同/第3号.txt") == form_of("合同/第12号.txt")
