"""A turn that is opened again says what it said when it was answered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from rag.access import Asker
from rag.library import Library, writing
from rag.records import Answer
from rag.settings import Settings
from tests.rag.library.samples import WordEmbedder, document, put
from tests.ui.samples import evidence
from ui.conversations import Conversations
from ui.render.conversation import ShownTurn

ANN = Asker("ann")
PAPER = document("The permit costs forty crowns. Bicycles stay outside.")


@pytest.fixture
def library(settings: Settings) -> Iterator[Library]:
    with writing(settings) as writer:
        put(writer, WordEmbedder(), "permit.txt", PAPER)
    opened = Library.open(settings)
    yield opened
    opened.close()


def test_what_found_no_room_is_still_told(settings: Settings, library: Library) -> None:
    conversations = Conversations(settings, library)
    text = "The permit costs forty crowns."
    part = evidence(1, text, document=PAPER.sha256, path="permit.txt", start=0, end=len(text), excerpt=True)
    answer = Answer("What does it cost?", "Forty crowns [1].", (part,), (), coverage={"left_out": 3})
    number, earlier = conversations.begin("", ANN)
    assert earlier == []
    turn = ShownTurn("0", answer.question, "finished", left_out=3, answer=answer)
    conversations.keep(number, ANN, turn)
    (again,) = conversations.turns(number, ANN)
    assert again.left_out == 3
    assert again.answer is not None
    assert again.answer.evidence == (part,)


def test_a_turn_that_failed_is_kept_with_its_question(settings: Settings, library: Library) -> None:
    conversations = Conversations(settings, library)
    number, _ = conversations.begin("", ANN)
    conversations.keep(number, ANN, replace(ShownTurn("0", "Why?", "failed"), text="Beca"))
    (again,) = conversations.turns(number, ANN)
    assert (again.question, again.left_out) == ("Why?", 0)
    assert again.answer is not None
    assert again.answer.stopped


def test_two_windows_of_one_conversation(settings: Settings, library: Library) -> None:
    """Both begin a second question; each sees both when its own is answered, under ids that are kept."""
    conversations = Conversations(settings, library)
    number, _ = conversations.begin("", ANN)
    asked = [ShownTurn("0", f"{n}?", "finished", answer=Answer(f"{n}?", f"{n}.", (), ())) for n in range(3)]
    assert conversations.keep(number, ANN, asked[0]) == "0"
    _, earlier = conversations.begin(number, ANN)
    ids = [conversations.keep(number, ANN, replace(turn, id="1")) for turn in asked[1:]]
    assert ids == ["1", "2"]
    shown = conversations.with_turn(number, ANN, replace(asked[2], id="2", phase_s=7), earlier)
    assert [(each.id, each.question) for each in shown] == [("0", "0?"), ("1", "1?"), ("2", "2?")]
    assert shown[2].phase_s == 7
    conversations.forget(number, ANN)
    assert conversations.keep(number, ANN, asked[1]) is None
    shown = conversations.with_turn(number, ANN, replace(asked[1], id="1"), earlier)
    assert [each.question for each in shown] == ["0?", "1?"]
