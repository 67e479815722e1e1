"""Names of a question that the library's nearest passages know, or do not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rag.answering.silence import not_found_text, unheard_of
from rag.embedding.protocol import Embedder
from rag.library import Library, writing
from rag.retrieval import retrieve
from rag.settings import Settings
from tests.rag.library.samples import document, put

LINES = [
    "Ulvik Marine delivers pumps to the harbour of Leeds within four weeks of the order.",
    "Maria Lund leads the workshop and signs every order of more than 5,000 euros.",
    "The hall closes at nine, and whoever is there last locks the gate.",
]
CHINESE = [
    "华为的路由器保修三年，由深圳的车间负责维修。",
    "车间每周一上午九点开会。",
    "请假需要提前两天申请。",
]


@pytest.fixture
def english(settings: Settings, embedder: Embedder) -> Iterator[Library]:
    yield from shelved(settings, embedder, LINES)


@pytest.fixture
def mixed(settings: Settings, embedder: Embedder) -> Iterator[Library]:
    yield from shelved(settings, embedder, [*LINES[2:], *CHINESE])


def shelved(settings: Settings, embedder: Embedder, lines: list[str]) -> Iterator[Library]:
    with writing(settings) as writer:
        for number, line in enumerate(lines):
            put(writer, embedder, f"note-{number}.txt", document(line, salt=str(number)))
        writer.publish()
    opened = Library.open(settings)
    yield opened
    opened.close()


def unnamed(library: Library, settings: Settings, embedder: Embedder, question: str) -> bool:
    found = retrieve(library, embedder, question, ["default"], limit=3, settings=settings, test=False)
    assert found.signals is not None
    return found.signals.unnamed


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("When does Ulvik Marine deliver to Leeds?", False),
        ("When does the firm of Mr. Ulvik deliver?", False),  # one word of a name is enough
        ("When does Energex Corporation deliver to Leeds?", True),
        ("Who signs the orders of the FY2022?", False),  # codes are written in many ways
        ("When Is the Delivery of Energex Pumps to Leeds", False),  # a title: no capital tells a name
        ("Wann liefert die Firma nach Hamburg?", False),
        ("when does the hall close?", False),
    ],
)
def test_a_name_that_no_near_passage_has(
    english: Library, settings: Settings, embedder: Embedder, question: str, missing: bool
) -> None:
    assert unnamed(english, settings, embedder, question) is missing


def test_near_passages_in_another_language_write_a_name_otherwise(
    mixed: Library, settings: Settings, embedder: Embedder
) -> None:
    question = "How long is the warranty of the routers by Huawei in Shenzhen?"
    assert not unnamed(mixed, settings, embedder, question)
    assert unheard_of(mixed, question, ["default"]) == []


def test_what_is_said_of_names_that_no_document_has(english: Library) -> None:
    question = "Does Energex or Maria Lund's team sign the orders of Norfolk Foods?"
    assert unheard_of(english, question, ["default"]) == ["Energex", "Norfolk Foods"]
    assert unheard_of(english, "Who is Maria Lund?", ["default"]) == []
    said = not_found_text("en", ["a.md"], ["Energex", "Norfolk Foods"])
    assert "None of them mentions Energex, Norfolk Foods. The nearest ones are: a.md." in said
    assert "没有文档提到：Energex。" in not_found_text("zh", [], ["Energex"])
