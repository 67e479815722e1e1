"""Publishing in a child process: what it tells, and what its death costs."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from rag.errors import LibraryError
from rag.library import LibraryWriter
from rag.library.vectors import apart
from rag.library.vectors.apart import publish_apart
from rag.library.vectors.published import published
from rag.library.verify import verify
from rag.settings import Settings
from tests.rag.library.samples import WordEmbedder, document, put


def test_the_child_publishes_and_tells_how_far_it_is(
    writer: LibraryWriter, embedder: WordEmbedder, settings: Settings
) -> None:
    publish_apart(settings.home, writer.database)  # nothing there: nothing to do, no child
    put(writer, embedder, "a.txt", document("\n".join(f"line {number}" for number in range(700))))
    seen: list[tuple[int, int]] = []
    publish_apart(settings.home, writer.database, progress=lambda done, total: seen.append((done, total)))
    assert [moment for moment in dict.fromkeys(seen) if moment[1]] == [(500, 700), (700, 700)]
    assert verify(settings.home, writer.database) == []
    index = published(writer.database.connection())
    publish_apart(settings.home, writer.database)
    assert published(writer.database.connection()) == index


def test_its_death_is_named_and_costs_only_speed(
    writer: LibraryWriter, embedder: WordEmbedder, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(writer, embedder, "a.txt", document("some text"))
    popen = apart.subprocess.Popen

    def killing(*arguments: object, **options: object) -> object:
        process = popen(*arguments, **options)  # type: ignore[call-overload]
        threading.Thread(target=lambda: (time.sleep(0.05), os.kill(process.pid, signal.SIGKILL))).start()
        return process

    with monkeypatch.context() as patch:
        patch.setattr(apart.subprocess, "Popen", killing)
        with pytest.raises(LibraryError, match="signal 9"):
            publish_apart(settings.home, writer.database)
    assert published(writer.database.connection()) is None
    publish_apart(settings.home, writer.database)
    assert verify(settings.home, writer.database) == []


def test_its_error_comes_with_the_fix(
    writer: LibraryWriter, embedder: WordEmbedder, settings: Settings, tmp_path: Path
) -> None:
    put(writer, embedder, "a.txt", document("some text"))
    (settings.home / "chroma").write_text("a file where the folder should be")
    with pytest.raises(LibraryError, match="could not be written") as caught:
        publish_apart(settings.home, writer.database)
    assert "Make room" in caught.value.fix
