"""The dense leg as readers use it: Chroma where it is open and sound, exact comparison for the rest."""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from rag.embedding.protocol import Vectors
from rag.errors import EmbedderChanged, LibraryDamaged, LibraryError
from rag.library import manifest
from rag.library.database import Database
from rag.library.embeddings import StoredEmbedder, current_embedder
from rag.library.lock import writer_lock
from rag.library.records import Hit
from rag.library.vectors.apart import publish_apart
from rag.library.vectors.chroma import ChromaFolder, damage
from rag.library.vectors.exact import ExactVectors, nearest_of
from rag.library.vectors.published import Published, published

EXACT_UP_TO = 20_000
"""Up to so many vectors a collection is compared one by one even with Chroma at hand: a few milliseconds and
30 MB, and exact. Chroma's graph was made for vectors that are embeddings; the search asks for directions
that are none (rag.retrieval.adaptation), of whose nearest passages it missed some among 2,000."""
LONG_LIVED_S = 3.0
"""A process that still searches after so long opens Chroma."""

_log = logging.getLogger(__name__)


class _Opened:
    """One published index; `chroma` is None where it cannot be used, `problem` says why."""

    def __init__(self, index: Published, chroma: ChromaFolder | None, problem: str = "") -> None:
        self.index = index
        self.problem = problem
        self._chroma = chroma
        self._lock = threading.Lock()

    @property
    def usable(self) -> bool:
        return self._chroma is not None

    def nearest(self, collection: int, vector: Vectors, limit: int) -> list[tuple[int, float]]:
        """Raises LibraryDamaged. One query at a time: Chroma keeps the interpreter's lock anyway."""
        with self._lock:
            if self._chroma is None:
                raise LibraryDamaged("The vector index was closed meanwhile.")
            return self._chroma.nearest(collection, vector, limit)

    def give_up(self, problem: str = "") -> None:
        with self._lock:
            chroma, self._chroma = self._chroma, None
            self.problem = problem
            if chroma is not None:
                chroma.close()


