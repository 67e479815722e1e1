"""What a run makes of the events of an answer: how the turn looks while the model thinks."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Sequence

from rag.answering.events import Delta, Event, Finished, Progress, Retrieved, Thought
from rag.records import Answer, Timing
from tests.ui.samples import evidence
from ui.language import texts
from ui.render.conversation import ShownTurn, turn_html
from ui.run import Run, new_turn

EN, ZH = texts("en"), texts("zh")


def turns_after(*events: Event) -> list[ShownTurn]:
    """The turn after each of the events, and at the end."""
    seen: list[ShownTurn] = []

    async def follow() -> None:
        run = Run(new_turn("How long?"), "window", EN)

        def told(stopping: threading.Event) -> Iterator[Event]:
            for event in events:
                yield event
                seen.append(run.turn)

        await asyncio.to_thread(run.work, told, lambda turn: None)
        seen.append(run.turn)

    asyncio.run(follow())
    return seen


def phases(turns: Sequence[ShownTurn]) -> list[str]:
    return [turn.phase for turn in turns]


def test_thoughts_gather_beside_the_text() -> None:
    answer = Answer("How long?", "Ten days.", (), (), thought="Hm. So.", timing=Timing(thought_s=11.6))
    turns = turns_after(
        Retrieved((evidence(1),)), Thought("Hm. ", begins=True), Thought("So."), Delta(""),
        Delta("Ten days."), Finished(answer),
    )  # fmt: skip
    assert phases(turns) == ["reading", "thinking", "thinking", "thinking", "writing", "writing", "finished"]
    assert [turn.thought for turn in turns[1:5]] == ["Hm. ", "Hm. So.", "Hm. So.", "Hm. So."]
    assert turns[4].text == "Ten days."
    assert turns[4].thought_s > 0
    html = turn_html(turns[-1], EN)
    assert "Thought for 12 s" in html
    assert "not checked against the documents" in html
    assert html.index("Hm. So.") < html.index("Ten days.")
    assert "思考了 12 秒" in turn_html(turns[-1], ZH)


def test_each_part_has_a_thought_of_its_own() -> None:
    turns = turns_after(
        Thought("First.", begins=True), Delta("One."), Progress("part", 1, 2, "two"),
        Thought("Second.", begins=True), Progress("again", about="two"),
    )  # fmt: skip
    assert phases(turns)[:5] == ["thinking", "writing", "writing", "thinking", "reading"]
    assert turns[3].thought == "First.\n\nSecond."
    # What it thought is kept where the answer breaks off.
    assert turns[-1].answer is not None
    assert turns[-1].answer.thought == "First.\n\nSecond."


def test_a_hidden_thought_shows_how_long_it_takes() -> None:
    turn = ShownTurn("0", "q", "thinking", thought_s=12.4)
    html = turn_html(turn, EN)
    assert "Thinking… 12 s" in html
    assert "<details" not in html
    assert "正在思考… 12 秒" in turn_html(turn, ZH)


def test_what_a_model_thinks_is_text_and_cites_nothing() -> None:
    thought = "<img src=x onerror=alert(1)> see [1] **so**"
    html = turn_html(ShownTurn("0", "q", "thinking", evidence=(evidence(1),), thought=thought), EN)
    assert "<img" not in html
    assert "cite" not in html
    assert "**so**" in html


def test_a_long_wait_is_counted() -> None:
    assert "Reading the passages found… 7 s" in turn_html(ShownTurn("0", "q", "reading", phase_s=7.9), EN)
    assert "s</p>" not in turn_html(ShownTurn("0", "q", "reading", phase_s=1.0), EN).replace("…</p>", "")


def test_a_list_that_was_stopped_says_how_far_it_came() -> None:
    turn = turns_after(
        Progress("document", 0, 9, "a.txt"), Retrieved((evidence(1),)), Delta("| a | 1 |"),
        Progress("document", 2, 9, "c.txt"),
    )[-1]  # fmt: skip
    assert turn.answer is not None
    assert turn.answer.stopped
    html = turn_html(turn, EN)
    assert "2 of 9 documents read, 1 silent" in html
    assert "note coverage warn" in html
    turn = turns_after(Progress("chapter", 3, 20, "Chapter 4"), Delta("Text."))[-1]
    assert "3 of 20 chapters covered" in turn_html(turn, EN)
