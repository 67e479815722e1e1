"""How far an ingest is: what it tells, and how that is shown on a terminal or in plain lines."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Literal

from rag.cli.amounts import amount

Phase = Literal["looking", "reading", "indexing", "done"]


@dataclass(frozen=True, slots=True)
class Progress:
    """A moment of an ingest.

    phase: looking for changes; reading and embedding; indexing (bringing the vector index into step).
    files, files_done: that need work and are finished; unchanged ones are not counted. pages: of finished
    files. chunks: embedded; chunks_expected: that all these files will give, estimated from those that
    are read by now. current: the file whose outcome came last. seconds: since the start of the ingest;
    seconds_left: until all is read and embedded, None while there is nothing to judge by. steps, steps_done:
    of the indexing, 0 while nobody knows how many.
    """

    phase: Phase
    files: int = 0
    files_done: int = 0
    pages: int = 0
    chunks: int = 0
    chunks_expected: int = 0
    current: str = ""
    seconds: float = 0.0
    seconds_left: float | None = None
    steps: int = 0
    steps_done: int = 0

    @property
    def share(self) -> float:
        """0 to 1, of the present phase; by chunks while reading, since files differ so much."""
        match self.phase:
            case "looking":
                return 0.0
            case "reading":
                return min(1.0, self.chunks / self.chunks_expected) if self.chunks_expected else 0.0
            case "indexing":
                return self.steps_done / self.steps if self.steps else 0.0
            case "done":
                return 1.0

    @property
    def chunks_per_s(self) -> float:
        return self.chunks / self.seconds if self.seconds else 0.0


Show = Callable[[Progress], None]


@contextmanager
def shown(stream: IO[str] | None = None) -> Iterator[Show]:
    """Shows progress on standard error: a bar on a terminal, else a line at least ten seconds apart."""
    stream = stream or sys.stderr
    if stream.isatty():
        with _bar(stream) as show:
            yield show
    else:
        yield _lines(stream)


def _lines(stream: IO[str], every_s: float = 10.0) -> Show:
    last = [time.monotonic()]

    def show(progress: Progress) -> None:
        now = time.monotonic()
        if progress.phase in ("reading", "indexing") and now - last[0] >= every_s:
            last[0] = now
            print(f"  {line(progress)}", file=stream, flush=True)

    return show


def line(progress: Progress) -> str:
    """One line: files, pages, chunks, chunks per second, time left."""
    if progress.phase == "looking":
        return "looking for changes"
    if progress.phase == "indexing":
        return "indexing vectors" + (
            f": {progress.steps_done:,} of {progress.steps:,}" if progress.steps else ""
        )
    left = progress.seconds_left
    return (
        f"{progress.files_done:,} of {amount(progress.files, 'file')}, {amount(progress.pages, 'page')}, "
        f"{amount(progress.chunks, 'chunk')} ({progress.chunks_per_s:.1f}/s)"
        + (f", {duration(left)} left" if left is not None else "")
    )


def duration(seconds: float) -> str:
    """ "40 s", "3 min", "1 h 20 min"."""
    if seconds < 60:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


@contextmanager
def _bar(stream: IO[str]) -> Iterator[Show]:
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bar

    console = Console(file=stream)
    columns = (
        BarColumn(bar_width=24),
        TextColumn("{task.percentage:>3.0f} %"),
        # File names are shown as they are: brackets in them are no markup.
        TextColumn("{task.description}", markup=False),
    )
    with Bar(*columns, console=console, transient=True, refresh_per_second=8) as bar:
        task = bar.add_task("looking for changes", total=1.0)

        def show(progress: Progress) -> None:
            text = line(progress)
            if progress.current and progress.phase == "reading":
                text += f"  {_shortened(progress.current, max(12, console.width - len(text) - 36))}"
            bar.update(task, completed=min(1.0, progress.share), description=text)

        yield show


def _shortened(name: str, length: int) -> str:
    name = "".join(character if character.isprintable() else "�" for character in name)
    return name if len(name) <= length else "…" + name[1 - length :]
