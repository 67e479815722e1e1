"""Files that come through the page: their names, their limits, and nothing left of what was stopped."""

from __future__ import annotations

import asyncio
import io
import threading
import time
import zipfile
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from rag.embedding.protocol import Embedder
from rag.errors import NothingToWorkOn
from rag.library import Library, LibraryWriter, writing
from rag.library.database import Database
from rag.library.vectors.publish import is_in_step
from rag.settings import Settings, UiSettings
from ui.jobs import FileJob, Outcome
from ui.publishing import Publishing
from ui.uploading import Refused, Uploads, safe_name


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("【报告】(终稿)#1.pdf", "【报告】(终稿)#1.pdf"),
        ("/tmp/evil.txt", "evil.txt"),
        ("..\\..\\windows\\evil.txt", "evil.txt"),
        ("../../etc/passwd", "passwd"),
        ("<img src=x onerror=alert(1)>.txt", "<img src=x onerror=alert(1)>.txt"),
        ("  two  words .txt ", "two  words .txt"),
        ("C:report.txt", "C:report.txt"),
    ],
)
def test_names(name: str, kept: str) -> None:
    assert safe_name(name) == kept


@pytest.mark.parametrize(
    "name", ["", "/", "..", "a/..", ".hidden", "a\x00.txt", "a\nb.txt", "a\u202eb.txt", "长" * 90]
)
def test_names_that_are_refused(name: str) -> None:
    with pytest.raises(Refused) as refused:
        safe_name(name)
    assert refused.value.status == 400


async def _blocks(*blocks: bytes) -> AsyncIterator[bytes]:
    for block in blocks:
        yield block


def receive(uploads: Uploads, *blocks: bytes, name: str = "a.txt") -> Path:
    return asyncio.run(uploads.receive(name, "default", _blocks(*blocks)))


def test_too_large_is_refused_and_leaves_nothing(settings: Settings) -> None:
    uploads = Uploads(settings.model_copy(update={"ui": UiSettings(max_upload_mib=1)}))
    with pytest.raises(Refused) as refused:
        receive(uploads, b"x" * (1 << 20), b"y")
    assert refused.value.status == 413
    assert list((settings.home / "incoming").iterdir()) == []


@pytest.mark.parametrize(("said", "kept"), [(1.5e9, True), (0, False), (-1e9, False), (1e15, False)])
def test_a_file_keeps_the_day_of_its_last_change(settings: Settings, said: float, kept: bool) -> None:
    begin = time.time() - 2  # some file systems have coarse times
    uploads = Uploads(settings)
    waiting = asyncio.run(uploads.receive("a.txt", "default", _blocks(b"text"), modified_s=said))
    assert (waiting.stat().st_mtime == said) is kept
    assert kept or waiting.stat().st_mtime >= begin


class Handed:
    """Hands files in as the page does."""

    def __init__(self, settings: Settings, embedder: Embedder) -> None:
        self.settings = settings
        self.uploads = Uploads(settings)
        self.library = Library.open(settings)
        self._embedder = embedder

    def __call__(self, name: str, content: str | bytes, *, stopped: bool = False) -> Outcome:
        raw = content if isinstance(content, bytes) else content.encode()
        waiting = receive(self.uploads, raw, name=name)
        stopping = threading.Event()
        if stopped:
            stopping.set()
        job = FileJob(1, name, "default", waiting)
        outcome = self.uploads.take_in(job, self._embedder, stopping, lambda share, reason: None)
        assert not list((self.settings.home / "incoming").iterdir())
        return outcome

    def texts(self) -> dict[str, str]:
        return {
            file.path: self.library.document(file.sha256).text
            for file in self.library.files()
            if file.state == "live" and file.sha256 and file.chunks
        }


@pytest.fixture
def hand_in(settings: Settings, embedder: Embedder, monkeypatch: pytest.MonkeyPatch) -> Handed:
    """The vector index is left unpublished (a process of its own each time): searches do not need it."""
    monkeypatch.setattr(LibraryWriter, "publish", lambda *_, **__: None)
    return Handed(settings, embedder)


