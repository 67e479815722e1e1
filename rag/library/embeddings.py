"""The stored embeddings: whose they are, and reading them."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from rag.embedding.protocol import Vectors
from rag.errors import LibraryDamaged, LibraryError
from rag.library.manifest import by_ids, collection_ids


class StoredEmbedder(NamedTuple):
    """number: its row; id: Embedder.id; dimension: of its vectors."""

    number: int
    id: str
    dimension: int


def digest(text: str) -> bytes:
    """Names a text that was embedded, 16 bytes: equal texts have equal vectors."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def vector_column(vector: Vectors) -> bytes:
    """float32, little-endian."""
    return vector.astype("<f4", copy=False).tobytes()


def matrix(columns: Sequence[bytes], dimension: int) -> Vectors:
    """Stored vectors as rows, shape (n, dimension). Raises LibraryDamaged if one has another length."""
    if any(len(column) != 4 * dimension for column in columns):
        raise LibraryDamaged(
            f"A stored embedding does not have {dimension} numbers.", fix="Run `python -m ingest --rebuild`."
        )
    flat = np.frombuffer(b"".join(columns), dtype="<f4")
    return flat.reshape(len(columns), dimension).astype(np.float32, copy=False)


def current_embedder(connection: sqlite3.Connection) -> StoredEmbedder | None:
    """Whose vectors are in use; None before the first one."""
    row = connection.execute(
        "SELECT e.id, e.name, e.dimension FROM embedders e JOIN meta m ON e.id = m.value "
        "WHERE m.key = 'embedder'"
    ).fetchone()
    return StoredEmbedder(*row) if row else None


def vectors(connection: sqlite3.Connection, ids: Sequence[int]) -> Vectors:
    """In the order of `ids`, shape (n, dimension). Raises LibraryError if one is gone."""
    embedder = current_embedder(connection)
    if embedder is None:
        if ids:
            raise LibraryError("No embeddings are stored yet.", fix="Ingest documents first.")
        return np.zeros((0, 0), np.float32)
    select = f"SELECT chunk, vector FROM embeddings WHERE embedder = {embedder.number} AND chunk"
    found = {int(chunk): blob for chunk, blob in by_ids(connection, select, ids)}
    missing = [number for number in ids if number not in found]
    if missing:
        raise LibraryError(
            f"No embedding of chunk {missing[0]} is stored.", fix="It was removed meanwhile: search again."
        )
    return matrix([found[number] for number in ids], embedder.dimension)


def sample(connection: sqlite3.Connection, collections: Sequence[str], n: int, seed: int) -> Vectors:
    """At most n vectors of live chunks, drawn without replacement.

    The same seed draws the same ones as long as the library does not change.
    """
    return vectors(connection, sample_ids(connection, collections, n, seed))


def sample_ids(connection: sqlite3.Connection, collections: Sequence[str], n: int, seed: int) -> list[int]:
    """The chunks whose vectors `sample` gives, in its order."""
    ids = np.array(live_ids(connection, collection_ids(connection, collections).values()), dtype=np.int64)
    if len(ids) > n:
        ids = np.sort(np.random.default_rng(seed).choice(ids, n, replace=False))
    return [int(number) for number in ids]


def live_ids(connection: sqlite3.Connection, collections: Iterable[int]) -> list[int]:
    """Chunks with a current embedding that are live in any of these collections, ascending."""
    inside = ",".join(str(number) for number in collections)
    rows = connection.execute(
        "SELECT DISTINCT c.id FROM members m JOIN chunks c ON c.document = m.document "
        "JOIN embeddings e ON e.chunk = c.id "
        "WHERE e.embedder = (SELECT value FROM meta WHERE key = 'embedder') "
        f"AND m.collection IN ({inside}) ORDER BY c.id"
    )
    return [int(row[0]) for row in rows]
