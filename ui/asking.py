"""All questions under way, each with its thread: how many there may be, and whose they are."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

from rag.answering.events import Event
from ui.render.conversation import ShownTurn
from ui.run import ENDS_S, Run

MAX_UNDER_WAY = 24
"""Questions answered or waiting at the same time; one more is refused with a message."""
MAX_OF_ONE = 12
"""Of one asker: so many open windows leave room for others."""


class TooMany(Exception):
    """MAX_UNDER_WAY questions are being answered or waiting, or MAX_OF_ONE of this asker."""


class Asking:
    """All questions under way, by the window that asked them."""

    def __init__(self) -> None:
        self._runs: set[Run] = set()
        self._lock = threading.Lock()

    def begin(
        self,
        run: Run,
        events: Callable[[threading.Event], Iterator[Event]],
        keep: Callable[[ShownTurn], str | None],
    ) -> None:
        """Starts the thread. Raises TooMany."""

        def work() -> None:
            try:
                run.work(events, keep)
            finally:
                with self._lock:
                    self._runs.discard(run)

        with self._lock:
            of_one = sum(each.asker == run.asker for each in self._runs)
            if len(self._runs) >= MAX_UNDER_WAY or of_one >= MAX_OF_ONE:
                raise TooMany
            self._runs.add(run)
        threading.Thread(target=work, name=f"question-{run.turn.id}", daemon=True).start()

    @property
    def count(self) -> int:
        """Questions answered or waiting now."""
        with self._lock:
            return len(self._runs)

    def stop(self, session: str) -> None:
        for run in self._of(session):
            run.stop()

    def abandon(self, session: str) -> None:
        for run in self._of(session):
            run.abandon()

    def settle(self, conversation: str, within_s: float) -> None:
        """Waits until no question of this conversation is under way.

        A window that is reloaded asks for its conversation before the answer, which ends with the window
        that it was, is kept. What has not begun to end within that time goes on in another window: it is
        not waited for any longer.
        """
        until = time.monotonic() + within_s
        with self._lock:
            runs = [run for run in self._runs if run.conversation == conversation]
        for run in runs:
            run.ended(max(0.0, until - time.monotonic()))
            if run.abandoned:
                run.ended(ENDS_S)

    def close(self) -> None:
        with self._lock:
            runs = list(self._runs)
        for run in runs:
            run.stop()

    def _of(self, session: str) -> list[Run]:
        with self._lock:
            return [run for run in self._runs if run.session == session]
