"""One ingest: make a collection mirror what is under some paths."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ingest.progress import Show
from ingest.sync import recipe
from ingest.sync.embedding import Embedding
from ingest.sync.looking import look, roots_of
from ingest.sync.meter import Meter
from ingest.sync.outcomes import Broken, Outcome, Prepared, Sealed
from ingest.sync.plan import Decision, Do, Plan, Recipes, is_under, plan
from ingest.sync.preparing import Preparing
from ingest.sync.report import Report
from ingest.sync.settling import Settling
from rag.errors import NothingToWorkOn, UsageError
from rag.library import DEFAULT_COLLECTION, LibraryWriter, manifest, writing

if TYPE_CHECKING:
    from rag.embedding.protocol import Embedder
    from rag.settings import Settings

_MOST_READERS = 8


def run(
    settings: Settings,
    paths: Sequence[Path],
    collection: str = DEFAULT_COLLECTION,
    *,
    keep_missing: bool = False,
    passwords: Sequence[str] = (),
    embedder: Embedder | None = None,
    progress: Show | None = None,
    cancel: threading.Event | None = None,
    existing: bool = False,
) -> Report:
    """Make `collection` (made if need be, unless `existing`) mirror each of the paths, files or folders.

    embedder: to use instead of loading the one of the settings; it is not closed. progress: told how far
    it is, from this thread. cancel: set it from another thread to stop within seconds; like Ctrl-C this
    ends in a report with `interrupted`, and the next run goes on where this one stopped.

    Raises NothingToWorkOn if a path does not exist (or the collection, with `existing`), LibraryBusy while
    another process writes, EmbedderChanged if the stored vectors are another embedder's; then nothing is
    changed.
    """
    if not paths:
        raise UsageError("No path was given to ingest.", fix="Name files or folders.")
    begin = time.monotonic()
    roots = roots_of(paths)
    with writing(settings) as writer:
        there = collection in manifest.collection_ids(writer.database.connection())
        if existing and not there:
            raise NothingToWorkOn("the collection that it was meant for has been removed")
        found = list(look(roots))
        if found:
            writer.create_collection(collection)
        elif not there:
            return Report(seconds=time.monotonic() - begin)
        stored = {file.location: file for file in writer.stored_files(collection)}
        recipes = Recipes(recipe.of_documents(settings), recipe.of_attempts(settings))
        made = plan(found, stored, roots, recipes, keep_missing=keep_missing, try_again=bool(passwords))
        work = _Run(settings, writer, collection, made, recipes, passwords, embedder, progress, cancel)
        try:
            work.carry_out()
        except (KeyboardInterrupt, _CancelledError):
            work.report.interrupted = True
        finally:
            work.close()
        return work.finished(roots, begin)


class _Run:
    def __init__(
        self,
        settings: Settings,
        writer: LibraryWriter,
        collection: str,
        made: Plan,
        recipes: Recipes,
        passwords: Sequence[str],
        embedder: Embedder | None,
        progress: Show | None,
        cancel: threading.Event | None,
    ) -> None:
        self.report = Report()
        self._settings = settings
        self._writer = writer
        self._collection = collection
        self._plan = made
        self._recipes = recipes
        self._cancel = cancel or threading.Event()
        self._stop = threading.Event()
        self._embedder = embedder
        self._own_embedder: Embedder | None = None
        self._loading = threading.Lock()
        self._embedding: Embedding | None = None
        self._meter = Meter(made, progress)
        self._preparing = Preparing(
            settings, writer, collection, recipes, self._loaded, passwords=passwords, cancel=self._stop
        )
        self._settling = Settling(
            writer, collection, recipes, self.report, self._meter, self._preparing.unclaim
        )

    def carry_out(self) -> None:
        self._settling.without_reading(self._plan)
        jobs = self._plan.those(Do.EXAMINE)
        if jobs:
            self._writer.note_seen(self._collection, (job.source for job in jobs))
        self._read_and_embed(jobs, self._readers())
        # A file that may kill its reader, or the machine, gets its next chance when the others are safe.
        self._read_and_embed(self._plan.those(Do.CAREFULLY), 1)
        while again := self._settling.to_read_again():
            self._read_and_embed(again, self._readers())
        vanished = self._plan.vanished
        if vanished:
            # Last, so that what was only moved is known by its new path before the old one goes.
            self._writer.remove(self._collection, [file.location for file in vanished])
            self.report.removed += [file.path for file in vanished if file.live]
        self._check_cancelled()
        self._writer.publish(progress=self._indexed_some)

    def close(self) -> None:
        self._stop.set()
        self._preparing.close()
        if self._own_embedder is not None:
            self._own_embedder.close()

    def finished(self, roots: Sequence[str], begin: float) -> Report:
        report = self.report
        connection = self._writer.database.connection()
        for file in manifest.files(connection, [self._collection]):
            if file.pages_without_text and any(is_under(str(file.absolute), root) for root in roots):
                report.pages_without_text.append((file.path, list(file.pages_without_text)))
        for info in manifest.collections(connection):
            if info.name == self._collection:
                report.documents, report.chunks = info.documents, info.chunks
        report.embedded = self._embedding.computed if self._embedding else 0
        report.seconds = time.monotonic() - begin
        self._meter.tell("done", force=True)
        return report

    # -- the steps -------------------------------------------------------------------------------

    def _readers(self) -> int:
        from rag.cpus import usable_cpus

        return min(usable_cpus(), _MOST_READERS)

    def _read_and_embed(self, jobs: Sequence[Decision], readers: int) -> None:
        self._preparing.start(jobs, readers)
        while True:
            self._check_cancelled()
            idle = self._embedding is None or self._embedding.idle
            if idle and self._preparing.finished:
                self._settling.release_orphans()
                return
            outcome = None
            if idle or not (self._embedding and self._embedding.full):
                outcome = self._preparing.take(wait=idle)
            if outcome is not None:
                self._settle(outcome)
            elif not idle:
                self._embed()

    def _settle(self, outcome: Outcome) -> None:
        match outcome:
            case Broken():
                raise outcome.error
            case Prepared():
                self._embed_later(outcome)
            case Sealed():
                self._settling.sealed(outcome)
                if isinstance(outcome.own, Prepared):
                    self._embed_later(outcome.own)
            case _:
                self._settling.settle(outcome)

    def _embed_later(self, prepared: Prepared) -> None:
        self._meter.prepared(prepared.source, len(prepared.chunks), inside=prepared.is_member)
        self._meter.reused(self._embeddable().add(prepared))

    def _embed(self) -> None:
        assert self._embedding is not None
        for work in self._embedding.step(self._embedded_some):
            self._settling.embedded(work)

    def _embedded_some(self, count: int) -> None:
        self._meter.embedded(count)
        self._check_cancelled()

    # -- the embedder and the bell ----------------------------------------------------------------

    def _loaded(self) -> Embedder:
        """Loaded when it is needed first, which may be in one of the preparing threads."""
        with self._loading:
            if self._embedder is None:
                from rag.embedding import load

                self._embedder = self._own_embedder = load(self._settings)
            return self._embedder

    def _embeddable(self) -> Embedding:
        if self._embedding is None:
            embedder = self._loaded()
            self._writer.use_embedder(embedder.id, embedder.dimension)
            self._embedding = Embedding(embedder, self._writer.known_vectors)
        return self._embedding

    def _indexed_some(self, done: int, total: int) -> None:
        self._meter.indexing(done, total)
        self._check_cancelled()

    def _check_cancelled(self) -> None:
        if self._cancel.is_set():
            raise _CancelledError


class _CancelledError(Exception):
    """The caller's `cancel` was set."""
