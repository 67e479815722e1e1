"""Documents in another language than the question: who of them speaks of what is asked."""

from __future__ import annotations

import pytest

from rag.embedding.protocol import Embedder
from rag.settings import Settings
from tests.rag.answering.answers import answered
from tests.rag.library.samples import fill

PAPERS = {
    "remote work.md": "Employees may work from home on two days a week. The manager agrees to the days.",
    "pumps.md": "The pump delivers 40 litres a minute. Its seals are changed every 500 hours.",
    "parking.md": "The car park has 120 places. Visitors sign in at the gate and get a permit for 1 day.",
    "offer.md": "Delivery takes 16 weeks. The warranty lasts 30 months from the day of acceptance.",
    "invoice.md": "The invoice of 3 May is over 1,200 euros. Payment is due within 45 days.",
    "远程办公.md": "员工每周可以在家办公两天，具体日期与直属主管商定。",
}


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Settings:
    papers = {name: f"{name.removesuffix('.md').capitalize()}\n\n{text}" for name, text in PAPERS.items()}
    return fill(tmp_path_factory.mktemp("abroad"), embedder, papers)


@pytest.mark.parametrize(
    "question", ["每周可以在家办公几天？", "How many days a week may one work from home?"]
)
def test_those_that_say_it_answer_in_either_language_and_no_others(
    settings: Settings, embedder: Embedder, question: str
) -> None:
    answer = answered(settings, embedder, question, mode="every")
    assert {citation.path for citation in answer.citations} == {"remote work.md", "远程办公.md"}
    assert set(answer.coverage["not_stated"]) == PAPERS.keys() - {"remote work.md", "远程办公.md"}
