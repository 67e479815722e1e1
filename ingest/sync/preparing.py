"""From a path to chunks: look at its content, read it if it is new, cut it. In threads ahead of embedding."""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ingest.reading import Bounds, Reader
from ingest.sync.handover import Handover
from ingest.sync.plan import MOST_TRIES, Decision, Do, Recipes
from rag.library import LibraryWriter, Source
from rag.records import Chunk, Document, FileState

if TYPE_CHECKING:
    from rag.embedding.protocol import Embedder
    from rag.settings import Settings

_MOST_WAITING = 16 << 20
"""Characters of prepared text that may wait to be embedded."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document cut into chunks; texts: what is embedded of each."""

    decision: Decision
    source: Source
    document: Document
    chunks: list[Chunk]
    texts: list[str]
    pages_without_text: list[int]


@dataclass(frozen=True, slots=True)
class Same:
    """The content is that of a stored document, of the file as it was (`unchanged`), or (`claimed`) of
    another file of this run."""

    decision: Decision
    source: Source
    sha256: str
    unchanged: bool = False
    claimed: bool = False


@dataclass(frozen=True, slots=True)
class Aside:
    """No document comes of it. died: see `ingest.reading.Reading`."""

    decision: Decision
    source: Source
    state: FileState
    reason: str
    sha256: str | None = None
    died: bool = False


@dataclass(frozen=True, slots=True)
class Broken:
    """The preparing itself failed: not a matter of one file."""

    error: BaseException


Outcome = Prepared | Same | Aside | Broken


class Preparing:
    """Prepares files in `threads` threads, each with a reader process of its own.

    Outcomes come from `take` in the order of their completion, one for each file unless it is cancelled.
    embedder: gives the embedder whose tokens chunks are measured in; called when the first file is cut.
    """

    def __init__(
        self,
        settings: Settings,
        writer: LibraryWriter,
        collection: str,
        recipes: Recipes,
        embedder: Callable[[], Embedder],
        *,
        passwords: Sequence[str],
        cancel: threading.Event,
    ) -> None:
        self._settings = settings
        self._writer = writer
        self._collection = collection
        self._recipes = recipes
        self._embedder = embedder
        self._passwords = passwords
        self._cancel = cancel
        self._jobs: deque[Decision] = deque()
        self._claims: set[str] = set()
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []
        self._made: Handover[Outcome] = Handover(_MOST_WAITING)

    def start(self, jobs: Sequence[Decision], threads: int) -> None:
        """Begin with these files. May be called again when all outcomes have been taken."""
        self._jobs.extend(jobs)
        for _ in range(min(threads, len(jobs))):
            self._made.maker_begins()
            thread = threading.Thread(target=self._work, name="prepare")
            self._threads.append(thread)
            thread.start()

    def take(self, *, wait: bool) -> Outcome | None:
        """See `Handover.take`."""
        return self._made.take(wait=wait)

    def unclaim(self, sha256: str) -> None:
        """The file that was to stand for these bytes does not: the next one with them is read itself."""
        with self._lock:
            self._claims.discard(sha256)

    @property
    def finished(self) -> bool:
        return self._made.finished

    def close(self) -> None:
        """Stop at once, wherever the threads are."""
        self._cancel.set()
        self._made.close()
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        try:
            with Reader(Bounds.of(self._settings), self._passwords, self._cancel) as reader:
                while not self._cancel.is_set():
                    with self._lock:
                        if not self._jobs:
                            return
                        job = self._jobs.popleft()
                    outcome = self._outcome(job, reader)
                    if outcome is None:
                        return
                    weight = sum(map(len, outcome.texts)) if isinstance(outcome, Prepared) else 0
                    if not self._made.put(outcome, weight):
                        return
        except BaseException as error:  # noqa: BLE001 - handed to the thread that takes the outcomes
            self._made.put(Broken(error))
        finally:
            self._writer.database.close()
            self._made.maker_ends()

    def _outcome(self, job: Decision, reader: Reader) -> Outcome | None:
        """None if it was cancelled."""
        source = replace(job.source, examined=time.time())
        path = Path(source.location)
        try:
            sha256 = _hash(path, self._settings.ingest.max_file_mib << 20)
        except FileNotFoundError:
            return Aside(job, source, "failed", "it went away while the ingest ran")
        except OSError as error:
            return Aside(job, source, "failed", f"it cannot be opened: {error.strerror}")
        if sha256 is not None:
            same = self._same(job, source, sha256)
            if same is not None:
                return same
        return self._read(job, source, sha256, reader)

    def _same(self, job: Decision, source: Source, sha256: str) -> Same | Aside | None:
        stored = job.stored
        as_it_was = stored is not None and stored.sha256 == sha256
        if self._writer.document_recipe(sha256) == self._recipes.documents:
            return Same(job, source, sha256, unchanged=as_it_was and stored is not None and stored.live)
        if (
            as_it_was
            and stored is not None
            and stored.state in ("failed", "skipped")
            and stored.recipe == self._recipes.attempts
            and job.do is Do.EXAMINE
            and not self._passwords
        ):
            return Aside(job, source, stored.state, stored.reason, sha256, died=stored.tries > 0)
        with self._lock:
            if sha256 in self._claims:
                return Same(job, source, sha256, claimed=True)
            self._claims.add(sha256)
        return None

    def _read(self, job: Decision, source: Source, sha256: str | None, reader: Reader) -> Outcome | None:
        stored = job.stored
        tries = stored.tries if stored is not None and job.do is Do.CAREFULLY else 0
        while True:
            tries += 1
            self._writer.note_attempts(self._collection, [(source, tries)], self._recipes.attempts)
            reading = reader.read(Path(source.location))
            if not reading.died:
                self._writer.forget_attempts(self._collection, [source.location])
            if reading.cancelled:
                return None
            if reading.died and not reading.stopped and tries < MOST_TRIES:
                continue  # a crash is soon over: what was the machine's fault may go well now
            break
        if reading.document is not None:
            return self._cut(job, source, reading.document)
        reason = reading.reason
        if reading.died and tries >= MOST_TRIES:
            reason += f"; set aside after {tries} tries"
        return Aside(job, source, "skipped" if reading.skipped else "failed", reason, sha256, reading.died)

    def _cut(self, job: Decision, source: Source, document: Document) -> Outcome:
        from ingest.chunking import chunk
        from ingest.quality import pages_without_text
        from rag.text.context import embedding_text

        chosen = self._settings.ingest
        chunks = chunk(
            document,
            self._embedder(),
            limit_tokens=chosen.chunk_tokens,
            overlap_tokens=chosen.chunk_overlap_tokens,
        )
        without = pages_without_text(document)
        if not chunks:
            return Aside(job, source, "skipped", "it holds no text that can be trusted", document.sha256)
        texts = [embedding_text(chunk, document.title) for chunk in chunks]
        return Prepared(job, source, document, chunks, texts, without)


def _hash(path: Path, most: int) -> str | None:
    """SHA-256 of a file; None if it is larger than what is read anyway."""
    if os.path.getsize(path) > most:
        return None
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
