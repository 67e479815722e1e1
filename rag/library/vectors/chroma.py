"""Chroma itself: one folder, one Chroma collection for each collection, vectors and numbers only."""

from __future__ import annotations

import hashlib
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from rag.embedding.protocol import Vectors
from rag.errors import LibraryDamaged

SHAPE: dict[str, str | int] = {
    "space": "cosine",
    "max_neighbors": 32,
    "ef_construction": 200,
    "ef_search": 200,
}
"""Recall@10 of 0.983 at 100,000 vectors, where the defaults reach 0.927."""
_BATCH = 1000  # Chroma refuses more than 5,461 at once
_SYNC_WHILE_ADDING = 1000
_SYNC_AT_THE_END = 2  # the least that Chroma takes
DATABASE = "chroma.sqlite3"
_WRITTEN = "index_metadata.pickle"
"""Chroma writes it beside an index that it has written."""
_PREFIX = "collection-"
_PATIENCE_S = 30.0

T = TypeVar("T")


class ChromaFolder:
    """One folder of Chroma, opened. Not for two writers at once; threads may query together.

    Raises LibraryDamaged for everything that Chroma cannot do with its files.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._collections: dict[int, Any] = {}
        folder.mkdir(parents=True, exist_ok=True)
        self._client = self._done(self._connected)

    def close(self) -> None:
        self._collections.clear()
        self._done(self._client.close)

    def collections(self) -> set[int]:
        found = self._done(self._client.list_collections)
        return {int(collection.name.removeprefix(_PREFIX)) for collection in found}

    def load(self) -> None:
        """Bring every collection's index into memory, as the first query would."""
        for collection in self.collections():
            self._done(self._opened(collection).count)

    def drop(self, collection: int) -> None:
        self._collections.pop(collection, None)
        self._done(lambda: self._client.delete_collection(_name(collection)))

    def ids(self, collection: int) -> set[int]:
        opened = self._opened(collection)
        return {int(number) for number in self._done(lambda: opened.get(include=[]))["ids"]}

    def add(self, collection: int, ids: Sequence[int], vectors: Vectors) -> None:
        opened = self._opened(collection)
        for part in _batches(len(ids)):
            names = [str(number) for number in ids[part]]
            self._done(lambda: opened.upsert(ids=names, embeddings=vectors[part]))  # noqa: B023

    def delete(self, collection: int, ids: Sequence[int]) -> None:
        opened = self._opened(collection)
        for part in _batches(len(ids)):
            self._done(lambda: opened.delete(ids=[str(number) for number in ids[part]]))  # noqa: B023

    def nearest(self, collection: int, vector: Vectors, limit: int) -> list[tuple[int, float]]:
        """(chunk, cosine), best first; fewer than `limit` only if the collection has no more."""
        opened = self._opened(collection)
        found = self._done(
            lambda: opened.query(
                query_embeddings=vector.reshape(1, -1), n_results=limit, include=["distances"]
            )
        )
        return [
            (int(number), 1.0 - float(distance))
            for number, distance in zip(found["ids"][0], found["distances"][0], strict=True)
        ]

    def vectors(self, collection: int, ids: Sequence[int]) -> Vectors:
        """In the order of `ids`, all of which must be there."""
        opened = self._opened(collection)
        found: dict[int, Any] = {}
        for part in _batches(len(ids)):
            names = [str(number) for number in ids[part]]
            group = self._done(lambda: opened.get(ids=names, include=["embeddings"]))  # noqa: B023
            found.update(zip((int(number) for number in group["ids"]), group["embeddings"], strict=True))
        return np.asarray([found[number] for number in ids], dtype=np.float32)

    def adding(self, collection: int) -> None:
        """Before the first change after `flush`: write the index now and then, not at every change."""
        self._write_index_every(collection, _SYNC_WHILE_ADDING)

    def _write_index_every(self, collection: int, changes: int) -> None:
        opened = self._opened(collection)
        self._done(lambda: opened.modify(configuration={"hnsw": {"sync_threshold": changes}}))

    def _connected(self) -> Any:
        import chromadb
        from chromadb.config import Settings

        # A client is cached by this string for as long as it is open; `close` drops it.
        return chromadb.PersistentClient(
            str(self.folder), settings=Settings(anonymized_telemetry=False, allow_reset=False)
        )

    def _opened(self, collection: int) -> Any:
        if collection not in self._collections:
            self._collections[collection] = self._done(
                lambda: self._client.get_or_create_collection(
                    _name(collection),
                    # Without this Chroma attaches, and may download, an embedding model of its own.
                    embedding_function=None,
                    configuration={"hnsw": {**SHAPE, "sync_threshold": _SYNC_WHILE_ADDING}},
                )
            )
        return self._collections[collection]

    def _done(self, action: Callable[[], T]) -> T:
        """What `action` returns. Whatever Chroma raises becomes LibraryDamaged."""
        patient_until = time.monotonic() + _PATIENCE_S
        while True:
            try:
                return action()
            except BaseException as error:
                # A panic of Chroma's Rust half is a BaseException that is named PanicException.
                if not isinstance(error, Exception) and "Panic" not in type(error).__name__:
                    raise
                # A client that was just closed lets go of the database in its own time.
                if "database is locked" in str(error) and time.monotonic() < patient_until:
                    time.sleep(0.05)
                    continue
                raise LibraryDamaged(
                    f"The vector index at {self.folder} failed: {type(error).__name__}: {error}.",
                    fix="Searches go on without it. `python -m ingest --rebuild` makes it anew.",
                ) from error


