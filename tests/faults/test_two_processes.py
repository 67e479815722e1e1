"""Two ingests of one data folder, and an ingest beside a reader that is open."""

from __future__ import annotations

import signal
import time
from pathlib import Path

from rag.library import Library
from rag.settings import Settings
from tests.faults import corpus
from tests.faults.checks import check_complete
from tests.faults.test_kill import finish, start
from tests.rag.library.samples import WordEmbedder


def wait_until_writing(settings: Settings) -> None:
    """Until the other process holds the lock. Looked at, not tried: trying would keep it from it."""
    deadline = time.monotonic() + 60
    while not (settings.home / "writer.json").exists():
        assert time.monotonic() < deadline, "the ingest did not begin to write"
        time.sleep(0.005)


def test_the_second_ingest_names_the_first_and_changes_nothing(settings: Settings, tmp_path: Path) -> None:
    folder, other = tmp_path / "docs", tmp_path / "other"
    corpus.make(folder, 6, seed=8)
    corpus.make(other, 2, seed=9)
    first = start(settings, folder, pause_s=5)
    wait_until_writing(settings)
    second = start(settings, other)
    said, _ = second.communicate(timeout=120)
    assert second.returncode == 1
    assert f"process {first.pid}" in said
    first.send_signal(signal.SIGINT)
    with first:
        assert first.wait() == 130
    finish(start(settings, folder))
    check_complete(settings, folder)


def test_a_reader_sees_each_document_as_it_is_stored(settings: Settings, tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    corpus.make(folder, 12, seed=10)
    library = Library.open(settings)
    process = start(settings, folder, pause_s=0.02)
    vector = WordEmbedder().embed_queries(["holiday allowance"])[0]
    sizes: set[int] = set()
    while process.poll() is None:
        words = library.keyword(["default"], ["holiday"], 10_000)
        dense = library.dense(["default"], vector, 10_000)
        assert len(dense) >= len(words)
        sizes.add(len(dense))
    finish(process)
    assert len(sizes) > 2
    assert len(library.dense(["default"], vector, 10_000)) == library.collections()[0].chunks
    library.close()


def test_an_interrupted_ingest_ends_cleanly_and_goes_on(settings: Settings, tmp_path: Path) -> None:
    """Ctrl-C."""
    folder = tmp_path / "docs"
    corpus.make(folder, 12, seed=11)
    process = start(settings, folder, pause_s=0.02)
    wait_until_writing(settings)
    process.send_signal(signal.SIGINT)
    begin = time.monotonic()
    assert process.wait() == 130
    assert time.monotonic() - begin < 10
    finish(start(settings, folder))
    check_complete(settings, folder)