class VectorIndex:
    """Searches the embeddings of a data folder for reading, from any number of threads.

    Importing and opening Chroma takes two seconds, a comparison with 10,000 stored vectors a few
    milliseconds. So a process that has just started answers without Chroma; one that lives on has it
    opened in the background. No search waits for it unless `warm` was called.
    """

    def __init__(self, home: Path, database: Database) -> None:
        self._home = home
        self._database = database
        self._lock = threading.Lock()
        self._exact: dict[tuple[int, int, int], ExactVectors] = {}
        self._opened: _Opened | None = None
        self._opening: threading.Thread | None = None
        self._first_search = 0.0

    def search(
        self,
        collections: Sequence[str],
        vector: Vectors,
        limit: int,
        documents: Sequence[int] | None = None,
    ) -> list[Hit]:
        """Live chunks of the collections nearest to `vector`, best first; `documents`: of these numbers
        only. Raises EmbedderChanged if its dimension is not that of the stored vectors."""
        connection = self._database.connection()
        numbers = list(manifest.collection_ids(connection, collections).values())
        embedder = current_embedder(connection)
        if not numbers or embedder is None or limit < 1:
            return []
        if vector.shape != (embedder.dimension,):
            raise EmbedderChanged(
                f"The question's vector has the shape {vector.shape}, the library's vectors (made by "
                f"{embedder.id}) have {embedder.dimension} numbers each.",
                fix="Set the embedder that made them, or run `python -m ingest --rebuild`.",
            )
        self._open_when_it_pays(connection)
        best: dict[int, float] = {}
        for number in numbers:
            if documents is None:
                found = self._nearest(connection, number, embedder, vector, limit)
            else:
                found = nearest_of(connection, number, embedder, documents, vector, limit)
            for chunk, score in found:
                best[chunk] = max(score, best.get(chunk, -2.0))
        ranked = sorted(best.items(), key=lambda item: (-item[1], item[0]))[:limit]
        return [Hit(chunk, score) for chunk, score in ranked]

    def warm(self) -> str:
        """Open Chroma now, or again if a newer index is published. Returns what is wrong, "" if nothing."""
        index = published(self._database.connection())
        if index is None:
            return "nothing is published yet"
        while True:
            self._start_opening(index)
            opening = self._opening
            if opening is None:
                break
            opening.join()
            index = published(self._database.connection()) or index
        return self._opened.problem if self._opened else ""

    def close(self) -> None:
        opening = self._opening
        if opening is not None:
            opening.join()
        with self._lock:
            opened, self._opened = self._opened, None
            self._exact.clear()
        if opened is not None:
            opened.give_up()

    def _nearest(
        self,
        connection: sqlite3.Connection,
        collection: int,
        embedder: StoredEmbedder,
        vector: Vectors,
        limit: int,
    ) -> list[tuple[int, float]]:
        opened = self._opened
        if (
            opened is not None
            and opened.usable
            and opened.index.embedder == embedder.number
            and manifest.chunk_count(connection, collection) > EXACT_UP_TO
        ):
            try:
                return [
                    *self._from_chroma(connection, opened, collection, vector, limit),
                    *self._exactly(connection, collection, embedder, opened.index.generation, vector, limit),
                ]
            except LibraryDamaged as error:
                _log.warning("%s", error)
                opened.give_up(error.message)
        return self._exactly(connection, collection, embedder, -1, vector, limit)

    def _from_chroma(
        self, connection: sqlite3.Connection, opened: _Opened, collection: int, vector: Vectors, limit: int
    ) -> list[tuple[int, float]]:
        """What is still live of Chroma's nearest; asks for more where much has gone since."""
        asked = limit
        while True:
            found = opened.nearest(collection, vector, asked)
            live = manifest.live_of(connection, (chunk for chunk, _ in found), [collection])
            kept = [(chunk, score) for chunk, score in found if chunk in live]
            if len(kept) >= limit or len(found) < asked:
                return kept[:limit]
            asked *= 2

    def _exactly(
        self,
        connection: sqlite3.Connection,
        collection: int,
        embedder: StoredEmbedder,
        base: int,
        vector: Vectors,
        limit: int,
    ) -> list[tuple[int, float]]:
        key = (collection, embedder.number, base)
        with self._lock:
            if key not in self._exact:
                # One a collection: what an older index lacked is of no use any more.
                for other in [other for other in self._exact if other[0] == collection]:
                    del self._exact[other]
                self._exact[key] = ExactVectors(collection, embedder.number, embedder.dimension, base)
            exact = self._exact[key]
            rows = exact.refreshed(connection, manifest.generation(connection))
        return rows.nearest(vector, limit)

    def _open_when_it_pays(self, connection: sqlite3.Connection) -> None:
        now = time.monotonic()
        if not self._first_search:
            self._first_search = now
        if self._opened is None and now - self._first_search < LONG_LIVED_S:
            return
        index = published(connection)
        if index is not None:
            self._start_opening(index)

    def _start_opening(self, index: Published) -> None:
        with self._lock:
            if self._opening is not None or (self._opened and self._opened.index == index):
                return
            self._opening = threading.Thread(target=self._open, args=(index,), name="open-chroma")
            self._opening.start()

    def _open(self, index: Published) -> None:
        opened = _open(self._home, index)
        with self._lock:
            before, self._opened = self._opened, opened
            self._opening = None
        if before is not None:
            before.give_up()
        if not opened.usable:
            self._repair(opened)

    def _repair(self, opened: _Opened) -> None:
        """Build the index anew, unless somebody is writing: then it is his to do."""
        try:
            if self._database.only_readable:
                # Chroma cannot be opened without writing, and nothing need be wrong with its index.
                _log.info("Searches go on without the vector index (%s).", opened.problem)
                return
            _log.warning("The vector index is damaged (%s); it is being built anew.", opened.problem)
            with writer_lock(self._home, wait_s=0):
                if published(self._database.connection()) == opened.index:
                    publish_apart(self._home, self._database, anew=True)
        except LibraryError as error:
            _log.warning("%s", error)
        finally:
            self._database.close()


def _open(home: Path, index: Published) -> _Opened:
    folder = index.path(home)
    problem = damage(folder, index.seal)
    if problem:
        return _Opened(index, None, problem)
    try:
        chroma = ChromaFolder(folder)
        chroma.load()
    except LibraryDamaged as error:
        return _Opened(index, None, error.message)
    return _Opened(index, chroma)
