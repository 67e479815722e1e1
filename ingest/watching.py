"""`--watch`: ingest, then again whenever something under the paths changes."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ingest.progress import Show
from ingest.sync import Report, run
from rag.errors import LibraryBusy, NothingToWorkOn

if TYPE_CHECKING:
    from rag.embedding.protocol import Embedder
    from rag.settings import Settings

_LOOK_EVERY_MS = 500
_QUIET_MS = 400
"""Changes are waited for to end this long: a file that is being copied changes all the time."""
_LONGEST_MS = 10_000
_BUSY_RETRY_S = 5.0
_POLL_EVERY_MS = 5000


def follow(
    settings: Settings,
    paths: Sequence[Path],
    collection: str,
    *,
    keep_missing: bool = False,
    passwords: Sequence[str] = (),
    progress: Show | None = None,
    told: Callable[[Report], None],
    stop: threading.Event,
) -> None:
    """Keeps the collection in step with the paths until `stop` is set or Ctrl-C is pressed.

    told: given the report of the first ingest and of every later one that changed something or failed.
    The paths are watched before the first ingest begins, so nothing that happens meanwhile is missed.
    Another writer is waited for. Raises NothingToWorkOn when a path is not there (any more).
    """
    from rag.embedding import load

    embedder = load(settings)
    try:
        first = True
        for changed in _changes([path.expanduser().absolute() for path in paths], stop):
            if not changed:
                continue
            report = _run(settings, paths, collection, keep_missing, passwords, embedder, progress, stop)
            if report is None or report.interrupted:
                return
            if first or report.changed or report.failed:
                told(report)
            first = False
    finally:
        embedder.close()


def _changes(paths: Sequence[Path], stop: threading.Event) -> Iterator[bool]:
    """True at once, and whenever something under the paths has changed; False now and then in between.

    Where the system cannot watch so many folders (Linux bounds their number), they are looked through
    again and again instead.
    """
    import watchfiles

    for path in paths:
        if not path.exists():
            raise NothingToWorkOn(f"There is no file or folder at {path}.", fix="Check the path.")
    for polling in (False, True):
        unknown = True  # what happened before the watching began
        try:
            for changes in watchfiles.watch(
                *paths,
                watch_filter=None,  # the walk decides what is read
                debounce=_LONGEST_MS,
                step=_QUIET_MS,
                rust_timeout=_LOOK_EVERY_MS,
                yield_on_timeout=True,
                stop_event=stop,
                ignore_permission_denied=True,
                force_polling=polling or None,
                poll_delay_ms=_POLL_EVERY_MS,
            ):
                yield unknown or bool(changes)
                unknown = False
            return
        except (OSError, RuntimeError) as error:
            if polling:
                raise
            print(
                f"The system cannot watch {', '.join(map(str, paths))} ({error}); looking for changes every "
                f"{_POLL_EVERY_MS // 1000} seconds instead.",
                file=sys.stderr,
                flush=True,
            )


def _run(
    settings: Settings,
    paths: Sequence[Path],
    collection: str,
    keep_missing: bool,
    passwords: Sequence[str],
    embedder: Embedder,
    progress: Show | None,
    stop: threading.Event,
) -> Report | None:
    """None if it was stopped while it waited for another writer."""
    while True:
        try:
            return run(
                settings,
                paths,
                collection,
                keep_missing=keep_missing,
                passwords=passwords,
                embedder=embedder,
                progress=progress,
                cancel=stop,
            )
        except LibraryBusy as busy:
            print(f"{busy.message} Waiting for it.", file=sys.stderr, flush=True)
            if stop.wait(_BUSY_RETRY_S):
                return None
