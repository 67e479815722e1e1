"""A whole document, chapter by chapter: every chapter is covered, or named as not covered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from ingest.sync import run as ingest
from rag.answering import Answerer
from rag.answering.chapters.dividing import chapters_of
from rag.answering.chapters.wanting import by_chapters, named_words, sums_up
from rag.answering.coverage import coverage_line
from rag.answering.events import Event, Progress, Retrieved
from rag.citations import MARKER
from rag.embedding.protocol import Embedder
from rag.errors import EngineDied
from rag.library import Library, writing
from rag.records import Document, Heading, Page
from rag.retrieval.filters import Filters
from rag.settings import Settings
from tests.rag.answering.answers import Ask, assert_sound, finished, shown
from tests.rag.answering.standins import SayingEngine, ScriptedEngine
from tests.rag.library.samples import WordEmbedder, document, put

CHAPTERS = 30
QUESTION = "Give me a chapter-by-chapter summary of the pump manual."


def said(number: int) -> str:
    return f"Pump P-{number} moves {100 + number} litres a minute through valve V-{number}."


def manual(chapters: int = CHAPTERS, long: Sequence[int] = ()) -> Document:
    """Pages of one chapter each. long: chapters that no small window holds."""
    pages, headings, at = [], [], 0
    for number in range(1, chapters + 1):
        filler = "The crew writes down the pressure before the shift ends and hands the book on. "
        text = f"Chapter {number} Pump P-{number}\n{said(number)} {filler * (120 if number in long else 3)}"
        headings.append(Heading(at, 1, f"Chapter {number} Pump P-{number}"))
        pages.append(Page(number, text))
        at += len(text) + 2
    return Document(f"{chapters:064d}", "pdf", tuple(pages), tuple(headings), "The pump manual")


@pytest.fixture(scope="module")
def words() -> WordEmbedder:
    return WordEmbedder()


@pytest.fixture(scope="module")
def shelf_settings(tmp_path_factory: pytest.TempPathFactory, words: WordEmbedder) -> Settings:
    settings = Settings(home=tmp_path_factory.mktemp("chapters"))
    with writing(settings) as writer:
        put(writer, words, "manuals/pump-manual.pdf", manual())
        put(writer, words, "manuals/long-book.pdf", replace(manual(5, long=[2, 4]), title="A long book"))
        put(writer, words, "notes/canteen.txt", document("The canteen opens at seven. Soup is free."))
        writer.publish()
    return settings


@pytest.fixture
def shelf(shelf_settings: Settings) -> Iterator[Library]:
    opened = Library.open(shelf_settings)
    yield opened
    opened.close()


@pytest.fixture
def ask(shelf_settings: Settings, shelf: Library, words: WordEmbedder) -> Ask:
    def asking(engine: SayingEngine, question: str = QUESTION, **options: object) -> list[Event]:
        answerer = Answerer(shelf_settings, shelf, words, engine)
        return list(answerer.ask(question, collections=["default"], **options))  # type: ignore[arg-type]

    return asking


def reader(numbers: Sequence[int] = range(1, CHAPTERS + 1), **options: object) -> ScriptedEngine:
    """A model that reads: it says what the one chapter before it says."""
    script = [(f"Pump P-{n} moves", f"{said(n)} [1]") for n in numbers]
    return ScriptedEngine(script=script, otherwise="not stated", **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("mode", ["quick", "complete"])
@pytest.mark.parametrize("demo", [True, False])
def test_every_chapter_is_covered_within_a_small_window(ask: Ask, demo: bool, mode: str) -> None:
    engine = SayingEngine(demo=True) if demo else reader(context=1536)
    events = ask(engine, mode=mode)
    answer = finished(events)
    assert_sound(answer)
    assert shown(events) == answer.text
    assert coverage_line(answer.coverage, "en") == "30 of 30 chapters covered"
    assert "30 of 30 chapters covered." in answer.text
    assert "manuals/pump-manual.pdf" in answer.text.splitlines()[0]
    parts = answer.text.split("**Chapter ")[1:]
    assert len(parts) == CHAPTERS
    for number, part in enumerate(parts, start=1):
        assert part.startswith(f"{number} Pump P-{number}**")
        assert f"{100 + number} litres" in part
        cited = {int(n) for n in MARKER.findall(part)}
        assert {page for n in cited for page in answer.evidence[n - 1].pages} == {number}
    assert answer.unsupported == ()
    begun = [event.about for event in events if isinstance(event, Progress) and event.about]
    assert len(dict.fromkeys(begun)) == CHAPTERS
    if not demo:
        assert len(engine.prompts) == CHAPTERS
        for prompt, limit in zip(engine.prompts, engine.limits, strict=True):
            assert engine.count_messages(prompt) + limit <= engine.context


def test_a_chapter_of_which_the_model_says_nothing_is_named_as_not_covered(ask: Ask) -> None:
    answer = finished(ask(reader([n for n in range(1, 31) if n not in (7, 19)])))
    assert_sound(answer)
    assert answer.coverage["not_covered"] == ["Chapter 7 Pump P-7", "Chapter 19 Pump P-19"]
    assert "28 of 30 chapters covered." in answer.text
    assert "Not covered: Chapter 7 Pump P-7, Chapter 19 Pump P-19." in answer.text


@pytest.mark.parametrize("demo", [True, False])
def test_a_chapter_longer_than_the_window_is_read_in_part_and_that_is_said(ask: Ask, demo: bool) -> None:
    engine = SayingEngine(demo=True) if demo else reader(context=1536)
    answer = finished(ask(engine, "Summarise long-book.pdf", budget=400))
    assert_sound(answer)
    assert answer.coverage["partly"] == ["Chapter 2 Pump P-2", "Chapter 4 Pump P-4"]
    assert "Longer than the budget and read in part: Chapter 2 Pump P-2, Chapter 4 Pump P-4." in answer.text
    assert coverage_line(answer.coverage, "en") == "5 of 5 chapters covered; 2 of them read in part"


def test_it_can_be_stopped_and_an_engine_that_dies_leaves_what_was_read(
    shelf_settings: Settings, shelf: Library, words: WordEmbedder
) -> None:
    engine = reader()
    events = Answerer(shelf_settings, shelf, words, engine).ask(QUESTION, collections=["default"])
    for event in events:
        if isinstance(event, Retrieved) and len(event.evidence) == 3:
            break
    events.close()  # type: ignore[attr-defined]
    assert engine.at_work == 0
    assert len(engine.prompts) <= 4

    dying = ScriptedEngine(
        script=[("P-4 moves", EngineDied("It ended.", fix="Ask again.")), *reader().script]
    )
    seen: list[Event] = []
    with pytest.raises(EngineDied):
        collect(Answerer(shelf_settings, shelf, words, dying).ask(QUESTION, collections=["default"]), seen)
    answer = finished(seen)
    assert answer.stopped
    assert (answer.coverage["covered"], answer.coverage["chapters"]) == (3, CHAPTERS)


def collect(events: Iterator[Event], into: list[Event]) -> None:
    for event in events:
        into.append(event)


def test_which_document_is_said_or_asked(ask: Ask) -> None:
    engine = reader()
    answer = finished(ask(engine, "Summarise the whole document chapter by chapter."))
    assert not answer.found
    assert engine.prompts == []
    for path in ("manuals/pump-manual.pdf", "manuals/long-book.pdf", "notes/canteen.txt"):
        assert path in answer.text
    chosen = finished(
        ask(engine, "Summarise the whole document.", where=Filters(documents=("manuals/pump-manual.pdf",)))
    )
    assert chosen.coverage["documents_read"] == ["manuals/pump-manual.pdf"]
    chinese = finished(ask(SayingEngine(demo=True), "请逐章总结 pump-manual"))
    assert "30 个章节中已覆盖 30 个" in chinese.text


def test_other_summaries_are_questions_like_others(ask: Ask) -> None:
    answer = finished(ask(SayingEngine(demo=True), "Summarise what valve V-12 does"))
    assert "chapters" not in answer.coverage


@pytest.mark.parametrize(
    "question",
    [
        "chapter by chapter, please", "Summarize each chapter", "a section-by-section overview", "逐章总结",
        "请概括每一章的内容", "按章节总结这本手册", "What does each chapter say?",
    ],
)  # fmt: skip
def test_wishes_for_chapters(question: str) -> None:
    assert by_chapters(question)


@pytest.mark.parametrize(
    "question",
    [
        "What does chapter 5 say about claims?",
        "第三章规定了什么？",
        "How many chapters does it have?",
        "总结一下年假规定",
    ],
)
def test_no_wishes_for_chapters(question: str) -> None:
    assert not by_chapters(question)


def test_the_words_that_name_a_document() -> None:
    assert sums_up("Summarise the travel policy")
    assert named_words("Summarise the travel policy") == named_words("travel policy")
    assert not named_words("请总结全文的主要内容")


def test_levels_stretches_and_the_text_before_the_first_chapter() -> None:
    text = "The book\n\n" + "About it. " * 30 + "\n\nPart A\n\nOne.\n\nA.1\n\nTwo.\n\nPart B\n\nThree."
    headings = [(0, 1, "The book")]
    headings += [
        (text.index(title), level, title) for level, title in ((2, "Part A"), (3, "A.1"), (2, "Part B"))
    ]
    book = Document("0", "docx", (Page(None, text),), tuple(Heading(*each) for each in headings), "The book")
    found = chapters_of(book, "en")
    assert [chapter.title for chapter in found] == ["Beginning", "Part A", "Part B"]
    assert "".join(text[chapter.start : chapter.end] for chapter in found) == text

    pages = Document("0", "pdf", tuple(Page(n, f"Page {n} says so.") for n in range(1, 101)))
    stretches = chapters_of(pages, "en")
    assert [stretches[0].title, stretches[-1].title, len(stretches)] == ["pages 1–8", "pages 92–100", 12]
    covered = "".join(pages.text[chapter.start : chapter.end] for chapter in stretches)
    assert all(f"Page {n} says so." in covered for n in range(1, 101))

    plain = Document("0", "text", (Page(None, "A line of text.\n" * 900),))
    parts = chapters_of(plain, "zh")
    assert [part.title for part in parts[:2]] == ["第 1 部分，共 4 部分", "第 2 部分，共 4 部分"]
    assert (parts[0].start, parts[-1].end) == (0, len(plain.text))


def test_a_real_pdf_from_the_file_to_the_answer(tmp_path: Path, embedder: Embedder) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    canvas = Canvas(str(folder / "harbour.pdf"), invariant=True)
    canvas.setTitle("The harbour rules")
    for number, title in enumerate(("Berths", "Cranes", "Tugs", "Pilots", "Dues"), start=1):
        canvas.bookmarkPage(title)
        canvas.addOutlineEntry(f"Chapter {number} {title}", title, 0)
        canvas.setFont("Helvetica-Bold", 18)
        canvas.drawString(60, 780, f"Chapter {number} {title}")
        canvas.setFont("Helvetica", 11)
        for row in range(6):
            canvas.drawString(
                60, 740 - 16 * row, f"{title} of class {row + 1} cost {number}{row} coins for each tide."
            )
        canvas.showPage()
    canvas.save()
    settings = Settings(home=tmp_path / "home")
    report = ingest(settings, [folder], embedder=embedder)
    assert report.added == ["harbour.pdf"]
    with closing(Library.open(settings)) as library:
        answerer = Answerer(settings, library, embedder, SayingEngine(demo=True))
        answer = finished(list(answerer.ask("Summarise the harbour rules", collections=["default"])))
    assert_sound(answer)
    assert "5 of 5 chapters covered." in answer.text
    for number, title in enumerate(("Berths", "Cranes", "Tugs", "Pilots", "Dues"), start=1):
        part = answer.text.split(f"**Chapter {number} {title}**")[1].split("**")[0]
        assert f"{title} of class" in part
        assert {answer.evidence[int(n) - 1].page for n in MARKER.findall(part)} == {number}
