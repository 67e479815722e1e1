"""--watch: what is done to the files is in the library a moment later."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import watchfiles

from ingest.sync import Report
from ingest.watching import follow
from rag.errors import NothingToWorkOn
from rag.library import Library
from rag.library.vectors.publish import publish
from rag.settings import Settings
from tests.rag.library.samples import WordEmbedder


@pytest.fixture(autouse=True)
def stand_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rag.embedding.load", lambda settings: WordEmbedder())
    monkeypatch.setattr("rag.library.writer.publish_apart", publish)


@pytest.fixture
def reports(settings: Settings, tmp_path: Path) -> Iterator[list[Report]]:
    """Reports of a watch over tmp_path/docs, which holds one file at the beginning."""
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "first.txt").write_text("the original allowance")
    made: list[Report] = []
    stop = threading.Event()
    thread = threading.Thread(
        target=follow, args=(settings, [folder], "default"), kwargs={"told": made.append, "stop": stop}
    )
    thread.start()
    eventually(lambda: bool(made))
    yield made
    stop.set()
    thread.join()


def eventually(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 90
    while not holds():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.02)


def test_new_changed_moved_and_deleted_files_are_followed(
    reports: list[Report], library: Library, tmp_path: Path
) -> None:
    folder = tmp_path / "docs"
    assert reports[0].added == ["first.txt"]
    (folder / "new").mkdir()
    (folder / "new" / "second.txt").write_text("the second allowance")
    eventually(lambda: len(paths(library)) == 2)
    (folder / "first.txt").write_text("the changed allowance")
    eventually(lambda: bool(library.keyword(["default"], ["changed"], 1)))
    assert not library.keyword(["default"], ["original"], 1)
    (folder / "new" / "second.txt").rename(folder / "moved.txt")
    eventually(lambda: paths(library) == {"first.txt", "moved.txt"})
    (folder / "moved.txt").unlink()
    eventually(lambda: paths(library) == {"first.txt"})
    assert all(report.changed for report in reports)


def paths(library: Library) -> set[str]:
    return {info.path for info in library.files() if info.state == "live"}


@pytest.fixture
def library(settings: Settings) -> Iterator[Library]:
    opened = Library.open(settings)
    yield opened
    opened.close()


def test_a_path_that_is_not_there_is_named(settings: Settings, tmp_path: Path) -> None:
    with pytest.raises(NothingToWorkOn):
        follow(settings, [tmp_path / "none"], "default", told=print, stop=threading.Event())


def test_what_the_system_cannot_watch_is_looked_through(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = watchfiles.watch

    def limited(*paths: Path, force_polling: bool | None, **options: Any) -> Iterator[Any]:
        if not force_polling:
            raise OSError("OS file watch limit reached.")
        return real(*paths, force_polling=True, **{**options, "poll_delay_ms": 50})

    monkeypatch.setattr(watchfiles, "watch", limited)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.txt").write_text("apple")
    stop = threading.Event()
    made: list[Report] = []

    def told(report: Report) -> None:
        made.append(report)
        if len(made) == 1:
            (tmp_path / "docs" / "b.txt").write_text("pear")
        else:
            stop.set()

    follow(settings, [tmp_path / "docs"], "default", told=told, stop=stop)
    assert [report.added for report in made] == [["a.txt"], ["b.txt"]]
    assert "file watch limit" in capsys.readouterr().err


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_the_command_goes_on_until_it_is_stopped(tmp_path: Path, how: signal.Signals) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "a.txt").write_text("apple")
    script = """
import sys
import rag.embedding
from ingest.__main__ import main
from tests.rag.library.samples import WordEmbedder
rag.embedding.load = lambda settings: WordEmbedder()
sys.exit(main(sys.argv[1:]))
"""
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(folder), "--watch", "--json"],
        stdout=subprocess.PIPE,
        env={**os.environ, "RAG_HOME": str(tmp_path / "home")},
    )
    with process:
        assert process.stdout
        assert json.loads(process.stdout.readline())["added"] == ["a.txt"]
        (folder / "b.txt").write_text("pear")
        assert json.loads(process.stdout.readline())["added"] == ["b.txt"]
        process.send_signal(how)
        try:
            assert process.wait(30) == 130
        finally:
            process.kill()  # or the end of the block would wait for ever
