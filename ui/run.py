"""One question under way: in a thread of its own, seen by its page at most seven times a second.

The thread, not the page's event, holds the answer: so that stopping, closing the window and a failing
engine all end in the same place, where the turn is kept in the conversation.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace

from rag.answering.events import (
    Delta,
    Event,
    Finished,
    Progress,
    Replaced,
    Retrieved,
    Thought,
    Waiting,
)
from rag.engine.turnstile import asked_by
from rag.errors import AccessDenied, RagError
from rag.records import Answer, Timing
from ui.language import Texts
from ui.render.conversation import ShownTurn
from ui.render.problems import problem

_PERIOD_S = 1 / 7
ENDS_S = 20.0
"""An answer that is to end has ended by then, whatever the engine is about."""

log = logging.getLogger("bonsai.ui")


def new_turn(question: str) -> ShownTurn:
    """A question nobody has looked at yet."""
    return ShownTurn("", question, "searching")


class Run:
    """One question on its way to its answer. `turn` is always the latest state, replaced as a whole.

    session: the window that asks. asker: who does, for the queue; one may have several windows.
    """

    def __init__(self, turn: ShownTurn, session: str, texts: Texts, asker: str = "") -> None:
        self.turn = turn
        self.session = session
        self.asker = asker or session
        self.conversation = ""
        self.done = False
        self.abandoned = False
        self._ended = threading.Event()
        self._texts = texts
        self._since = self._seen = time.monotonic()
        self._stop = threading.Event()
        self._changed = asyncio.Event()
        self._loop = asyncio.get_running_loop()

    def name(self, conversation: str, number: str) -> None:
        """Where it belongs, and the turn's id there; before the run begins."""
        self.conversation = conversation
        self.turn = replace(self.turn, id=number)

    def stop(self) -> None:
        """The answer ends with what is there. Returns at once; the engine is idle within a second."""
        self._stop.set()

    def abandon(self) -> None:
        """As `stop`, and nothing of it is shown any more: its page has turned to something else."""
        self.abandoned = True
        self.stop()

    async def turns(self) -> AsyncIterator[ShownTurn]:
        """The turn, whenever it changed, until it is finished; not oftener than seven times a second."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            done = self.done
            yield self.turn
            if done:
                return
            await asyncio.sleep(_PERIOD_S)

    def ended(self, within_s: float) -> bool:
        """Waits for the turn to be kept; for threads that are not the event loop's."""
        return self._ended.wait(within_s)

    async def end(self) -> None:
        """Returns when the turn is kept."""
        while not self.done:
            await self._changed.wait()
            self._changed.clear()

    def work(
        self, events: Callable[[threading.Event], Iterator[Event]], keep: Callable[[ShownTurn], str | None]
    ) -> None:
        """Runs in the thread. `events` opens the answer; `keep` stores the finished turn and
        gives the id that it has there, None if it is not stored."""
        try:
            with asked_by(self.asker):
                self._follow(events)
        except AccessDenied as error:
            # What was read until then is not theirs any more.
            nothing = {"text": "", "thought": "", "evidence": (), "answer": None, "progress": None}
            self._set(phase="failed", problem=problem(error, self._texts), error="AccessDenied", **nothing)
        except RagError as error:
            log.warning("A question failed: %s: %s", type(error).__name__, error)
            self._set(phase="failed", problem=problem(error, self._texts), error=type(error).__name__)
        except Exception as error:
            log.exception("A question failed unexpectedly.")
            self._set(phase="failed", problem=problem(error, self._texts), error=type(error).__name__)
        if self.turn.phase != "failed" and self.turn.answer is None:
            self._set(answer=self._partial())
        if self.turn.phase != "failed":
            self._set(phase="finished")
        try:
            kept = keep(self.turn)
            if kept is not None:
                self._set(id=kept)
        except Exception as error:
            log.exception("A turn could not be kept.")
            self._set(problem=problem(error, self._texts))
        self.done = True
        self._ended.set()
        self._tell()

    def _follow(self, events: Callable[[threading.Event], Iterator[Event]]) -> None:
        stream = events(self._stop)
        with contextlib.closing(stream) as stream:  # type: ignore[type-var]
            for event in stream:
                if self._stop.is_set():
                    return
                self._take(event)

    def _take(self, event: Event) -> None:
        match event:
            case Waiting(place=place):
                self._set(phase="waiting" if place else "reading", ahead=place)
            case Progress():
                phase = "reading" if self.turn.phase == "thinking" else self.turn.phase
                self._set(phase=phase, progress=event)
            case Retrieved(evidence=evidence, left_out=left_out):
                phase = "writing" if self.turn.text else "reading"
                self._set(phase=phase, evidence=evidence, left_out=left_out)
            case Thought():
                self._think(event)
            case Delta(text=text):
                if text:
                    done = self.turn.progress if _goes_on(self.turn.progress) else None
                    self._set(phase="writing", text=self.turn.text + text, progress=done)
                else:
                    self._tick()
            case Replaced(text=text):
                self._set(phase="writing", text=text)
            case Finished(answer=answer):
                self._set(answer=answer, evidence=answer.evidence)

    def _think(self, event: Thought) -> None:
        gap = "\n\n" if event.begins and self.turn.thought else ""
        thought = f"{self.turn.thought}{gap}{event.text}"
        if self.turn.phase != "thinking":
            self._set(phase="thinking", thought=thought)
        elif event.text:
            self._set(thought=thought)
        else:
            self._tick()

    def _tick(self) -> None:
        """Nothing but time has passed: told once a second."""
        if int(time.monotonic() - self._since) != int(self.turn.phase_s):
            self._set()

    def _partial(self) -> Answer:
        turn = self.turn
        coverage: dict[str, object] = {"left_out": turn.left_out, **_read_so_far(turn)}
        return Answer(
            turn.question,
            turn.text,
            turn.evidence,
            (),
            stopped=True,
            coverage=coverage,
            timing=Timing(thought_s=turn.thought_s),
            thought=turn.thought,
        )

    def _set(self, **changes: object) -> None:
        now = time.monotonic()
        if self.turn.phase == "thinking":
            changes["thought_s"] = self.turn.thought_s + now - self._seen
        if changes.get("phase", self.turn.phase) != self.turn.phase:
            self._since = now
        self._seen = now
        self.turn = replace(self.turn, phase_s=now - self._since, **changes)  # type: ignore[arg-type]
        self._tell()

    def _tell(self) -> None:
        # The loop is gone when the server has ended; then there is nobody to tell.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._changed.set)


def _read_so_far(turn: ShownTurn) -> dict[str, object]:
    """How far an answer over many documents or chapters came that was stopped."""
    step = turn.progress
    if step is None or step.step not in ("document", "chapter"):
        return {}
    if step.step == "chapter":
        return {"chapters": step.total, "covered": step.done}
    speaking = len({item.document for item in turn.evidence})
    return {
        "mode": "every",
        "documents": step.done,
        "of": step.total,
        "silent": max(0, step.done - speaking),
    }


def _goes_on(progress: Progress | None) -> bool:
    """Whether it still says what is being done while text appears."""
    return progress is not None and progress.step in ("part", "document", "chapter")
