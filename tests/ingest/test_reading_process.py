"""Whatever a file does to its reader happens to a child process and is named."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from ingest import reading
from ingest.readers import Limits
from ingest.reading import Bounds, Reader

BOUNDS = Bounds(seconds=60, memory_bytes=256 << 20, limits=Limits())


@pytest.fixture(autouse=True)
def deadly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "WORKER", "tests.ingest.deadly_worker")


def file(folder: Path, text: str, name: str = "file.txt") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_good_files_are_read_by_one_child(tmp_path: Path) -> None:
    with Reader(BOUNDS) as reader:
        first = reader.read(file(tmp_path, "one 一"))
        child = reader._child
        second = reader.read(file(tmp_path, "two"))
        assert reader._child is child
    assert first.document
    assert first.document.text == "one 一"
    assert second.document
    assert second.document.text == "two"
    assert child
    assert child.poll() is not None


@pytest.mark.parametrize(
    ("text", "reason", "stopped"),
    [
        ("CRASH", "its reader crashed (SIGSEGV)", False),
        ("EXIT", "its reader ended with exit code 7", False),
        ("HANG", "reading it took longer than 1.5 s", True),
        ("ABORT-FULL", "reading it needs more than 256 MiB of memory", True),
        ("MEMORY", "reading it needs more than 256 MiB of memory", True),
    ],
)
def test_a_deadly_file_is_named_and_the_next_one_is_read(
    tmp_path: Path, text: str, reason: str, stopped: bool
) -> None:
    with Reader(replace(BOUNDS, seconds=1.5) if text == "HANG" else BOUNDS) as reader:
        outcome = reader.read(file(tmp_path, text))
        assert (outcome.document, outcome.reason) == (None, reason)
        assert outcome.died
        assert outcome.stopped is stopped
        after = reader.read(file(tmp_path, "fine"))
        assert after.document
        assert not after.died


def test_what_a_library_prints_is_no_answer(tmp_path: Path) -> None:
    with Reader(BOUNDS) as reader:
        outcome = reader.read(file(tmp_path, "NOISE and text"))
    assert outcome.document
    assert outcome.document.text == "NOISE and text"


def test_skipped_and_failed_files_do_not_end_the_child(tmp_path: Path) -> None:
    with Reader(BOUNDS) as reader:
        picture = tmp_path / "a.txt"
        picture.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
        skipped = reader.read(picture)
        missing = reader.read(tmp_path / "gone.txt")
        child = reader._child
        assert reader.read(file(tmp_path, "fine")).document
        assert reader._child is child
    assert skipped.skipped
    assert "PNG" in skipped.reason
    assert not missing.skipped
    assert "cannot be opened" in missing.reason


def test_cancelling_ends_a_reading_at_once(tmp_path: Path) -> None:
    cancel = threading.Event()
    with Reader(Bounds(60, 256 << 20, Limits()), cancel=cancel) as reader:
        timer = threading.Timer(0.5, cancel.set)
        timer.start()
        begin = time.monotonic()
        outcome = reader.read(file(tmp_path, "HANG"))
        assert outcome.cancelled
        assert not outcome.died
        assert time.monotonic() - begin < 10
        timer.join()


def test_a_child_dies_with_its_parent(tmp_path: Path) -> None:
    """Killed outright, as nothing can clean up after itself then."""
    path = file(tmp_path, "HANG")
    script = f"""
from pathlib import Path
from ingest import reading
from ingest.readers import Limits
reading.WORKER = "tests.ingest.deadly_worker"
reader = reading.Reader(reading.Bounds(600, 1 << 28, Limits()))
print(reader._running().pid, flush=True)
reader.read(Path({str(path)!r}))
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        child = int(parent.stdout.readline())
        os.kill(child, 0)
        parent.kill()
        parent.wait()
    deadline = time.monotonic() + 20
    while alive(child):
        assert time.monotonic() < deadline, "the child outlived its parent"
        time.sleep(0.05)


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"
