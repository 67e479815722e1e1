"""Files that were handed in through the page, on their way into the library: one at a time, in order.

The work is done in a thread of this process (reading itself happens in a child process of ingest), so
questions are answered meanwhile. A stopped file leaves nothing behind.
"""

from __future__ import annotations

import itertools
import logging
import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from rag.access import Asker
from rag.errors import RagError

State = Literal["waiting", "working", "added", "updated", "unchanged", "skipped", "failed", "cancelled"]
KEPT = 200
"""Finished files that stay in the list."""

log = logging.getLogger("bonsai.ui")


@dataclass(frozen=True, slots=True)
class FileJob:
    """One file. name: as its owner called it; waiting: where its bytes are until it is its turn.

    share: of the work done, 0 to 1 (0: not known). reason: why it came to its state, or what it waits for.
    by: who handed it in; None where names are not known, or it was before the last start of the server.
    """

    number: int
    name: str
    collection: str
    waiting: Path
    state: State = "waiting"
    share: float = 0.0
    reason: str = ""
    chunks: int = 0
    by: str | None = None

    @property
    def finished(self) -> bool:
        return self.state not in ("waiting", "working")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a file."""

    state: State
    reason: str = ""
    chunks: int = 0


Mine = Callable[[FileJob], bool]


def whose(asker: Asker, readable: Collection[str]) -> Mine:
    """Which files an asker may stop: their own, and nobody's in collections that they may read."""

    def mine(job: FileJob) -> bool:
        return job.by == asker.name if job.by is not None else job.collection in readable

    return mine


Tell = Callable[[float, str], None]
"""Told the share done and what is waited for, "" if nothing is."""
Work = Callable[[FileJob, threading.Event, Tell], Outcome]
"""Takes a file into the library; the event is set when it is to stop."""


class Jobs:
    """The list, and the thread that works through it. All methods return at once.

    finished: how many files have been worked on since the start.
    """

    def __init__(self, work: Work, discard: Callable[[FileJob], None]) -> None:
        """discard: told of files that were stopped while they waited."""
        self._work = work
        self._discard = discard
        self._jobs: dict[int, FileJob] = {}
        self._numbers = itertools.count(1)
        self._changed = threading.Condition()
        self._stopping = threading.Event()
        self._closed = False
        self.finished = 0
        self._thread: threading.Thread | None = None

    def add(self, name: str, collection: str, waiting: Path, by: str | None = None) -> FileJob:
        with self._changed:
            job = FileJob(next(self._numbers), name, collection, waiting, by=by)
            self._jobs[job.number] = job
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="adding-documents", daemon=True)
                self._thread.start()
            self._changed.notify_all()
        return job

    def files(self, collections: Collection[str] | None = None) -> list[FileJob]:
        """Those that go into these collections, or all; the newest first."""
        with self._changed:
            found = [
                job for job in self._jobs.values() if collections is None or job.collection in collections
            ]
            return sorted(found, key=lambda job: -job.number)

    def stop(self, mine: Mine = lambda job: True) -> None:
        """The file under way and all that wait, as far as they are mine; what is done stays."""
        with self._changed:
            for job in filter(mine, list(self._jobs.values())):
                if job.state == "waiting":
                    self._jobs[job.number] = replace(job, state="cancelled")
                    self._discard(job)
                elif job.state == "working":
                    self._stopping.set()

    def clear(self, mine: Mine = lambda job: True) -> None:
        """Takes those that are done, and mine, off the list."""
        with self._changed:
            self._jobs = {
                number: job for number, job in self._jobs.items() if not (job.finished and mine(job))
            }

    def close(self, timeout: float = 10.0) -> None:
        """Stops the file under way and waits for the thread; those that wait are left where they are."""
        with self._changed:
            self._closed = True
            self._stopping.set()
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join(timeout)

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or self._next() is not None)
                job = self._next()
                if self._closed or job is None:
                    return
                self._stopping.clear()
                self._jobs[job.number] = replace(job, state="working")
            outcome = self._outcome(job)
            with self._changed:
                self.finished += 1
                job = self._jobs[job.number]
                self._jobs[job.number] = replace(
                    job, state=outcome.state, reason=outcome.reason, chunks=outcome.chunks
                )
                old = [number for number, each in self._jobs.items() if each.finished][:-KEPT]
                for number in old:
                    del self._jobs[number]
                self._changed.notify_all()

    def _next(self) -> FileJob | None:
        return next((job for job in self._jobs.values() if job.state == "waiting"), None)

    def _outcome(self, job: FileJob) -> Outcome:
        def tell(share: float, reason: str) -> None:
            with self._changed:
                self._jobs[job.number] = replace(self._jobs[job.number], share=share, reason=reason)

        try:
            return self._work(job, self._stopping, tell)
        except RagError as error:
            return Outcome("failed", str(error))
        except Exception as error:
            log.exception("A file could not be added.")
            return Outcome("failed", f"{type(error).__name__}: {error}")
