"""Reads files in child processes, each file within limits of time and memory.

A file can make a reader hang, fill the memory or crash outright. Whatever it does happens to a child
process: the file is named as failed, the child is replaced, and the work goes on.
"""

from __future__ import annotations

import os
import pickle
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import IO, TYPE_CHECKING

from ingest.readers import Limits
from rag.records import Document

if TYPE_CHECKING:
    from rag.settings import Settings

_LOOK_EVERY_S = 0.2
_REST_BYTES = 300 << 20
"""A child that holds more after its work is replaced: readers' libraries keep memory that they once had."""
_FILES_A_CHILD = 500


@dataclass(frozen=True, slots=True)
class Reading:
    """What became of one file. Exactly one holds: `document` is set, `skipped`, or neither (failed).

    died: the reader crashed over it, or was stopped at a limit: worth a few tries, never endless ones.
    """

    document: Document | None = None
    reason: str = ""
    skipped: bool = False
    died: bool = False


@dataclass(frozen=True, slots=True)
class Bounds:
    """seconds and memory_bytes for one file; limits: those that the readers keep by themselves."""

    seconds: float
    memory_bytes: int
    limits: Limits

    @classmethod
    def of(cls, settings: Settings) -> Bounds:
        chosen = settings.ingest
        return cls(
            chosen.file_timeout_s,
            chosen.file_memory_mib << 20,
            Limits(file_bytes=chosen.max_file_mib << 20),
        )


class Reader:
    """One child process at a time, started when it is needed. For one thread.

    >>> with Reader(Bounds.of(settings)) as reader:          # doctest: +SKIP
    ...     reader.read(Path("report.pdf")).document
    """

    def __init__(self, bounds: Bounds, passwords: Sequence[str] = (), cancel: Event | None = None) -> None:
        self._bounds = bounds
        self._passwords = tuple(passwords)
        self._cancel = cancel or Event()
        self._child: subprocess.Popen[bytes] | None = None
        self._files = 0

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def read(self, path: Path) -> Reading:
        """Never raises for anything that the file does. A cancelled reading says so as its reason."""
        from ingest.reading_worker import Request

        bounds = self._bounds
        request = Request(str(path), self._passwords, bounds.limits, bounds.memory_bytes)
        child = self._running()
        self._files += 1
        try:
            pickle.dump(request, _pipe(child.stdin))
            _pipe(child.stdin).flush()
            data = self._answer(child, time.monotonic() + bounds.seconds)
        except BrokenPipeError:
            data = b""
        except _Stopped as stopped:
            self._kill()
            return Reading(reason=stopped.reason, died=not self._cancel.is_set())
        if not data:
            return Reading(reason=self._obituary(), died=True)
        return self._understood(data)

    def close(self) -> None:
        self._kill()

    def _running(self) -> subprocess.Popen[bytes]:
        child = self._child
        if child is not None and (
            child.poll() is not None or self._files >= _FILES_A_CHILD or _resident(child.pid) > _REST_BYTES
        ):
            self._kill()
        if self._child is None:
            root = str(Path(__file__).resolve().parents[1])
            paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
            self._files = 0
            self._child = subprocess.Popen(
                [sys.executable, "-P", "-X", "utf8", "-m", "ingest.reading_worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
                # Ctrl-C is this process's to handle.
                start_new_session=True,
            )
        return self._child

    def _answer(self, child: subprocess.Popen[bytes], deadline: float) -> bytes:
        """The bytes of one pickle; b"" if the child ended before it was complete."""
        out = _pipe(child.stdout)
        os.set_blocking(out.fileno(), False)
        received = bytearray()
        with selectors.DefaultSelector() as selector:
            selector.register(out, selectors.EVENT_READ)
            while True:
                if selector.select(_LOOK_EVERY_S):
                    piece = os.read(out.fileno(), 1 << 20)
                    if not piece:
                        return b""
                    received += piece
                    # A pickle ends with a full stop; only a whole one can be loaded.
                    if piece.endswith(b".") and _complete(received):
                        return bytes(received)
                self._look_after(child, deadline)

    def _look_after(self, child: subprocess.Popen[bytes], deadline: float) -> None:
        if self._cancel.is_set():
            raise _Stopped("cancelled")
        if time.monotonic() > deadline:
            raise _Stopped(f"reading it took more than {self._bounds.seconds:g} s")
        if _resident(child.pid) > self._bounds.memory_bytes + _REST_BYTES:
            raise _Stopped(self._too_much_memory())
