from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from rag.embedding.protocol import Embedder
from rag.errors import EmbedderChanged, UsageError
from rag.library import Library, writing
from rag.records import Passage
from rag.retrieval import retrieve, search
from rag.settings import Settings
from tests.rag.library.samples import WordEmbedder, document, put


@pytest.fixture
def papers(papers_settings: Settings) -> Iterator[Library]:
    opened = Library.open(papers_settings)
    yield opened
    opened.close()


@pytest.fixture
def ask(papers: Library, papers_settings: Settings, embedder: Embedder) -> Any:
    def asked(question: str, limit: int = 3, collections: tuple[str, ...] = ("default",)) -> list[Passage]:
        return search(papers, embedder, question, collections, limit=limit, settings=papers_settings)

    return asked


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("How many days of annual leave do employees receive?", "hr/leave.pdf"),
        ("未使用的年假可以结转到什么时候？", "hr/年假规定.md"),
        ("When is the full backup of the file server made?", "it/backup.txt"),
        ("What notice period does the contract with Norfolk Pumps have?", "legal/supply.pdf"),
        ("What do the documents say about the notice period?", "legal/supply.pdf"),
    ],
)
def test_finds_the_paper(ask: Any, question: str, path: str) -> None:
    passages = ask(question)
    assert passages[0].path == path
    assert passages[0].collection == "default"
    assert 0 < len(passages) <= 3
    scores = [passage.score for passage in passages]
    assert scores == sorted(scores, reverse=True)
    assert {"fused", "dense"} <= passages[0].scores.keys()


@pytest.mark.parametrize(
    "question",
    ["Who won the football world cup in 1998?", "红烧肉怎么做才好吃？", "¿?", "   "],
)
def test_nothing_relevant_is_no_passage(ask: Any, question: str) -> None:
    assert ask(question) == []


def test_nobody_else_is_searched(ask: Any) -> None:
    assert ask("How many days of annual leave?", collections=("secret",)) == []
    assert ask("How many days of annual leave?", collections=()) == []


def test_steps_and_signals_are_told(papers: Library, papers_settings: Settings, embedder: Embedder) -> None:
    found = retrieve(papers, embedder, "annual leave days", ["default"], limit=2, settings=papers_settings)
    assert {"keyword", "background", "embed", "dense", "read", "fuse", "scores"} <= found.steps.keys()
    assert found.signals is not None
    assert found.signals.said > 0.5


def test_the_test_can_be_left_out(papers: Library, papers_settings: Settings, embedder: Embedder) -> None:
    question = "Who won the football world cup in 1998?"
    found = retrieve(papers, embedder, question, ["default"], limit=2, settings=papers_settings, test=False)
    assert len(found.passages) == 2


def test_a_question_longer_than_the_embedder_takes(
    papers: Library, papers_settings: Settings, embedder: Embedder
) -> None:
    question = "Which rules hold for the annual leave of the staff? " * 80
    short = search(papers, embedder, question[:52], ["default"], limit=1, settings=papers_settings)
    found = search(papers, embedder, question, ["default"], limit=1, settings=papers_settings)
    assert found[0].path == short[0].path


@pytest.fixture
def shelf(settings: Settings) -> Iterator[Library]:
    """Two collections of short lines, a copy among them."""
    words = WordEmbedder()
    with writing(settings) as writer:
        writer.create_collection("team")
        put(writer, words, "a.txt", document("The gate opens at seven.\nСклад закрыт в воскресенье."))
        put(writer, words, "copy.txt", document("THE GATE opens  at seven", salt="2"), collection="team")
        put(
            writer,
            words,
            "b.txt",
            document("The gate closes at nine.\nError ERR-4031: valve."),
            collection="team",
        )
        writer.publish()
    opened = Library.open(settings)
    yield opened
    opened.close()


def found(shelf: Library, settings: Settings, question: str, collections: list[str], limit: int) -> list[str]:
    passages = search(shelf, WordEmbedder(), question, collections, limit=limit, settings=settings)
    return [passage.chunk.text for passage in passages]


def test_one_limit_over_all_collections_and_no_repeats(shelf: Library, settings: Settings) -> None:
    both = found(shelf, settings, "When does the gate open at seven?", ["default", "team"], 2)
    assert len(both) == 2
    assert sum("seven" in text for text in both) == 1
    assert (
        found(shelf, settings, "gate at seven", ["default", "team"], 1)[0]
        .lower()
        .startswith("the gate opens")
    )


@pytest.mark.parametrize(
    ("question", "text"),
    [("ERR-4031", "Error ERR-4031: valve."), ("Склад закрыт?", "Склад закрыт в воскресенье.")],
)
def test_codes_and_other_scripts(shelf: Library, settings: Settings, question: str, text: str) -> None:
    assert found(shelf, settings, question, ["default", "team"], 3)[0] == text


