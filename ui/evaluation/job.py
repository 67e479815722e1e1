"""The evaluation under way: one at a time, in a thread of this process, with what the page has loaded."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from rag.errors import RagError

log = logging.getLogger("bonsai.ui")

State = Literal["idle", "running", "done", "stopped", "failed"]


@dataclass(frozen=True, slots=True)
class Progress:
    """strategy: the one under way, "" while everything is loaded. done, total: its questions. stopping: it
    stops after the question under way. runs: names of the finished runs. by: who started it."""

    state: State = "idle"
    dataset: str = ""
    strategy: str = ""
    done: int = 0
    total: int = 0
    stopping: bool = False
    runs: tuple[str, ...] = ()
    problem: RagError | None = None
    by: str | None = None


Work = Callable[["Job"], None]


class Job:
    """Told by the work how far it is; asked by the page. All methods return at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._progress = Progress()

    @property
    def progress(self) -> Progress:
        with self._lock:
            return replace(self._progress, stopping=self._stopping.is_set())

    def seen_by(self, name: str | None) -> Progress:
        """What an asker of that name is told: of somebody else's evaluation nothing."""
        progress = self.progress
        return progress if progress.by == name else Progress()

    def start(self, dataset: str, work: Work, by: str | None = None) -> bool:
        """False if one is under way."""
        with self._lock:
            if self._progress.state == "running":
                return False
            self._stopping.clear()
            self._progress = Progress("running", dataset, by=by)
            self._thread = threading.Thread(target=self._run, args=(work,), name="evaluating", daemon=True)
            self._thread.start()
        return True

    def stop(self) -> None:
        """The question under way is still answered."""
        self._stopping.set()

    def stopping(self) -> bool:
        return self._stopping.is_set()

    def close(self, timeout: float = 10.0) -> None:
        self.stop()
        if self._thread is not None:
            self._thread.join(timeout)

    def tell(self, **changes: Any) -> None:
        with self._lock:
            self._progress = replace(self._progress, **changes)

    def _run(self, work: Work) -> None:
        try:
            work(self)
        except RagError as error:
            self.tell(state="failed", problem=error)
        except Exception as error:
            log.exception("An evaluation failed.")
            self.tell(state="failed", problem=RagError(f"{type(error).__name__}: {error}"))
        else:
            self.tell(state="stopped" if self.stopping() else "done")


def evaluation(
    dataset: Any,
    strategies: Sequence[Any],
    sample: int | None,
    collections: Sequence[str],
    make: Any,
    runs: Any,
) -> Work:
    """The work of one evaluation. make: gives the settings and the laboratory once everything is loaded."""
    from eval.conducting import Plan, conduct

    plan = Plan(dataset, collections=list(collections), sample=sample)

    def work(job: Job) -> None:
        settings, laboratory = make(job)
        if laboratory is None:
            return
        for strategy in strategies:
            if job.stopping():
                return
            job.tell(strategy=strategy.name, done=0, total=0)
            done = conduct(
                plan,
                strategy,
                settings,
                laboratory,
                runs.folder,
                progress=lambda done, total: job.tell(done=done, total=total),
                stopping=job.stopping,
            )
            job.tell(runs=(*job.progress.runs, done.path.stem))

    return work
