"""A table's answer although its rows would not pass for evidence; silence where the table is another one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rag import settings as settings_module
from rag.answering import Answerer, Mode
from rag.embedding.protocol import Embedder
from rag.library import Library
from rag.records import Answer
from tests.rag.answering.answers import finished
from tests.rag.answering.standins import SayingEngine
from tests.rag.papers import write_papers

OFFICE = {
    "sites.md": (
        "Site | Headcount | Manager | Opened\nBremen | 48 | A. Vogt | 2009\nPorto | 112 | P. Lima | 2014\n"
        "Turin | 37 | C. Rossi | 2003",
    ),
    "stock_list.md": (
        "Spare parts, end of March\n\nNo. | Description | Unit price EUR | Warehouse\n"
        "A-1 | Bearing | 4.20 | Porto\nA-2 | Control box | 1180 | Turin\nA-3 | Belt | 18.90 | Turin",
    ),
    "各厂情况.md": ("工厂 | 在册人数 | 负责人\n无锡 | 152 | 周敏\n绵阳 | 97 | 陈立\n沧州 | 64 | 何芳",),
    "leave.md": ("Employees have 28 working days of annual leave. Unused days lapse on 31 March.",),
    "访客.md": ("访客在门卫处登记并佩戴黄色胸牌，车间内禁止拍照。",),
}


@pytest.fixture(scope="module")
def answerer(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Iterator[Answerer]:
    home = tmp_path_factory.mktemp("office")
    write_papers(home, embedder, OFFICE)
    settings = settings_module.load(home=home)
    library = Library.open(settings)
    yield Answerer(settings, library, embedder, SayingEngine("", demo=True))
    library.close()


def ask(answerer: Answerer, question: str, mode: Mode) -> Answer:
    return finished(list(answerer.ask(question, collections=["default"], mode=mode)))


@pytest.mark.parametrize("mode", ["quick", "complete"])
@pytest.mark.parametrize(
    ("question", "value", "path"),
    [
        ("What is the priciest item?", "1180", "stock_list.md"),
        ("Which location has the fewest staff?", "37", "sites.md"),
        ("Which plant is the oldest?", "2003", "sites.md"),
        ("哪个厂人最多？", "152", "各厂情况.md"),
    ],
)
def test_the_table_answers(answerer: Answerer, question: str, value: str, path: str, mode: Mode) -> None:
    answer = ask(answerer, question, mode)
    assert answer.found
    assert f"**{value}**" in answer.text
    assert {citation.path for citation in answer.citations} == {path}
    assert all(citation.verified for citation in answer.citations)


@pytest.mark.parametrize("mode", ["quick", "complete"])
@pytest.mark.parametrize(
    "question",
    [
        "How many complaints about noise were there in total?",
        "Which river of Asia is the longest?",
        "What is the highest fine for speeding?",
        "最贵的车是哪辆？",
        "全国一共有多少支羽毛球队？",
    ],
)
def test_other_tables_stay_silent(answerer: Answerer, question: str, mode: Mode) -> None:
    answer = ask(answerer, question, mode)
    assert "table" not in answer.coverage
    assert not answer.found


def test_the_row_of_a_named_thing_is_shown_whole(answerer: Answerer) -> None:
    question = "How many employees does the Porto site have and when was it opened?"
    answer = ask(answerer, question, "complete")
    assert "**112**" in answer.text
    assert "Porto | 112 | P. Lima | 2014" in answer.text
