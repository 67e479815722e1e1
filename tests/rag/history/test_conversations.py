"""Conversations come back as they were shown, to their owner only, and hold no text of what was removed."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest

from rag.access import ANYONE, Asker
from rag.errors import AccessDenied, RagError
from rag.history import Conversations
from rag.history.conversations import FILE_NAME
from rag.history.schema import STEPS
from rag.library import Library, writing
from rag.records import Answer, Citation, Copy, Evidence, Timing, Turn, Usage
from rag.settings import Settings
from tests.rag.library.samples import WordEmbedder, document, put

ANN, BO = Asker("ann"), Asker("bo")
PAPER = document("Intro page.\nThe secret number is 42.", "The colour of the van is green.")


@pytest.fixture
def conversations(settings: Settings) -> Conversations:
    return Conversations(settings.home)


@pytest.fixture
def library(settings: Settings) -> Iterator[Library]:
    with writing(settings) as writer:
        put(writer, WordEmbedder(), "papers/van.pdf", PAPER)
        writer.create_collection("board")
        put(writer, WordEmbedder(), "board.pdf", document("Board paper: the bonus is 7."), collection="board")
    opened = Library.open(settings)
    yield opened
    opened.close()


def answer(question: str = "Which number?", collection: str = "default") -> Answer:
    text = "The secret number is 42."
    start = PAPER.text.index(text)
    evidence = Evidence(
        n=1, document=PAPER.sha256, path="papers/van.pdf", collection=collection, text=text, start=start,
        end=start + len(text), pages=(1,), heading=("Top",), score=0.5, tokens=9, scores={"dense": 0.8},
        excerpt=True,
    )  # fmt: skip
    return Answer(
        question=question,
        text="It is 42 [1].",
        evidence=(evidence,),
        citations=(
            Citation(1, "papers/van.pdf", 1, text, verified=True, start=start, end=start + len(text)),
        ),
        unsupported=("Maybe.",),
        extractive=True,
        coverage={"left_out": 2},
        usage=Usage(10, 2, 3),
        timing=Timing(0.1, 0.2, 0.3, 4.0, 0.05),
        thought="It says 42.",
    )


def test_an_answer_comes_back_exactly(conversations: Conversations, library: Library) -> None:
    number = conversations.new(ANN)
    assert conversations.add(ANN, number, answer()) == 1
    assert conversations.answers(ANN, number, library) == [answer()]
    assert conversations.turns(ANN, number, library) == [Turn("Which number?", "It is 42 [1].")]


def test_copies_come_back_while_the_asker_may_read_them(
    conversations: Conversations, library: Library, settings: Settings
) -> None:
    board = document("Board paper: the bonus is 7.")
    copies = (
        Copy(PAPER.sha256, "papers/van.pdf", "default", (2,), 30, 40, whole=False),
        Copy(board.sha256, "board.pdf", "board", (1,), 0, 11),
        Copy("0" * 64, "gone.pdf", "default", (1,), 0, 11),
    )
    given = answer()
    given = replace(given, evidence=(replace(given.evidence[0], copies=copies),))
    number = conversations.new(ANN)
    conversations.add(ANN, number, given)
    assert conversations.answers(ANN, number, library)[0].evidence[0].copies == copies[:2]
    with writing(settings) as writer:
        writer.set_readers("board", ["bo"])
    assert conversations.answers(ANN, number, library)[0].evidence[0].copies == copies[:1]


def test_list_rename_delete(conversations: Conversations, library: Library) -> None:
    first, second, empty = (conversations.new(ANN) for _ in range(3))
    conversations.add(ANN, first, answer("One?\n" + "word " * 40))
    conversations.add(ANN, second, answer("Two?"))
    conversations.add(ANN, first, answer("Three?"))
    assert [(c.id, c.turns) for c in conversations.all(ANN)] == [(first, 2), (second, 1)]
    assert len(conversations.all(ANN)[0].title) <= 80
    conversations.rename(ANN, second, "  The second \n one ")
    assert [c.title for c in conversations.all(ANN)][1] == "The second one"
    conversations.delete(ANN, first)
    assert [c.id for c in conversations.all(ANN)] == [second]
    with pytest.raises(AccessDenied):
        conversations.answers(ANN, first, library)
    assert conversations.answers(ANN, empty, library) == []


def test_conversations_that_were_never_begun_are_forgotten(
    conversations: Conversations, library: Library, settings: Settings
) -> None:
    used, empty, fresh = (conversations.new(ANN) for _ in range(3))
    conversations.add(ANN, used, answer())
    with sqlite3.connect(settings.home / FILE_NAME) as connection:
        connection.execute("UPDATE conversations SET created = 0 WHERE id != ?", (fresh,))
    conversations.new(BO)
    assert conversations.answers(ANN, used, library)
    assert conversations.answers(ANN, fresh, library) == []
    with pytest.raises(AccessDenied):
        conversations.answers(ANN, empty, library)


def test_nobody_else_sees_or_changes_it(conversations: Conversations, library: Library) -> None:
    number = conversations.new(ANN)
    conversations.add(ANN, number, answer())
    for stranger in (BO, ANYONE, Asker("")):
        assert conversations.all(stranger) == []
        for attempt in (
            lambda who=stranger: conversations.answers(who, number, library),
            lambda who=stranger: conversations.add(who, number, answer()),
            lambda who=stranger: conversations.rename(who, number, "mine"),
            lambda who=stranger: conversations.delete(who, number),
        ):
            with pytest.raises(AccessDenied):
                attempt()
    assert len(conversations.answers(ANN, number, library)) == 1


def test_the_file_holds_no_evidence_and_removed_text_is_gone(
    conversations: Conversations, library: Library, settings: Settings
) -> None:
    (cut,) = answer().evidence
    cut = replace(cut, table_header="The secret number of the table")
    long = replace(answer(), citations=(), text="x", evidence=(cut,))
    number = conversations.new(ANN)
    conversations.add(ANN, number, long)
    for file in settings.home.glob(f"{FILE_NAME}*"):
        assert b"secret number" not in file.read_bytes()
    with writing(settings) as writer:
        writer.remove_collection("default")
    (back,) = conversations.answers(ANN, number, library)
    assert back.evidence[0].text == ""
    assert back.evidence[0].table_header == ""
    assert replace(back.evidence[0], text=cut.text, table_header=cut.table_header) == cut


def test_a_document_that_is_read_differently_now_shows_no_wrong_words(
    conversations: Conversations, library: Library
) -> None:
    moved = replace(answer().evidence[0], start=0, end=12)
    number = conversations.new(ANN)
    conversations.add(ANN, number, replace(answer(), evidence=(moved,)))
    assert conversations.answers(ANN, number, library)[0].evidence[0].text == ""


def test_an_answer_from_a_collection_that_was_closed_is_withheld(
    conversations: Conversations, library: Library, settings: Settings
) -> None:
    number = conversations.new(ANN)
    conversations.add(ANN, number, answer(collection="board"))
    assert conversations.answers(ANN, number, library)[0].text == "It is 42 [1]."
    with writing(settings) as writer:
        writer.set_readers("board", ["bo"])
    (withheld,) = conversations.answers(ANN, number, library)
    assert withheld.question == "Which number?"
    assert "42" not in withheld.text + withheld.thought
    assert withheld.evidence == withheld.citations == ()


def test_many_threads_add_without_loss(conversations: Conversations, library: Library) -> None:
    number = conversations.new(ANN)

    def add() -> None:
        for _ in range(5):
            conversations.add(ANN, number, answer())

    threads = [threading.Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(conversations.answers(ANN, number, library)) == 20


def test_a_newer_file_and_a_damaged_one_are_refused(settings: Settings) -> None:
    conversations = Conversations(settings.home)
    conversations.new(ANN)
    path = settings.home / FILE_NAME
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {len(STEPS) + 1}")
    with pytest.raises(RagError, match="newer version"):
        conversations.all(ANN)
    for file in settings.home.glob(f"{FILE_NAME}*"):
        file.unlink()
    path.write_bytes(b"no database at all, but long enough to look like something" * 20)
    with pytest.raises(RagError, match="cannot be used"):
        conversations.all(ANN)