def test_a_new_version_takes_the_place_of_the_old(hand_in: Handed) -> None:
    assert hand_in("价格【终稿】.txt", "The price of one unit is 41 euros.").state == "added"
    assert hand_in("价格【终稿】.txt", "The price of one unit is 42 euros.").state == "updated"
    assert hand_in("价格【终稿】.txt", "The price of one unit is 42 euros.").state == "unchanged"
    assert hand_in.texts() == {"价格【终稿】.txt": "The price of one unit is 42 euros."}


def test_a_file_that_cannot_be_used_has_a_reason(hand_in: Handed) -> None:
    outcome = hand_in("photo.pdf", b"\x89PNG\r\n\x1a\n" + bytes(200))
    assert outcome.state in ("skipped", "failed")
    assert outcome.reason
    (file,) = hand_in.library.files()
    assert file.reason == outcome.reason


def test_a_stopped_file_leaves_nothing(hand_in: Handed) -> None:
    assert hand_in("a.txt", "Some text about pumps.", stopped=True).state == "cancelled"
    assert hand_in.library.files() == []
    assert not [path for path in hand_in.uploads.folder.rglob("*") if path.is_file()]


def test_a_stopped_new_version_leaves_the_old(hand_in: Handed) -> None:
    hand_in("a.txt", "Some text about pumps.")
    assert hand_in("a.txt", "Another text about valves.", stopped=True).state == "cancelled"
    assert hand_in.texts() == {"a.txt": "Some text about pumps."}


