"""Changes to the library as a whole: whose vectors it holds, and its collections."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Sequence

from rag.embedding.protocol import Vectors
from rag.errors import EmbedderChanged, LibraryError, UsageError
from rag.library import manifest, storing
from rag.library.columns import json_column
from rag.library.database import Database
from rag.library.embeddings import current_embedder, matrix
from rag.settings import Settings


class WholeLibrary:
    """What the library's one writer can do without naming a file. Every method is one transaction."""

    def __init__(self, settings: Settings, database: Database) -> None:
        self._home = settings.home
        self._database = database

    @property
    def database(self) -> Database:
        return self._database

    def use_embedder(self, embedder_id: str, dimension: int) -> None:
        """Say whose vectors `put` will be given. Free to choose while no document is stored.

        Raises EmbedderChanged if documents are stored with another embedder's vectors.
        """
        current = current_embedder(self._database.connection())
        if current is not None and current.id == embedder_id:
            return
        with self._database.transaction() as connection:
            (documents,) = connection.execute("SELECT count(*) FROM documents").fetchone()
            if documents and current is not None:
                raise EmbedderChanged(
                    f"The library's {documents} documents were embedded by {current.id}, "
                    f"the settings name {embedder_id}.",
                    fix="Run `python -m ingest --rebuild` to embed all of them anew from their stored text, "
                    "or set the embedder back.",
                )
            storing.set_embedder(connection, storing.embedder_number(connection, embedder_id, dimension))

    def known_vectors(self, digests: Iterable[bytes]) -> dict[bytes, Vectors]:
        """Stored vectors of equal texts, by the digest of what was embedded. Spares embedding them again."""
        connection = self._database.connection()
        embedder = current_embedder(connection)
        if embedder is None:
            return {}
        found: dict[bytes, Vectors] = {}
        for digest in set(digests):
            row = connection.execute(
                "SELECT e.vector FROM chunks c JOIN embeddings e ON e.chunk = c.id "
                "WHERE c.digest = ? AND e.embedder = ? LIMIT 1",
                (digest, embedder.number),
            ).fetchone()
            if row:
                found[digest] = matrix([row[0]], embedder.dimension)[0]
        return found

    def create_collection(self, name: str, readers: Sequence[str] | None = None) -> None:
        """Does nothing if it exists. readers: who may read it from its first moment; None: everyone.

        Raises UsageError for an empty or unprintable name.
        """
        if not name.strip() or name != name.strip() or not name.isprintable():
            raise UsageError(
                f"{name!r} cannot be the name of a collection.",
                fix="Use printable characters, without blanks at its ends.",
            )
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO collections (name, readers, created) VALUES (?, ?, ?)",
                (name, None if readers is None else json_column(list(readers)), time.time()),
            )

    def set_readers(self, name: str, readers: Sequence[str] | None) -> None:
        """Who may read a collection; None: everyone."""
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE collections SET readers = ? WHERE id = ?",
                (None if readers is None else json_column(list(readers)), self._number(connection, name)),
            )

    def remove_collection(self, name: str) -> None:
        """With everything that is in no other collection. `default` is emptied and stays."""
        with self._database.transaction() as connection:
            number = self._number(connection, name)
            connection.execute("DELETE FROM files WHERE collection = ?", (number,))
            connection.execute("DELETE FROM attempts WHERE collection = ?", (number,))
            storing.drop_unused(connection, number)
            if name != "default":
                connection.execute("DELETE FROM collections WHERE id = ?", (number,))

    def _number(self, connection: sqlite3.Connection, name: str) -> int:
        numbers = manifest.collection_ids(connection, [name])
        if name not in numbers:
            raise LibraryError(
                f"There is no collection {name!r}.", fix="`python -m ingest --status` lists them."
            )
        return numbers[name]
