"""Files handed in through the page: received beside the library, then taken into it by the jobs."""

from __future__ import annotations

import os
import secrets
import shutil
import threading
import time
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from rag.errors import LibraryBusy
from rag.library import Library, manifest, writing
from rag.settings import Settings
from ui.jobs import FileJob, Outcome, Tell

if TYPE_CHECKING:
    from ingest.progress import Progress
    from rag.embedding.protocol import Embedder

_MAX_NAME_BYTES = 240
_BUSY_RETRY_S = 1.0
_PATIENCE_S = 15.0


class Refused(Exception):
    """A file is not taken. status: the HTTP status that says so."""

    def __init__(self, reason: str, status: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.status = status


def safe_name(name: str) -> str:
    """The last part of a name as its owner wrote it, fit to be a file's name here. Raises Refused.

    Folders are dropped, whichever system's separator they have; letters of any script, brackets and
    blanks stay. Controls, which no honest name has, are refused rather than dropped: the name shown must
    be the name stored.
    """
    last = name.replace("\\", "/").rsplit("/", 1)[-1].strip()
    if last in ("", ".", ".."):
        raise Refused("the file has no name", 400)
    if not all(char.isprintable() for char in last):
        raise Refused("the name has characters in it that cannot be shown", 400)
    if last.startswith("."):
        raise Refused(
            "the page takes no file whose name begins with a dot; rename it, or ingest its folder", 400
        )
    if len(last.encode("utf-8", "replace")) > _MAX_NAME_BYTES:
        raise Refused(f"the name is longer than {_MAX_NAME_BYTES} bytes", 400)
    return last


class Uploads:
    """The folders of a data folder in which files that came through the page wait and live.

    incoming/TOKEN/COLLECTION/NAME until it is dealt with, so that a new start of the server finds what
    the last one left undone; uploads/COLLECTION/NAME from the moment it is indexed.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.folder = settings.home / "uploads"
        self._incoming = settings.home / "incoming"
        self.closing = False

    def holds(self, path: Path) -> bool:
        return path.is_relative_to(self.folder)

    def left_over(self) -> list[tuple[str, str, Path]]:
        """(name, collection, where it waits) of files that an earlier server left undone, oldest first.

        What it had received only in part is dropped.
        """
        found: list[tuple[str, str, Path]] = []
        folders = self._incoming.glob("*/") if self._incoming.is_dir() else ()
        for folder in sorted(folders, key=lambda folder: folder.stat().st_mtime):
            files = [path for path in folder.glob("*/*") if path.is_file()]
            if files:
                found += [(path.name, unquote(path.parent.name), path) for path in files]
            else:
                shutil.rmtree(folder, ignore_errors=True)
        return found

    async def receive(
        self, name: str, collection: str, stream: AsyncIterator[bytes], *, modified_s: float = 0
    ) -> Path:
        """Writes the stream to a file of its own. Raises Refused if it is too large or cannot be stored.

        modified_s: seconds since 1970 of the last change of the file that was sent, which the copy keeps;
        if it is not after 1970 and before now the copy is of now.
        """
        limit = self._settings.ui.max_upload_mib << 20
        folder = self._incoming / secrets.token_hex(12)
        size = 0
        try:
            folder.mkdir(parents=True)
            with (folder / "part").open("wb") as file:
                async for block in stream:
                    size += len(block)
                    if size > limit:
                        raise Refused(f"larger than {self._settings.ui.max_upload_mib} MiB", 413)
                    file.write(block)
            if 0 < modified_s < time.time():
                os.utime(folder / "part", (modified_s, modified_s))
            waiting = folder / quote(collection, safe="") / name
            waiting.parent.mkdir()
            os.replace(folder / "part", waiting)
        except OSError as error:
            shutil.rmtree(folder, ignore_errors=True)
            raise Refused(f"it cannot be stored ({error.strerror})", 507) from error
        except BaseException:
            # The sender has gone, or sent too much.
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return waiting

    def discard(self, job: FileJob) -> None:
        """A file that waits is not wanted any more."""
        shutil.rmtree(job.waiting.parent.parent, ignore_errors=True)

    def take_in(self, job: FileJob, embedder: Embedder, stopping: threading.Event, tell: Tell) -> Outcome:
        """Index a received file. If it is stopped, everything is as before, an older version included.

        If it is stopped because the server is closing, it stays where the next start finds it.
        """
        target = self.folder / quote(job.collection, safe="") / job.name
        older = job.waiting.parent.parent / "older"
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists() and not older.exists() and not target.samefile(job.waiting):
            os.replace(target, older)
        target.unlink(missing_ok=True)
        # A second name for the same bytes: at no moment is the file nowhere.
        os.link(job.waiting, target)
        done = False
        try:
            outcome = self._ingest(target, job.collection, embedder, stopping, tell)
            done = outcome.state != "cancelled"
            return outcome
        finally:
            if not done and not self.closing:
                target.unlink(missing_ok=True)
                if older.exists():
                    os.replace(older, target)
                    if self._holds_others(job.collection, target):
                        # Some of what lies in it may be of the new version by now.
                        self._ingest(target, job.collection, embedder, threading.Event(), tell)
                else:
                    self.forget(job.collection, target)
            if not self.closing or done:
                self.discard(job)

    def forget(self, collection: str, path: Path) -> None:
        """Take a path out of the library; the file itself goes too if it came through the page.

        Raises LibraryBusy if another process goes on writing.
        """
        with writing(self._settings, wait_s=_PATIENCE_S) as writer:
            if collection in manifest.collection_ids(writer.database.connection()):
                writer.remove(collection, [str(path)])
        if self.holds(path):
            path.unlink(missing_ok=True)

    def _holds_others(self, collection: str, path: Path) -> bool:
        with closing(Library.open(self._settings)) as library:
            return any(file.members for file in library.files([collection]) if file.absolute == path)

    def _ingest(
        self,
        target: Path,
        collection: str,
        embedder: Embedder,
        stopping: threading.Event,
        tell: Tell,
    ) -> Outcome:
        from ingest.sync import run
        from ingest.walk import printable

        def show(moment: Progress) -> None:
            tell(moment.share if moment.phase == "reading" else 0.0, "")

        while True:
            try:
                report = run(
                    self._settings,
                    [target],
                    collection,
                    embedder=embedder,
                    progress=show,
                    cancel=stopping,
                    existing=True,  # made anew it would be open to everybody
                )
                break
            except LibraryBusy as error:
                # An ingest at the command line holds the library: this file waits for it.
                tell(0.0, error.message)
                if stopping.wait(_BUSY_RETRY_S):
                    return Outcome("cancelled")
        if report.interrupted:
            return Outcome("cancelled")
        name = printable(target.name)  # what lies in it is listed too, with a state of its own
        for path, reason in report.skipped:
            if path == name:
                return Outcome("skipped", reason)
        for path, reason in report.failed:
            if path == name:
                return Outcome("failed", reason)
        if name not in {*report.added, *report.updated}:
            return Outcome("unchanged")
        return Outcome(
            "updated" if name in report.updated else "added", chunks=self._passages(collection, target)
        )

    def _passages(self, collection: str, target: Path) -> int:
        """Of the file and of what lies in it. (What was embedded is less where the same text was there.)"""
        with closing(Library.open(self._settings)) as library:
            return sum(
                file.chunks
                for file in library.files([collection])
                if file.absolute == target or target in file.absolute.parents
            )
