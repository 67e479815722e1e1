"""Brings the vector index into step after removals, later and all at once, so that nobody waits for it."""

from __future__ import annotations

import logging
import threading

from rag.errors import LibraryBusy, LibraryError
from rag.library import writing
from rag.settings import Settings

QUIET_S = 3.0
"""So long after the last removal."""

log = logging.getLogger("bonsai.ui")


class Publishing:
    """Searches are right meanwhile: what was removed is not found, published or not."""

    def __init__(self, settings: Settings, quiet_s: float = QUIET_S) -> None:
        self._settings = settings
        self._quiet_s = quiet_s
        self._asked = threading.Event()
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    def soon(self) -> None:
        self._asked.set()
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="publishing", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """What was asked for and not begun is left to the next start of the server."""
        self._closing.set()
        self._asked.set()
        if self._thread is not None:
            self._thread.join(10)

    def _run(self) -> None:
        while True:
            self._asked.wait()
            while self._asked.is_set() and not self._closing.is_set():
                self._asked.clear()
                self._closing.wait(self._quiet_s)
            if self._closing.is_set():
                return
            try:
                with writing(self._settings) as writer:
                    writer.publish()
            except LibraryBusy:
                log.info("Another process is writing to the library; it will publish the vectors.")
            except LibraryError as error:
                log.warning("The vectors were not published: %s", error)
