"""A "go on" after quotations reads on where they stand, until there is no more."""

from __future__ import annotations

import pytest

from rag.answering import Mode
from rag.answering.extractive.units import units
from rag.answering.further import beside_quoted, no_more
from rag.answering.offers import offered
from rag.embedding.protocol import Embedder
from rag.records import Turn
from rag.settings import Settings
from tests.rag.answering.answers import answered
from tests.rag.answering.extractive.quoting import evidence
from tests.rag.answering.standins import SayingEngine
from tests.rag.library.samples import fill

PAPERS = {
    "winch.md": "# Winch\n\nThe winch lifts 900 kilograms. The cable is greased every second month. "
    "A grease gun lies in drawer 5.\n\n# Canteen\n\nThe canteen opens at eleven.",
    "绞车.md": "# 绞车\n\n车间里的绞车可以起吊九百公斤的货物。钢索每两个月润滑一次。油枪放在五号抽屉。\n\n"
    "# 食堂\n\n食堂十一点开门。",
}


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Settings:
    return fill(tmp_path_factory.mktemp("further"), embedder, PAPERS)


@pytest.mark.parametrize("mode", ["quick", "complete"])
@pytest.mark.parametrize(
    ("question", "quoted", "wish", "more", "elsewhere"),
    [
        (
            "How much does the winch lift?",
            "“The winch lifts 900 kilograms.” [1]",
            "go on",
            "greased",
            "eleven",
        ),
        ("绞车可以起吊多少？", "“车间里的绞车可以起吊九百公斤的货物。” [1]", "继续", "润滑一次", "十一点"),
    ],
)
def test_it_reads_on_under_the_same_heading(
    settings: Settings,
    embedder: Embedder,
    mode: Mode,
    question: str,
    quoted: str,
    wish: str,
    more: str,
    elsewhere: str,
) -> None:
    answer = answered(settings, embedder, wish, mode=mode, history=[Turn(question, quoted)])
    assert more in answer.text
    assert quoted[:12] not in answer.text
    assert elsewhere not in answer.text
    assert answer.citations
    assert all(citation.verified for citation in answer.citations)


def test_where_all_was_quoted_it_says_so(settings: Settings, embedder: Embedder) -> None:
    everything = PAPERS["winch.md"].split("\n\n")[1]
    history = [Turn("How much does the winch lift?", f"“{everything}” [1]")]
    answer = answered(settings, embedder, "tell me more", history=history)
    assert answer.text == no_more("en")
    assert answer.citations == ()


def test_a_model_that_can_write_goes_on_by_itself(settings: Settings, embedder: Embedder) -> None:
    engine = SayingEngine("It is greased every second month [1].")
    history = [Turn("How much does the winch lift?", "900 kilograms [1].")]
    answer = answered(settings, embedder, "go on", mode="quick", engine=engine, history=history)
    assert answer.text.startswith("It is greased every second month")


def test_what_is_said_when_there_is_no_more_offers_nothing() -> None:
    assert not offered(no_more("en"))
    assert not offered(no_more("zh"))


def test_beside_is_three_behind_and_one_before() -> None:
    (item,) = evidence("One is here. Two is here. Three is here. Four is here. Five is here. Six is here.")
    everything = units([item])
    assert beside_quoted(everything, [1], [1]) == [0, 2, 3, 4]
    assert beside_quoted(everything, [1], [0, 1, 2]) == [3, 4]
    assert beside_quoted(everything, [], []) == []
