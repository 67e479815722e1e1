"""One writer a data folder."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from rag.errors import LibraryBusy
from rag.library.data_folder import make_data_folder

_LOCK = "writer.lock"
_HOLDER = "writer.json"


@contextmanager
def writer_lock(home: Path, *, wait_s: float) -> Iterator[None]:
    """Hold the writer's lock; it ends with the process, however that ends.

    Waits up to `wait_s` seconds for another holder, also for another thread of this process, then raises
    LibraryBusy with its process number.
    """
    make_data_folder(home)
    # Not a singleton and not reentrant across instances: two threads exclude each other as well.
    lock = FileLock(home / _LOCK, is_singleton=False)
    try:
        lock.acquire(timeout=wait_s, poll_interval=0.05)
    except Timeout:
        holder = _holder(home)
        who = f" (process {holder['pid']}, since {_clock(holder['since'])})" if holder else ""
        raise LibraryBusy(
            f"Another ingest is writing to {home}{who}.",
            fix="Wait until it has finished, or stop it; then run this again.",
        ) from None
    try:
        # A file of its own: those who wait for the lock empty the lock file when they try.
        # On a full disk others learn less of this one; whether it can write will be seen when it does.
        with suppress(OSError):
            (home / _HOLDER).write_text(json.dumps({"pid": os.getpid(), "since": time.time()}))
        yield
    finally:
        (home / _HOLDER).unlink(missing_ok=True)
        lock.release()


def _holder(home: Path) -> dict[str, float] | None:
    try:
        holder = json.loads((home / _HOLDER).read_text())
    except (OSError, ValueError):
        return None  # it is just beginning or ending
    return holder if isinstance(holder, dict) and holder.keys() >= {"pid", "since"} else None


def _clock(when: float) -> str:
    return time.strftime("%H:%M:%S", time.localtime(when))
