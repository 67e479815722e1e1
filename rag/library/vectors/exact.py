"""Exact search over the vectors that the manifest holds and the published index does not."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rag.embedding.protocol import Vectors
from rag.library.embeddings import StoredEmbedder, matrix

_ROWS_AT_ONCE = 2000
_AT_ONCE = 500
"""Documents whose vectors are read and compared together."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Chunk numbers, the documents they belong to, and their vectors, row by row. Never changed."""

    ids: NDArray[np.int64]
    owners: NDArray[np.int64]
    vectors: Vectors

    def nearest(self, vector: Vectors, limit: int) -> list[tuple[int, float]]:
        """(chunk, cosine), best first; equal ones in the order of their numbers."""
        scores = self.vectors @ vector
        best = np.arange(len(scores))
        if len(scores) > limit:
            best = np.argpartition(-scores, limit - 1)[:limit]
        order = np.lexsort((self.ids[best], -scores[best]))
        return [(int(self.ids[place]), float(scores[place])) for place in best[order]]


class ExactVectors:
    """The vectors of one collection's documents that joined it after generation `base` (−1: of all).

    Kept in memory and brought up to date document by document: only what is new is read.
    """

    def __init__(self, collection: int, embedder: int, dimension: int, base: int) -> None:
        self._collection = collection
        self._embedder = embedder
        self._dimension = dimension
        self._base = base
        self._generation = -1
        self._documents: dict[int, int] = {}
        self._rows = Rows(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros((0, dimension), np.float32))

    def refreshed(self, connection: sqlite3.Connection, generation: int) -> Rows:
        """The rows as of this generation or a later one. One thread at a time."""
        if generation == self._generation:
            return self._rows
        current = {
            int(document): int(since)
            for document, since in connection.execute(
                "SELECT document, since FROM members WHERE collection = ? AND since > ?",
                (self._collection, self._base),
            )
        }
        rows = self._rows
        stale = [number for number, since in self._documents.items() if current.get(number) != since]
        if stale:
            kept = ~np.isin(rows.owners, stale)
            rows = Rows(rows.ids[kept], rows.owners[kept], rows.vectors[kept])
        new = [number for number, since in current.items() if self._documents.get(number) != since]
        if new:
            added = self._read(connection, new)
            rows = (
                added
                if not len(rows.ids)
                else Rows(
                    np.concatenate([rows.ids, added.ids]),
                    np.concatenate([rows.owners, added.owners]),
                    np.concatenate([rows.vectors, added.vectors]),
                )
            )
        self._documents, self._rows, self._generation = current, rows, generation
        return rows

    def _read(self, connection: sqlite3.Connection, documents: list[int]) -> Rows:
        return _read(connection, self._embedder, self._dimension, documents)


def nearest_of(
    connection: sqlite3.Connection,
    collection: int,
    embedder: StoredEmbedder,
    documents: Sequence[int],
    vector: Vectors,
    limit: int,
) -> list[tuple[int, float]]:
    """(chunk, cosine) of the nearest chunks of a collection's documents with these numbers, best first.

    Their vectors are read for the purpose, a part at a time: a search among chosen documents need not be
    as fast as one among all, and Chroma's own filters are slower than this.
    """
    wanted = set(documents)
    members = connection.execute("SELECT document FROM members WHERE collection = ?", (collection,))
    inside = [number for (number,) in members if number in wanted]
    best: list[tuple[int, float]] = []
    for begin in range(0, len(inside), _AT_ONCE):
        rows = _read(connection, embedder.number, embedder.dimension, inside[begin : begin + _AT_ONCE])
        best = sorted([*best, *rows.nearest(vector, limit)], key=lambda hit: (-hit[1], hit[0]))[:limit]
    return best


def _read(connection: sqlite3.Connection, embedder: int, dimension: int, documents: Sequence[int]) -> Rows:
    """Part by part into arrays of the final size: all vectors are in memory once, not three times."""
    parts = [
        f"({','.join(map(str, documents[begin : begin + 5000]))})" for begin in range(0, len(documents), 5000)
    ]
    most = sum(
        connection.execute(
            f"SELECT coalesce(sum(chunk_count), 0) FROM documents WHERE id IN {part}"
        ).fetchone()[0]
        for part in parts
    )
    rows = Rows(np.empty(most, np.int64), np.empty(most, np.int64), np.empty((most, dimension), np.float32))
    done = 0
    for part in parts:
        found = connection.execute(
            "SELECT c.id, c.document, e.vector FROM chunks c JOIN embeddings e ON e.chunk = c.id "
            f"WHERE e.embedder = ? AND c.document IN {part}",
            (embedder,),
        )
        while done < most and (group := found.fetchmany(min(_ROWS_AT_ONCE, most - done))):
            here = slice(done, done + len(group))
            rows.ids[here] = [row[0] for row in group]
            rows.owners[here] = [row[1] for row in group]
            rows.vectors[here] = matrix([row[2] for row in group], dimension)
            done += len(group)
    return Rows(rows.ids[:done], rows.owners[:done], rows.vectors[:done])
