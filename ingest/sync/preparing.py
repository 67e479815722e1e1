"""From a path to chunks: look at its content, read it if it is new, cut it. In threads ahead of embedding.

Files that lie in a file are read with it and come out one by one before it; see `ingest.sync.containers`.
"""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ingest.gathered import Reading
from ingest.reading import Bounds, Reader
from ingest.sync.containers import Container
from ingest.sync.handover import Handover
from ingest.sync.outcomes import Aside, Broken, Outcome, Prepared, Same, Sealed
from ingest.sync.plan import MOST_TRIES, Decision, Do, Recipes
from rag.library import LibraryWriter, Source
from rag.records import Document, FileState

if TYPE_CHECKING:
    from ingest.contents import Part
    from rag.embedding.protocol import Embedder
    from rag.settings import Settings

_MOST_WAITING = 16 << 20
"""Characters of prepared text that may wait to be embedded."""


class Preparing:
    """Prepares files in `threads` threads, each with a reader process of its own.

    Outcomes come from `take` in the order of their completion, one for each file unless it is cancelled; of
    a file in which others lie, one for each of those and then `Sealed`.
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
                    for outcome in self._outcomes(job, reader):
                        if not self._made.put(outcome, _weight(outcome)):
                            return
        except BaseException as error:  # noqa: BLE001 - handed to the thread that takes the outcomes
            self._made.put(Broken(error))
        finally:
            self._writer.database.close()
            self._made.maker_ends()

    def _outcomes(self, job: Decision, reader: Reader) -> Iterator[Outcome]:
        """Nothing more once it is cancelled."""
        source = replace(job.source, examined=time.time())
        try:
            sha256 = _hash(Path(source.location), self._settings.ingest.max_file_mib << 20)
        except FileNotFoundError:
            yield Aside(job, source, "failed", "it went away while the ingest ran")
            return
        except OSError as error:
            yield Aside(job, source, "failed", f"it cannot be opened: {error.strerror}")
            return
        if sha256 is not None and not job.reread:
            same = self._same(job, source, sha256)
            if same is not None:
                yield same
                return
        yield from self._read(job, source, sha256, reader)

    def _same(self, job: Decision, source: Source, sha256: str) -> Same | Aside | None:
        stored = job.stored
        # A file whose members were being stored when the ingest ended counts as never examined.
        as_it_was = stored is not None and stored.sha256 == sha256 and stored.examined > 0
        now = self._recipes
        if as_it_was and stored is not None:
            if stored.live and stored.document_recipe == now.documents:
                return Same(job, source, sha256, unchanged=True)
            if (
                stored.state in ("failed", "skipped")
                and stored.recipe == now.attempts
                and job.do is Do.EXAMINE
                and not self._passwords
            ):
                if job.members:
                    return Same(job, source, sha256, unchanged=True)
                return Aside(job, source, stored.state, stored.reason, sha256, died=stored.tries > 0)
        if self._writer.document_recipe(sha256) == now.documents:
            # What lies in it is not listed under this path yet.
            return None if self._writer.contains(sha256) else Same(job, source, sha256)
        return None if self._claim(sha256) else Same(job, source, sha256, claimed=True)

    def _claim(self, sha256: str) -> bool:
        """Whether the caller is the one of this run to read these bytes."""
        with self._lock:
            first = sha256 not in self._claims
            self._claims.add(sha256)
        return first

    def _read(self, job: Decision, source: Source, sha256: str | None, reader: Reader) -> Iterator[Outcome]:
        stored = job.stored
        tries = stored.tries if stored is not None and job.do is Do.CAREFULLY else 0
        while True:
            tries += 1
            self._writer.note_attempts(self._collection, [(source, tries)], self._recipes.attempts)
            reading = reader.read(Path(source.location))
            if not reading.died:
                self._writer.forget_attempts(self._collection, [source.location])
            if reading.cancelled:
                return
            if reading.died and not reading.stopped and tries < MOST_TRIES:
                continue  # a crash is soon over: what was the machine's fault may go well now
            break
        if reading.members:
            yield from self._opened(job, source, sha256, reading)
        elif reading.document is not None:
            yield self._cut(job, source, reading.document)
        else:
            reason = reading.reason
            if reading.died and tries >= MOST_TRIES:
                reason += f"; set aside after {tries} tries"
            state: FileState = "skipped" if reading.skipped else "failed"
            yield Aside(job, source, state, reason, sha256, reading.died)

    def _opened(
        self, job: Decision, source: Source, sha256: str | None, reading: Reading
    ) -> Iterator[Outcome]:
        self._writer.reopen(self._collection, source.location)
        container = Container(job, source, reading.contains)
        for part in reading.members:
            yield self._member(container, part, reading.members)
        own: Prepared | Same | Aside
        document = reading.document
        if document is None:
            own = Aside(job, source, "live", reading.reason, sha256, container=container)
        elif job.reread and self._stored(document.sha256, container.contains):
            own = Same(job, source, document.sha256, container=container)
        else:
            own = self._cut(job, source, document, container.contains, container)
        yield Sealed(container, own)

    def _member(self, container: Container, part: Part, every: Sequence[Part]) -> Prepared | Same | Aside:
        decision = container.member(part.name, part.size)
        source, document = decision.source, part.document
        if document is None:
            state: FileState = "skipped" if part.skipped else "failed"
            if part.folder:
                inside = [other for other in every if other.name.startswith(part.name + "/")]
                state = "live" if any(other.document for other in inside) else "skipped"
            sha256 = part.sha256 or None
            return Aside(decision, source, state, part.reason, sha256, alone=True, container=container)
        if self._stored(part.sha256, part.contains):
            return Same(decision, source, part.sha256, container=container)
        if not self._claim(part.sha256):
            return Same(decision, source, part.sha256, claimed=True, container=container)
        return self._cut(decision, source, document, part.contains, container)

    def _stored(self, sha256: str, contains: int) -> bool:
        """Whether the document of these bytes can stay as it is."""
        return (
            self._writer.document_recipe(sha256) == self._recipes.documents
            and self._writer.contains(sha256) == contains
        )

    def _cut(
        self,
        job: Decision,
        source: Source,
        document: Document,
        contains: int = 0,
        container: Container | None = None,
    ) -> Prepared | Aside:
        from ingest.chunking import chunk
        from ingest.quality import pages_without_text
        from rag.library.keywords import words_of
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
            reason = "it holds no text that can be trusted"
            return Aside(job, source, "skipped", reason, document.sha256, container=container)
        texts = [embedding_text(chunk, document.title) for chunk in chunks]
        words = words_of(document.title, chunks)
        return Prepared(job, source, document, chunks, texts, words, without, contains, container)


def _weight(outcome: Outcome) -> int:
    own = outcome.own if isinstance(outcome, Sealed) else outcome
    return sum(map(len, own.texts)) if isinstance(own, Prepared) else 0


def _hash(path: Path, most: int) -> str | None:
    """SHA-256 of a file; None if it is larger than what is read anyway."""
    if os.path.getsize(path) > most:
        return None
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
