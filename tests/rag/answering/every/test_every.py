"""Every chosen document is asked: all values or an explicit limit, and who is silent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from rag.answering import Answerer
from rag.answering.coverage import coverage_line
from rag.answering.events import Delta, Event, Finished, Progress, Retrieved
from rag.answering.every.documents import natural
from rag.citations import MARKER
from rag.embedding.protocol import Embedder
from rag.engine.local import LocalEngine
from rag.errors import EngineDied
from rag.library import Library, writing
from rag.records import Answer
from rag.retrieval.filters import Filters
from rag.settings import AnsweringSettings, Settings
from tests.rag.answering.answers import assert_sound, shown
from tests.rag.answering.standins import SayingEngine, ScriptedEngine
from tests.rag.library.samples import WordEmbedder, document, put

QUESTION = "What is the measured flow of the pump?"
HALLS = ("Kestrel", "Merlin", "Osprey", "Heron")


def flow(number: int) -> int:
    return 20 + number * 37 % 880


def silent(number: int) -> bool:
    return number % 13 == 0


def report(number: int) -> str:
    first = (
        f"Report {number}. The pump stands in hall {HALLS[number % 4]}. "
        f"It was painted on {1 + number % 28} March.\n"
    )
    if silent(number):
        return first + "Everything else was lost in the move of the archive."
    return first + f"The measured flow of pump P-{number} is {flow(number)} l/min. The seals are tight."


def library_of(home: Path, count: int, embedder: WordEmbedder) -> Settings:
    settings = Settings(home=home)
    with writing(settings) as writer:
        for number in range(1, count + 1):
            put(writer, embedder, f"reports/report-{number}.txt", document(report(number), salt=str(number)))
        writer.publish()
    return settings


@pytest.fixture(scope="module")
def words() -> WordEmbedder:
    return WordEmbedder()


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory, words: WordEmbedder) -> Settings:
    return library_of(tmp_path_factory.mktemp("many"), 60, words)


@pytest.fixture
def shelf(many: Settings) -> Iterator[Library]:
    opened = Library.open(many)
    yield opened
    opened.close()


def ask(answerer: Answerer, question: str = QUESTION, **options: object) -> tuple[list[Event], Answer]:
    events = list(answerer.ask(question, collections=["default"], mode="every", **options))  # type: ignore[arg-type]
    assert isinstance(events[-1], Finished)
    return events, events[-1].answer


def first(count: int) -> Filters:
    return Filters(documents=tuple(f"reports/report-{number}.txt" for number in range(1, count + 1)))


def reading_engine(numbers: Sequence[int], **options: object) -> ScriptedEngine:
    """A model that reads: it says what the one source before it says."""
    script = [
        (f"pump P-{n} is", f"The measured flow of pump P-{n} is {flow(n)} l/min [1].")
        for n in numbers
        if not silent(n)
    ]
    return ScriptedEngine(script=script, otherwise="not stated", **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("demo", [True, False])
@pytest.mark.parametrize("count", [15, 60])
def test_all_values_are_there_and_the_silent_are_named(
    many: Settings, shelf: Library, words: WordEmbedder, count: int, demo: bool
) -> None:
    engine = SayingEngine(demo=True) if demo else reading_engine(range(1, count + 1))
    events, answer = ask(Answerer(many, shelf, words, engine), where=first(count))
    assert_sound(answer)
    quiet = [number for number in range(1, count + 1) if silent(number)]
    assert (answer.coverage["documents"], answer.coverage["of"]) == (count, count)
    assert answer.coverage["not_stated"] == [f"reports/report-{number}.txt" for number in quiet]
    rows = [line for line in answer.text.splitlines() if line.startswith("| reports/")]
    assert len(rows) == count - len(quiet)
    for number in range(1, count + 1):
        row = [line for line in rows if f"| reports/report-{number}.txt |" in line]
        assert len(row) == (not silent(number))
        if row:
            assert f"{flow(number)} l/min" in row[0]
            (n,) = MARKER.findall(row[0])
            assert answer.evidence[int(n) - 1].path == f"reports/report-{number}.txt"
    assert f"{count} of {count} documents read, {len(quiet)} silent" in answer.text
    assert coverage_line(answer.coverage, "en") == f"{count} of {count} documents read, {len(quiet)} silent"
    assert shown(events) == answer.text
    assert answer.unsupported == ()


def test_progress_comes_for_every_document_and_rows_as_they_are_read(
    many: Settings, shelf: Library, words: WordEmbedder
) -> None:
    engine = reading_engine(range(1, 16))
    events, answer = ask(Answerer(many, shelf, words, engine), where=first(15))
    begun = [event.about for event in events if isinstance(event, Progress) and event.about]
    assert list(dict.fromkeys(begun)) == [f"reports/report-{number}.txt" for number in range(1, 16)]
    assert sum(isinstance(event, Delta) and "| reports/" in event.text for event in events) == 14
    evidence = [event.evidence for event in events if isinstance(event, Retrieved)]
    assert all(later[: len(earlier)] == earlier for earlier, later in pairwise(evidence))
    assert evidence[-1] == answer.evidence


def test_an_explicit_limit(many: Settings, shelf: Library, words: WordEmbedder) -> None:
    bounded = many.model_copy(update={"answering": AnsweringSettings(every_limit=20)})
    _, answer = ask(Answerer(bounded, shelf, words, SayingEngine(demo=True)))
    assert (answer.coverage["documents"], answer.coverage["of"]) == (20, 60)
    assert "At most 20 documents are read at once" in answer.text
    assert "the other 40 were not" in answer.text


def test_values_over_a_limit_and_their_sum(many: Settings, shelf: Library, words: WordEmbedder) -> None:
    answerer = Answerer(many, shelf, words, SayingEngine(demo=True))
    _, answer = ask(answerer, "Which pumps have a measured flow over 400 l/min?", where=first(15))
    over = [number for number in range(1, 16) if not silent(number) and flow(number) > 400]
    assert f"**{len(over)}** of 14 have a value > 400" in answer.text
    _, answer = ask(answerer, "What is the total measured flow of all pumps?", where=first(15))
    total = sum(flow(number) for number in range(1, 16) if not silent(number))
    assert f"**{total} l/min**" in answer.text


def test_stopping_in_the_middle_stops_the_engine(many: Settings, shelf: Library, words: WordEmbedder) -> None:
    engine = reading_engine(range(1, 61))
    events = Answerer(many, shelf, words, engine).ask(QUESTION, collections=["default"], mode="every")
    for event in events:
        if isinstance(event, Progress) and event.done == 5:
            break
    events.close()  # type: ignore[attr-defined]
    assert engine.at_work == 0
    assert len(engine.prompts) <= 7


def test_what_was_read_stays_when_the_engine_dies(
    many: Settings, shelf: Library, words: WordEmbedder
) -> None:
    engine = reading_engine(range(1, 8))
    engine.script = [*engine.script, ("pump P-8 is", EngineDied("It died.", fix="Ask again."))]
    events: list[Event] = []
    with pytest.raises(EngineDied):
        events.extend(
            Answerer(many, shelf, words, engine).ask(QUESTION, collections=["default"], mode="every")
        )
    assert isinstance(events[-1], Finished)
    answer = events[-1].answer
    assert answer.stopped
    assert answer.coverage["documents"] == 7
    assert f"{flow(7)} l/min" in answer.text
    assert_sound(answer)


def test_an_invented_value_is_marked(many: Settings, shelf: Library, words: WordEmbedder) -> None:
    engine = ScriptedEngine(otherwise="The measured flow of the pump is 99999 l/min [1].")
    _, answer = ask(Answerer(many, shelf, words, engine), where=first(3))
    assert len(answer.unsupported) == 3
    assert not any(citation.verified for citation in answer.citations)


def test_real_models(
    papers_settings: Settings, library: Library, embedder: Embedder, engine: LocalEngine
) -> None:
    answerer = Answerer(papers_settings, library, embedder, engine)
    _, answer = ask(answerer, "How many days of annual leave are there?", where=Filters(documents=("hr",)))
    assert answer.coverage["of"] == 2
    assert "25 days" in answer.text
    assert_sound(answer)


@pytest.mark.parametrize(
    ("question", "sums"),
    [
        ("2023年各门店的员工人数是多少？", False),
        ("各门店员工人数合计多少？", True),
        ("每家门店有多少员工？", False),
    ],
)
def test_chinese_questions_to_each(tmp_path: Path, words: WordEmbedder, question: str, sums: bool) -> None:
    """What every document says is common, and still what is asked; a value may touch the words around it."""
    settings = Settings(home=tmp_path)
    with writing(settings) as writer:
        for number in range(1, 13):
            closed, open_ = "门店正在装修，暂停营业。", f"2023年该门店的员工人数为{10 + number}人。"
            said = closed if number == 5 else open_
            text = f"第{number}门店情况说明\n\n门店于2012年开业。{said}门店位于一楼。"
            put(writer, words, f"门店{number}.txt", document(text, salt=str(number)))
        writer.publish()
    shelf = Library.open(settings)
    try:
        answerer = Answerer(settings, shelf, words, SayingEngine(demo=True))
        _, answer = ask(answerer, question)
        _, other = ask(answerer, "各门店的停车位有多少个？")
    finally:
        shelf.close()
    assert answer.coverage["not_stated"] == ["门店5.txt"]
    for number in set(range(1, 13)) - {5}:
        assert f"员工人数为{10 + number}人" in answer.text
    assert ("11 份文档的合计为 **183 人**" in answer.text) == sums
    assert not other.found


def test_names_sort_as_people_count() -> None:
    assert sorted(["b10.txt", "b2.txt", "a/b3.txt"], key=natural) == ["a/b3.txt", "b2.txt", "b10.txt"]
