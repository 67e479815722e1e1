"""Counts what an ingest has done and tells it, not too often."""

from __future__ import annotations

import time

from ingest.progress import Phase, Progress, Show
from ingest.sync.forecast import Forecast
from ingest.sync.plan import Do, Plan
from rag.library import Source

_TOLD_EVERY_S = 0.1


class Meter:
    """For one run of the plan `made`; `show` is called in the thread that counts."""

    def __init__(self, made: Plan, show: Show | None) -> None:
        sources = [decision.source for decision in made.those(Do.EXAMINE, Do.CAREFULLY, Do.GIVE_UP)]
        self._show = show
        self._files = len(sources)
        self._bytes = sum(source.size for source in sources)
        self._bytes_known = 0
        self._chunks_known = 0
        self._files_done = self._pages = self._chunks = 0
        self._current = ""
        self._forecast = Forecast()
        self._begin = time.monotonic()
        self._told = 0.0

    def prepared(self, source: Source, chunks: int, *, inside: bool = False) -> None:
        """A file was read and cut: now it is known how many chunks it gives.

        inside: it lies in a file whose size counts already, or will.
        """
        if not inside:
            self._bytes_known += source.size
        self._chunks_known += chunks

    def reused(self, count: int) -> None:
        """Chunks whose embedding was at hand."""
        self._chunks_known -= count

    def gave_nothing(self, source: Source) -> None:
        """A file that gives no chunks of its own: left out, or the same as another."""
        self._bytes -= source.size
        self.file_done(source)

    def member_done(self, source: Source, pages: int = 0) -> None:
        """A file that lies in one of those that are counted."""
        self._pages += pages
        self._current = source.path
        self.tell("reading")

    def file_done(self, source: Source, pages: int = 0) -> None:
        self._files_done += 1
        self._pages += pages
        self._current = source.path
        self.tell("reading")

    def embedded(self, count: int) -> None:
        self._chunks += count
        self.tell("reading")

    def indexing(self, done: int, total: int) -> None:
        """(0, 0) while nobody knows how much there is to index."""
        self.tell("indexing", steps=total, steps_done=done)

    def tell(self, phase: Phase, *, force: bool = False, steps: int = 0, steps_done: int = 0) -> None:
        now = time.monotonic()
        if self._show is None or (not force and now - self._told < _TOLD_EVERY_S):
            return
        self._told = now
        expected = self._expected()
        self._show(
            Progress(
                phase,
                files=self._files,
                files_done=self._files_done,
                pages=self._pages,
                chunks=self._chunks,
                chunks_expected=expected,
                current=self._current,
                seconds=now - self._begin,
                seconds_left=self._forecast.left(now, self._chunks, expected) if phase == "reading" else None,
                steps=steps,
                steps_done=steps_done,
            )
        )

    def _expected(self) -> int:
        """As many chunks a byte in the files still to be read as in those that were."""
        unknown = max(0, self._bytes - self._bytes_known)
        rate = self._chunks_known / self._bytes_known if self._bytes_known else 0.0
        return max(self._chunks, round(self._chunks_known + rate * unknown))
