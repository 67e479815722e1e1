"""Nearest neighbours among the stored embeddings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from rag.embedding.protocol import Vectors
from rag.library import manifest
from rag.library.database import Database
from rag.library.records import Hit


class VectorIndex:
    """Searches the embeddings of a data folder for reading."""

    def __init__(self, home: Path, database: Database) -> None:
        self._home = home
        self._database = database

    def search(self, collections: Sequence[str], vector: Vectors, limit: int) -> list[Hit]:
        connection = self._database.connection()
        numbers = manifest.collection_ids(connection, collections)
        inside = ",".join(str(number) for number in numbers.values())
        rows = connection.execute(
            "SELECT DISTINCT c.id, e.vector FROM members m JOIN chunks c ON c.document = m.document "
            f"JOIN embeddings e ON e.chunk = c.id WHERE m.collection IN ({inside})"
        ).fetchall()
        if not rows or limit < 1:
            return []
        scores = manifest.as_matrix([row[1] for row in rows], len(vector)) @ vector
        best = np.argsort(-scores, kind="stable")[:limit]
        return [Hit(int(rows[place][0]), float(scores[place])) for place in best]

    def close(self) -> None:
        pass