def flush(folder: Path, collections: Sequence[int]) -> None:
    """Write what only Chroma's log holds into its index files, so that opening need not replay it.

    Replaying builds the graph anew (1 to 2 ms a vector). Chroma writes the index when its log is longer
    than the threshold, and looks at a changed threshold when it opens the index: hence twice.
    """
    with closing(ChromaFolder(folder)) as chroma:
        for number in collections:
            chroma._write_index_every(number, _SYNC_AT_THE_END)
    with closing(ChromaFolder(folder)) as chroma:
        chroma.load()


def seal(folder: Path) -> dict[str, str]:
    """SHA-256 of every index file that was written whole. Opening changes only Chroma's database.

    A collection of one vector has none: its log is too short to be written as an index, and every opening
    makes files for it that hold whatever the memory held. Chroma reads it from its log, so nothing is lost.
    """
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.with_name(_WRITTEN).exists():
            with path.open("rb") as file:
                found[path.relative_to(folder).as_posix()] = hashlib.file_digest(file, "sha256").hexdigest()
    return found


def damage(folder: Path, sealed: dict[str, str]) -> str:
    """What is wrong with the files of a published folder, "" if nothing.

    Chroma reads its index files unchecked: a damaged one can end the whole process. So this looks first.
    """
    if not (folder / DATABASE).is_file():
        return f"{folder / DATABASE} is missing"
    try:
        found = seal(folder)
    except OSError as error:
        return f"{error.filename} cannot be read: {error.strerror}"
    for name in sealed.keys() | found.keys():
        if name not in found:
            return f"{folder / name} is missing"
        if sealed.get(name) != found[name]:
            return f"{folder / name} is not as it was written"
    try:
        with closing(sqlite3.connect(f"file:{folder / DATABASE}?mode=ro", uri=True)) as connection:
            (answer,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as error:
        answer = str(error)
    return "" if answer == "ok" else f"{folder / DATABASE} is damaged: {answer}"


def _batches(count: int) -> list[slice]:
    return [slice(begin, begin + _BATCH) for begin in range(0, count, _BATCH)]


def _name(collection: int) -> str:
    return f"{_PREFIX}{collection}"  # Chroma's names must be ASCII; ours need not