def archive(**files: str | bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as target:
        for name, content in files.items():
            target.writestr(f"{name}.txt", content)
    return made.getvalue()


def test_what_lies_in_a_file_does_not_decide_what_became_of_it(hand_in: Handed) -> None:
    first = archive(pumps="Some text about pumps.", photo=b"\x89PNG\r\n\x1a\n" + bytes(200))
    assert hand_in("all.zip", first).state == "added"
    assert hand_in.texts() == {"all.zip/pumps.txt": "Some text about pumps."}
    assert hand_in("all.zip", archive(pumps="Some text about valves.")).state == "updated"
    assert hand_in.texts() == {"all.zip/pumps.txt": "Some text about valves."}


def test_a_new_version_that_is_stopped_half_way_leaves_all_that_lay_in_the_old(
    hand_in: Handed, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand_in("all.zip", archive(a="Old text about pumps.", b="Old text about valves."))
    before = hand_in.texts()
    new = archive(a="New text about pumps.", b="New text about valves.")
    waiting = receive(hand_in.uploads, new, name="all.zip")
    stopping = threading.Event()
    put = LibraryWriter.put

    def put_and_stop(self: LibraryWriter, *arguments: Any, **options: Any) -> None:
        put(self, *arguments, **options)
        stopping.set()

    with monkeypatch.context() as patch:
        patch.setattr(LibraryWriter, "put", put_and_stop)
        job = FileJob(1, "all.zip", "default", waiting)
        outcome = hand_in.uploads.take_in(job, hand_in._embedder, stopping, lambda share, reason: None)
    assert outcome.state == "cancelled"
    assert hand_in.texts() == before


def test_a_file_waits_for_another_writer(hand_in: Handed) -> None:
    waiting = receive(hand_in.uploads, b"Some text about pumps.")
    said: list[str] = []
    told = threading.Event()

    def tell(share: float, reason: str) -> None:
        said.append(reason)
        if reason:
            told.set()

    outcomes: list[Outcome] = []
    job = FileJob(1, "a.txt", "default", waiting)
    thread = threading.Thread(
        target=lambda: outcomes.append(
            hand_in.uploads.take_in(job, hand_in._embedder, threading.Event(), tell)
        )
    )
    with writing(hand_in.settings):
        thread.start()
        assert told.wait(20)
    thread.join(20)
    assert [outcome.state for outcome in outcomes] == ["added"]
    assert any("writing" in reason for reason in said)


def test_removing_takes_the_file_along(hand_in: Handed) -> None:
    hand_in("a.txt", "Some text about pumps.")
    (file,) = hand_in.library.files()
    hand_in.uploads.forget("default", file.absolute)
    assert hand_in.library.files() == []
    assert not file.absolute.exists()


def test_removing_leaves_files_of_folders_where_they_are(hand_in: Handed, tmp_path: Path) -> None:
    from ingest.sync import run

    kept = tmp_path / "kept.txt"
    kept.write_text("Some text about pumps.")
    run(hand_in.settings, [kept], embedder=hand_in._embedder)
    hand_in.uploads.forget("default", kept)
    assert hand_in.library.files() == []
    assert kept.exists()


def test_removals_are_published_later_and_once(settings: Settings, embedder: Embedder) -> None:
    hand_in = Handed(settings, embedder)
    for name in ("a.txt", "b.txt"):
        hand_in(name, f"Some text about pumps, in {name}.")
    publishing = Publishing(hand_in.settings, quiet_s=0.2)
    first, _ = hand_in.library.files()
    hand_in.uploads.forget("default", first.absolute)
    publishing.soon()
    publishing.soon()
    assert [file.path for file in hand_in.library.files()] == ["b.txt"]

    def in_step() -> bool:
        with closing(Database(hand_in.settings.home)) as database:
            return is_in_step(database.connection())

    assert not in_step()
    for _ in range(300):
        if in_step():
            break
        threading.Event().wait(0.1)
    assert in_step()
    publishing.close()


def test_what_a_server_left_undone_is_found_by_the_next(hand_in: Handed) -> None:
    hand_in("a.txt", "Some text about pumps.")
    waiting = receive(hand_in.uploads, b"Another text about valves.")
    stopping = threading.Event()
    stopping.set()
    hand_in.uploads.closing = True
    hand_in.uploads.take_in(
        FileJob(1, "a.txt", "default", waiting), hand_in._embedder, stopping, lambda *_: None
    )
    (hand_in.settings.home / "incoming" / "torn").mkdir()
    (hand_in.settings.home / "incoming" / "torn" / "part").write_bytes(b"half a")

    uploads = Uploads(hand_in.settings)
    assert uploads.left_over() == [("a.txt", "default", waiting)]
    job = FileJob(1, *uploads.left_over()[0])
    assert uploads.take_in(job, hand_in._embedder, threading.Event(), lambda *_: None).state == "updated"
    assert hand_in.texts() == {"a.txt": "Another text about valves."}
    assert uploads.left_over() == []


def test_the_older_version_outlives_a_new_start_and_a_stop(hand_in: Handed) -> None:
    hand_in("a.txt", "Some text about pumps.")
    waiting = receive(hand_in.uploads, b"Another text about valves.")
    stopping = threading.Event()
    stopping.set()
    job = FileJob(1, "a.txt", "default", waiting)
    hand_in.uploads.closing = True
    hand_in.uploads.take_in(job, hand_in._embedder, stopping, lambda *_: None)
    hand_in.uploads.closing = False
    assert hand_in.uploads.take_in(job, hand_in._embedder, stopping, lambda *_: None).state == "cancelled"
    (kept,) = [path for path in hand_in.uploads.folder.rglob("*") if path.is_file()]
    assert kept.read_text() == "Some text about pumps."
    assert hand_in.texts() == {"a.txt": "Some text about pumps."}


def test_a_file_for_a_collection_that_was_removed_meanwhile_does_not_make_it_anew(
    settings: Settings, embedder: Embedder
) -> None:
    """Anew it would be open to everybody."""
    uploads = Uploads(settings)
    with writing(settings) as writer:
        writer.create_collection("board", ["ann"])

    async def sent() -> AsyncIterator[bytes]:
        yield b"The number is 4711."

    waiting = asyncio.run(uploads.receive("note.txt", "board", sent()))
    with writing(settings) as writer:
        writer.remove_collection("board")
    job = FileJob(1, "note.txt", "board", waiting)
    with pytest.raises(NothingToWorkOn, match="removed"):
        uploads.take_in(job, embedder, threading.Event(), lambda share, reason: None)
    with closing(Library.open(settings)) as library:
        assert [each.name for each in library.collections()] == ["default"]
    assert not list(uploads.folder.rglob("*.txt"))
    assert uploads.left_over() == []
