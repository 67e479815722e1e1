"""The rounds of `tests.faults.kill_many`: one ingest from nothing, disturbed once, then finished."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from rag import settings as settings_module
from rag.library import Library, writing
from rag.library.verify import verify
from rag.settings import Settings
from tests.faults.small_disk import small_disk

Contents = dict[str, tuple[str, ...]]
"""Path → digests of all that is stored of its document: one for the document, one for each chunk."""


@dataclass(frozen=True, slots=True)
class Done:
    """phase: of the ingest when it was killed. live: files that were stored by then. seconds: of the next
    run, which completed."""

    phase: str
    live: int
    seconds: float

    def __str__(self) -> str:
        return f"{self.phase}, {self.live} files stored; the next run took {self.seconds:.1f} s, all in step"


class Rounds:
    """pause_s: of the stand-in embedder a chunk; None: the embedder of the settings."""

    def __init__(self, folder: Path, scratch: Path, pause_s: float | None) -> None:
        self._folder = folder
        self._scratch = scratch
        self._pause_s = pause_s
        self.expected: Contents = {}
        self.chunks = self.left_out = self._bytes = 0

    def undisturbed(self) -> float:
        """Seconds that it took."""
        home = self._scratch / "undisturbed"
        seconds = self._finish(home)
        self.expected = contents(home)
        self.chunks = sum(len(digests) - 1 for digests in self.expected.values())
        with closing(Library.open(settings_of(home))) as library:
            self.left_out = sum(info.state != "live" for info in library.files())
        self._bytes = sum(path.stat().st_size for path in home.rglob("*") if path.is_file())
        in_step(home)
        return seconds

    def kill(self, moment: float) -> Done:
        """After `moment` seconds, sooner if the ingest proves to be faster than that."""
        home = self._scratch / "home"
        phases: list[str] = []
        ended = True
        while ended:
            shutil.rmtree(home, ignore_errors=True)
            with (self._scratch / "said").open("w+") as said:
                process = self._start(home, said)
                time.sleep(moment)
                ended = process.poll() is not None
                process.kill()
                process.wait()
                said.seek(0)
                phases = said.read().split()
            moment *= 0.9
        stored = self._as_before_or_after(home) if (home / "library.sqlite").exists() else 0
        seconds = self._finish(home)
        self._as_undisturbed(home)
        return Done(phases[-1] if phases else "starting", stored, seconds)

    def full_disk(self) -> str:
        """What happened, as a sentence."""
        disk = self._scratch / "disk"
        room = self._bytes // 2
        with small_disk(disk, room) as mounted:
            home = disk / "home"
            with (self._scratch / "said").open("w+") as said:
                process = self._start(home, said, None if mounted else room)
                code = process.wait()
                said.seek(0)
                text = said.read()
            assert code == 1, f"with a full disk it ended with {code}: {text}"
            assert self._pause_s is None or "Make room" in text, text
            if mounted:
                command = ["mount", "-o", f"remount,size={20 * self._bytes}", str(disk)]
                subprocess.run(command, check=True)
            stored = self._as_before_or_after(home)
            seconds = self._finish(home)
            self._as_undisturbed(home)
        how = "a file system of its own" if mounted else "a limit on the size of files"
        return (
            f"disk full ({how} with {room >> 20} MiB) with {stored} files stored; it said so, and with room "
            f"the next run took {seconds:.1f} s, all in step"
        )

    def _start(self, home: Path, said: IO[str], most: int | None = None) -> subprocess.Popen[bytes]:
        """most: bytes that a file may have."""
        limit = f"resource.setrlimit(resource.RLIMIT_FSIZE, ({most},) * 2)" if most else ""
        module, arguments = (
            ("ingest.__main__", [str(self._folder)])
            if self._pause_s is None
            else ("tests.faults.driver", [str(home), str(self._folder), str(self._pause_s)])
        )
        script = f"import resource, sys; {limit}\nfrom {module} import main\nsys.exit(main())"
        return subprocess.Popen(
            [sys.executable, "-c", script, *arguments],
            stdout=said,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "RAG_HOME": str(home)},
        )

    def _finish(self, home: Path) -> float:
        begin = time.monotonic()
        with (self._scratch / "said").open("w+") as said:
            code = self._start(home, said).wait()
            said.seek(0)
            assert code in (0, 3), f"the run ended with {code}: {said.read()}"
        return time.monotonic() - begin

    def _as_before_or_after(self, home: Path) -> int:
        """Before: nothing at all. Returns how many files are there."""
        stored = contents(home)
        for path, digests in stored.items():
            assert digests == self.expected.get(path), f"{path} is neither as before nor as after"
        in_step(home)
        return len(stored)

    def _as_undisturbed(self, home: Path) -> None:
        stored = contents(home)
        missing = self.expected.keys() - stored.keys()
        assert not missing, f"lost: {sorted(missing)[:5]}"
        for path, digests in stored.items():
            assert digests == self.expected.get(path), f"{path} is not as in the undisturbed library"
        in_step(home)
        # What no path has would not show above.
        with writing(settings_of(home)) as writer:
            connection = writer.database.connection()
            for table in ("chunks", "embeddings", "keywords"):
                (rows,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
                (held,) = connection.execute("SELECT sum(chunk_count) FROM documents").fetchone()
                assert rows == held, f"{rows} rows of {table} for {held} chunks"
        assert len(list((home / "chroma").iterdir())) <= 2, "folders of killed runs were left behind"


def contents(home: Path) -> Contents:
    found: Contents = {}
    with closing(Library.open(settings_of(home))) as library:
        for info in library.files():
            if info.state != "live" or not info.sha256:
                continue
            if not info.chunks:
                found[info.path] = (info.sha256,)
                continue
            chunks = library.neighbours(info.sha256, 0, 1 << 40)
            vectors = library.vectors([chunk.id for chunk in chunks])
            found[info.path] = (
                _digest(info.sha256, library.document(info.sha256)),
                *(
                    # The numbers of chunks depend on the order of storing.
                    _digest(
                        (chunk.ordinal, chunk.start, chunk.end, chunk.text, chunk.pages, chunk.heading),
                        vector.tobytes() if exact(vector) else None,
                    )
                    for chunk, vector in zip(chunks, vectors, strict=True)
                ),
            )
    return found


def exact(vector: object) -> bool:
    """Whether equal texts have equal vectors bit for bit: not with a real model, whose batches differ."""
    return getattr(vector, "shape", (0,)) == (32,)


def settings_of(home: Path) -> Settings:
    return settings_module.load(home=home)


def in_step(home: Path) -> None:
    with writing(settings_of(home)) as writer:
        problems = verify(home, writer.database)
    assert not problems, problems


def _digest(*values: object) -> str:
    return hashlib.blake2b(repr(values).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
