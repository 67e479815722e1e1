"""Files are taken one after the other; one that fails or is stopped never holds up the next."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from rag.errors import LibraryBusy
from ui.jobs import FileJob, Jobs, Outcome, Tell


class Bench:
    """Work that goes on when the test says so."""

    def __init__(self) -> None:
        self.started = threading.Semaphore(0)
        self.go = threading.Semaphore(0)
        self.order: list[str] = []
        self.discarded: list[str] = []

    def work(self, job: FileJob, stopping: threading.Event, tell: Tell) -> Outcome:
        self.order.append(job.name)
        tell(0.5, "")
        self.started.release()
        assert self.go.acquire(timeout=10)
        if stopping.is_set():
            return Outcome("cancelled")
        if job.name == "bad":
            raise ValueError("torn")
        if job.name == "busy":
            raise LibraryBusy("Someone else is writing.", fix="Wait.")
        return Outcome("added", chunks=3)


@pytest.fixture
def bench() -> Bench:
    return Bench()


@pytest.fixture
def jobs(bench: Bench) -> Iterator[Jobs]:
    made = Jobs(bench.work, lambda job: bench.discarded.append(job.name))
    yield made
    bench.go.release(100)
    made.close()


def states(jobs: Jobs) -> dict[str, str]:
    return {job.name: job.state for job in jobs.files()}


def settled(jobs: Jobs) -> dict[str, str]:
    with jobs._changed:
        assert jobs._changed.wait_for(lambda: all(job.finished for job in jobs._jobs.values()), 10)
    return states(jobs)


def test_one_at_a_time_in_order_and_failures_are_told(jobs: Jobs, bench: Bench, tmp_path: Path) -> None:
    for name in ("a", "bad", "busy", "z"):
        jobs.add(name, "default", tmp_path / name)
    assert bench.started.acquire(timeout=10)
    assert states(jobs) == {"a": "working", "bad": "waiting", "busy": "waiting", "z": "waiting"}
    assert jobs.files()[-1].share == 0.5
    bench.go.release(4)
    assert settled(jobs) == {"a": "added", "bad": "failed", "busy": "failed", "z": "added"}
    assert bench.order == ["a", "bad", "busy", "z"]
    reasons = {job.name: job.reason for job in jobs.files()}
    assert reasons["bad"] == "ValueError: torn"
    assert reasons["busy"] == "Someone else is writing. Wait."


def test_stopping_ends_what_waits_and_later_files_go_on(jobs: Jobs, bench: Bench, tmp_path: Path) -> None:
    jobs.add("a", "default", tmp_path / "a")
    jobs.add("b", "default", tmp_path / "b")
    assert bench.started.acquire(timeout=10)
    jobs.stop()
    jobs.add("c", "default", tmp_path / "c")
    bench.go.release(2)
    assert settled(jobs) == {"a": "cancelled", "b": "cancelled", "c": "added"}
    assert bench.discarded == ["b"]
    jobs.clear()
    assert jobs.files() == []


def test_closing_leaves_what_waits(jobs: Jobs, bench: Bench, tmp_path: Path) -> None:
    jobs.add("a", "default", tmp_path / "a")
    jobs.add("b", "default", tmp_path / "b")
    assert bench.started.acquire(timeout=10)
    bench.go.release()
    jobs.close()
    assert states(jobs) == {"a": "cancelled", "b": "waiting"}
    assert bench.discarded == []