def test_vectors_of_another_embedder_are_never_compared(shelf: Library, settings: Settings) -> None:
    with pytest.raises(EmbedderChanged, match="rebuild"):
        search(shelf, WordEmbedder(name="other"), "gate", ["default"], limit=1, settings=settings)


def test_an_empty_library_has_no_passages(settings: Settings) -> None:
    library = Library.open(settings)
    assert search(library, WordEmbedder(), "gate", ["default"], limit=1, settings=settings) == []
    library.close()


def test_a_limit_of_nothing_is_refused(shelf: Library, settings: Settings) -> None:
    with pytest.raises(UsageError):
        search(shelf, WordEmbedder(), "gate", ["default"], limit=0, settings=settings)


def test_a_change_of_the_library_is_seen_by_the_next_search(shelf: Library, settings: Settings) -> None:
    assert not any("bicycle" in text for text in found(shelf, settings, "bicycle cellar", ["default"], 3))
    with writing(settings) as writer:
        put(writer, WordEmbedder(), "c.txt", document("The bicycle stands in the cellar."))
        writer.publish()
    assert found(shelf, settings, "bicycle cellar", ["default"], 3)[0] == "The bicycle stands in the cellar."


def test_two_searches_at_once_find_what_each_finds_alone(
    papers: Library, papers_settings: Settings, embedder: Embedder
) -> None:
    questions = ["How many days of annual leave?", "年假可以结转吗？", "full backup of the file server"] * 4

    def ids(question: str) -> list[int]:
        found = search(papers, embedder, question, ["default"], limit=3, settings=papers_settings)
        return [passage.chunk.id for passage in found]

    alone = [ids(question) for question in questions]
    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(ids, questions)) == alone


def test_a_model_that_judges_is_told_what_is_near_in_the_other_language(
    papers: Library, papers_settings: Settings, embedder: Embedder
) -> None:
    def abroad(question: str, *, doubtful: bool) -> float | None:
        found = retrieve(
            papers,
            embedder,
            question,
            ["default"],
            limit=1,
            settings=papers_settings,
            test=False,
            doubtful=doubtful,
        )
        assert found.signals is not None
        return found.signals.abroad

    near, far = (abroad(question, doubtful=True) for question in ("数据副本保留多少天？", "红烧肉要炖多久？"))
    assert near is not None
    assert far is not None
    assert near > far + 0.02
    assert abroad("数据副本保留多少天？", doubtful=False) is None


@pytest.fixture
def abbreviated(settings: Settings, embedder: Embedder) -> Iterator[Library]:
    """Minutes in which every passage is of a meeting, and one of what the questions mean in other words."""
    lines = [
        "The chief executive officer, Maria Lund, led the company Ulvik Marine before she came to us.",
        "The new pumps of the company were delivered to the harbour before noon.",
        "The new hall has no company sign before its gate, and no experience room.",
        "Income from operations was 412 million in 2025 and 388 in 2024; net sales were 2,940 and 2,815.",
        "The margin of the page was improved before printing; both years are on the cover.",
        "The operating theatre gives both patients more room, an improving view and a margin of safety.",
    ]
    with writing(settings) as writer:
        for number, line in enumerate(lines):
            put(writer, embedder, f"minutes-{number}.txt", document(line, salt=str(number)))
        writer.publish()
    opened = Library.open(settings)
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("question", "path", "other"),
    [
        ("Has the new CEO led a similar company before?", "minutes-0.txt", "chief executive officer"),
        ("Is the operating margin improving? Give both years.", "minutes-3.txt", "income from operations"),
        ("营业利润率提高了吗？", "minutes-3.txt", "net sales"),
    ],
)
def test_other_names_of_what_is_asked_are_looked_for(
    abbreviated: Library, settings: Settings, embedder: Embedder, question: str, path: str, other: str
) -> None:
    found = retrieve(abbreviated, embedder, question, ["default"], limit=6, settings=settings, test=False)
    assert found.passages[0].path == path
    assert [other in thing.others for thing in found.named] == [True]
    # Only names that the library can know are looked for.
    assert not any("行政总裁" in thing.others for thing in found.named)


def test_a_name_that_the_documents_write_otherwise_is_said(
    abbreviated: Library, settings: Settings, embedder: Embedder
) -> None:
    asked = ("Who is the CEO?", "Who is the CXO?")
    named, unknown = (
        retrieve(abbreviated, embedder, question, ["default"], limit=3, settings=settings, test=False).signals
        for question in asked
    )
    assert named is not None
    assert unknown is not None
    assert named.said == 1.0
    assert unknown.said == 0.0
