"""Reads files in child processes, each file within limits of time and memory.

A file can make a reader hang, fill the memory or crash outright. Whatever it does happens to a child
process: the file is named as failed, the child is replaced, and the work goes on. So it is with the files
that lie in a file: the one that ended the child is named, and a new child reads the others.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import IO, TYPE_CHECKING

from ingest.gathered import Died, Gathered, Reading
from ingest.readers import Limits
from ingest.reading_worker import LENGTH, part_from_json, request
from rag import child

if TYPE_CHECKING:
    from rag.settings import Settings

WORKER = "ingest.reading_worker"
_LOOK_EVERY_S = 0.2
_REST_BYTES = 300 << 20
"""A child that holds more after its work is replaced: readers' libraries keep memory that they once had."""
_FILES_A_CHILD = 500
_SHARE_OF_A_PAGE = 0.8
"""Of the time for a file, what recognising one of its pages may take: after each the time begins anew."""
_DEATHS = 10
"""Ends of the reader over all files in one file, until the rest is left out."""
_OUT_OF_MEMORY = frozenset({signal.SIGABRT, signal.SIGTRAP, signal.SIGILL, signal.SIGSEGV})
"""How libraries written in C and C++ end when they are refused memory."""
_MUCH = 0.4
"""Share of the allowed memory from which such an end is put down to that: what grows asks for twice of what
it has, and is refused while it still holds the first half."""
_TIMES = 5
"""All files in one file may take so many times as long as one file."""


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
            Limits(
                file_bytes=chosen.max_file_mib << 20,
                expanded_bytes=chosen.max_expanded_mib << 20,
                pages=chosen.max_pages,
                text_chars=chosen.max_text_chars,
                members=chosen.max_members,
                depth=chosen.max_depth,
                ocr=chosen.ocr,
                ocr_languages=chosen.ocr_languages,
                ocr_page_s=min(chosen.ocr_page_s, chosen.file_timeout_s * _SHARE_OF_A_PAGE),
                ocr_file_s=chosen.ocr_file_s,
            ),
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
        self._seen = 0
        """Bytes: the most memory that the child was seen to hold over the present file."""

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def read(self, path: Path) -> Reading:
        """Never raises for anything that the file does."""
        got = Gathered(time.monotonic() + _TIMES * self._bounds.seconds)
        while True:
            self._files += 1
            try:
                return self._attempt(path, got)
            except Died as death:
                if not got.begun and not got.members:
                    return Reading(reason=death.reason, died=True, stopped=death.stopped)
                got.bury(death)
                if not got.begun or time.monotonic() > got.end or got.deaths >= _DEATHS:
                    return got.cut_short(death.reason)
            except _Cancelled:
                self.close()
                return Reading(reason="the ingest was stopped", cancelled=True)

    def _attempt(self, path: Path, got: Gathered) -> Reading:
        """One request, and its answers until the last. Raises Died, _Cancelled."""
        bounds = self._bounds
        process = self._running()
        got.begun = ""
        self._seen = 0
        try:
            asked = _pipe(process.stdin)
            without = got.settled()
            asked.write(request(str(path), self._passwords, bounds.limits, bounds.memory_bytes, without))
            asked.flush()
            while True:
                answer = json.loads(self._answer(process, time.monotonic() + bounds.seconds))
                if "memory" in answer:
                    self.close()  # what it still holds would be counted against the next file
                    raise Died(self._too_much_memory, stopped=True)
                if "busy" in answer:
                    got.end += bounds.seconds  # bounded by the reader's own limit of the work it tells of
                    continue
                if "part" in answer:
                    got.take(part_from_json(answer["part"]))
                elif "begun" in answer:
                    got.begun = answer["begun"]
                if "skipped" in answer or "failed" in answer:
                    return Reading(
                        reason=answer.get("skipped") or answer["failed"], skipped="skipped" in answer
                    )
                if time.monotonic() > got.end and got.own:
                    self.close()
                    return got.cut_short(f"all of it together took longer than {_TIMES * bounds.seconds:g} s")
                if "end" in answer or ("part" in answer and got.own and not got.own.contains):
                    return got.complete()
        except (BrokenPipeError, EOFError):
            raise self._death(process) from None
        except _Stopped as stopped:
            self.close()
            raise Died(stopped.reason, stopped=True) from None

    def close(self) -> None:
        """End the child, in whatever it is doing."""
        process, self._child = self._child, None
        if process is not None:
            process.kill()
            process.wait()
            _pipe(process.stdin).close()
            _pipe(process.stdout).close()

    def _running(self) -> subprocess.Popen[bytes]:
        process = self._child
        if process is not None and (
            process.poll() is not None
            or self._files >= _FILES_A_CHILD
            or _resident(process.pid) > _REST_BYTES
        ):
            self.close()
        if self._child is None:
            self._files = 0
            self._child = subprocess.Popen(
                child.command(WORKER),
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                **child.surroundings(),
            )
        return self._child

    def _answer(self, process: subprocess.Popen[bytes], deadline: float) -> bytes:
        """One answer without its length. Raises EOFError if the child ended before it was complete."""
        out = _pipe(process.stdout).fileno()
        received = bytearray()
        wanted = LENGTH.size
        with selectors.DefaultSelector() as selector:
            selector.register(out, selectors.EVENT_READ)
            while len(received) < wanted:
                if self._cancel.is_set():
                    raise _Cancelled
                if not selector.select(_LOOK_EVERY_S):
                    self._look_after(process, deadline)
                    continue
                piece = os.read(out, min(wanted - len(received), 1 << 20))
                if not piece:
                    raise EOFError
                received += piece
                if len(received) == wanted == LENGTH.size:
                    wanted += LENGTH.unpack(received)[0]
        return bytes(received[LENGTH.size :])

    def _look_after(self, process: subprocess.Popen[bytes], deadline: float) -> None:
        if time.monotonic() > deadline:
            raise _Stopped(f"reading it took longer than {self._bounds.seconds:g} s")
        self._seen = max(self._seen, _resident(process.pid))
        if self._seen > self._bounds.memory_bytes + _REST_BYTES:
            raise _Stopped(self._too_much_memory)

    @property
    def _too_much_memory(self) -> str:
        return f"reading it needs more than {self._bounds.memory_bytes >> 20} MiB of memory"

    def _death(self, process: subprocess.Popen[bytes]) -> Died:
        code = process.wait()
        self.close()
        if code >= 0:
            return Died(f"its reader ended with exit code {code}", stopped=False)
        if -code in _OUT_OF_MEMORY and self._seen > _MUCH * self._bounds.memory_bytes:
            return Died(self._too_much_memory, stopped=True)
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        return Died(f"its reader crashed ({name})", stopped=False)


class _Stopped(Exception):
    def __init__(self, reason: str) -> None:
        self.reason = reason


class _Cancelled(Exception):
    pass


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None, "the child was started with pipes"
    return pipe


def _resident(pid: int) -> int:
    """Bytes of memory that a process holds; 0 where the system does not say."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0
