"""Which documents are of one form, and when a question is asked of each of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rag import settings as settings_module
from rag.answering import Answerer
from rag.answering.events import Finished
from rag.answering.every import asks_over_documents
from rag.embedding.protocol import Embedder
from rag.library import Library
from rag.records import Answer
from tests.rag.answering.standins import SayingEngine
from tests.rag.papers import write_papers

TENANTS = ("Adler", "Bianchi", "Curie", "Duarte", "Eriksen", "Fontana", "Gruber", "Horvat", "Ibsen", "Jansen")
LEASES = {
    f"leases/Lease of {name}.md": (
        f"Lease agreement\n\nTenant: {name}\n\nThe lease runs for {12 * n} months and ends on"
        f" {n} June {2025 + n}.\n\nThe rent is EUR {n * 150} a month."
        f"\n\nBoth sides may end it with {30 + n} days' notice.",
    )
    for n, name in enumerate(TENANTS, start=1)
}
OTHERS = {
    "leases/How we let.md": (
        "Rooms are shown on Mondays. A deposit of two months is asked for. Dogs are welcome.",
    ),
    "staff/holidays.md": ("Everybody has 28 days of leave. Whoever works longer than 10 years has 31 days.",),
    "staff/hours.md": ("The office is open from 9 to 17 o'clock. Lunch is at noon.",),
}


@pytest.fixture(scope="module")
def answerer(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Iterator[Answerer]:
    home = tmp_path_factory.mktemp("alike")
    write_papers(home, embedder, {**LEASES, **OTHERS})
    settings = settings_module.load(home=home)
    library = Library.open(settings)
    yield Answerer(settings, library, embedder, SayingEngine("", demo=True))
    library.close()


def ask(answerer: Answerer, question: str) -> Answer:
    events = answerer.ask(question, collections=["default"], mode="complete")
    (finished,) = [event for event in events if isinstance(event, Finished)]
    return finished.answer


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("Which leases run longer than 60 months?", "**5** of 10 have a value > 60"),
        ("Which leases end before 1 January 2029?", "**3** of 10 have a day before 1 january 2029"),
        ("What is the total rent of all leases?", "The sum over 10 documents is **8,250"),
        ("Which lease has the highest rent?", "(leases/Lease of Jansen.md"),
    ],
)
def test_names_without_numbers_tell_no_form_but_their_texts_do(
    answerer: Answerer, question: str, says: str
) -> None:
    answer = ask(answerer, question)
    assert says.replace(",", "") in answer.text.replace(",", "")
    assert answer.coverage["documents"] == 10
    assert "How we let" not in answer.text
    assert all(citation.verified for citation in answer.citations)


@pytest.mark.parametrize(
    "question",
    [
        "How long does the lease of Curie run?",
        "What is the rent of Duarte in total?",
        "How many days of leave has whoever works longer than 10 years?",
    ],
)
def test_one_of_them_is_asked_about(answerer: Answerer, question: str) -> None:
    assert "documents" not in ask(answerer, question).coverage


@pytest.mark.parametrize(
    ("question", "over_all"),
    [
        ("List all pumps with a flow under 30 l/min.", True),
        ("所有门店的销售额合计是多少？", True),
        ("Which site has the most employees?", True),
        ("What happens if the delay is longer than 30 days?", False),
        ("Who signs the contract?", False),
    ],
)
def test_which_questions_ask_over_documents(question: str, over_all: bool) -> None:
    assert asks_over_documents(question) is over_all
