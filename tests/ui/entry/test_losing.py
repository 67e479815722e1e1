"""A person who may not read a collection any more, while a conversation about it is open."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from rag.access import Asker
from rag.answering.events import Delta, Event
from rag.errors import AccessDenied
from rag.history import WITHHELD
from rag.library import LibraryWriter, writing
from rag.records import Answer
from rag.settings import Settings
from tests.ui.samples import citation, evidence
from ui import service as service_module
from ui.conversations import history
from ui.render.conversation import ShownTurn
from ui.service import Service

ANN = Asker("ann")


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Service:
    monkeypatch.setattr(service_module, "_LOOKED_AT_S", 0.0)
    settings = Settings(home=tmp_path / "home")
    with writing(settings) as writer:
        writer.create_collection("board", ["ann"])
    return Service(settings)


def readers(service: Service, *names: str) -> None:
    with writing(service.settings) as writer:
        writer.set_readers("board", names)


def keep(service: Service, answer: Answer, *asked: str) -> str:
    number, _ = service.conversations.begin("", ANN)
    turn = ShownTurn("0", answer.question, "finished", answer=answer)
    service.conversations.keep(number, ANN, turn, asked)
    return number


def test_an_answer_under_way_ends(service: Service) -> None:
    closed = threading.Event()

    def told() -> Iterator[Event]:
        try:
            yield Delta("one")
            yield Delta("two")
        finally:
            closed.set()

    events = service._while_readable(told(), ANN, ["default", "board"])
    assert next(events) == Delta("one")
    readers(service, "bo")
    with pytest.raises(AccessDenied):
        next(events)
    assert closed.is_set()


def test_what_was_said_is_withheld_and_comes_back_with_the_right(service: Service) -> None:
    item = evidence(text="The number is 4711.", collection="board")
    number = keep(service, Answer("Which?", "The number is 4711. [1]", (item,), (citation(item, "4711"),)))
    (turn,) = service.conversations.turns(number, ANN)
    assert turn.answer is not None
    assert "4711" in turn.answer.text
    assert len(history([turn])) == 1
    readers(service, "bo")
    (turn,) = service.conversations.turns(number, ANN)
    assert turn.answer is not None
    assert "4711" not in repr(turn)
    assert turn.answer.coverage == {WITHHELD: True}
    assert history([turn]) == []
    readers(service, "ann")
    (turn,) = service.conversations.turns(number, ANN)
    assert "4711" in repr(turn)


@pytest.mark.parametrize(
    "answer",
    [
        Answer("Which?", "Nothing is said of it. Nearest: merger-with-oslo.pdf.", (), (), found=False),
        Answer(
            "Which?",
            "1 of 2 documents read, 1 silent: merger-with-oslo.pdf.",
            (evidence(),),
            (),
            coverage={"mode": "every"},
        ),
    ],
)
def test_documents_that_are_named_without_being_cited_are_withheld(service: Service, answer: Answer) -> None:
    number = keep(service, answer, "default", "board")
    assert "oslo" in repr(service.conversations.turns(number, ANN))
    readers(service, "bo")
    assert "oslo" not in repr(service.conversations.turns(number, ANN))
    # What was asked of the open collection alone names nothing of the closed one.
    assert "oslo" in repr(service.conversations.turns(keep(service, answer, "default"), ANN))


def test_a_collection_that_was_closed_and_then_removed_stays_closed(service: Service) -> None:
    item = evidence(text="The number is 4711.", collection="board")
    number = keep(service, Answer("Which?", "The number is 4711. [1]", (item,), ()))
    readers(service)
    with writing(service.settings) as writer:
        remove: LibraryWriter = writer
        remove.remove_collection("board")
    assert "4711" not in repr(service.conversations.turns(number, ANN))


def test_nobody_changes_what_they_may_not_read_and_nobody_anything_if_the_settings_say_so(
    service: Service,
) -> None:
    service.may_change(ANN, "board")
    for asker in (Asker("bo"), Asker()):
        service.may_change(asker, "default")
        with pytest.raises(AccessDenied):
            service.may_change(asker, "board")
    shut = service.settings.ui.model_copy(update={"changes": "nobody"})
    service.settings = service.settings.model_copy(update={"ui": shut})
    for collection in ("default", "board"):
        with pytest.raises(AccessDenied):
            service.may_change(ANN, collection)
        with pytest.raises(AccessDenied):
            service.remove(ANN, collection, "/x")
