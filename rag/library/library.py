"""The library as its readers see it."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Sequence

from rag.embedding.protocol import Vectors
from rag.library import embeddings, keywords, manifest
from rag.library.database import Database
from rag.library.postings import KeywordReader
from rag.library.records import CollectionInfo, FileInfo, Hit, WordStatistics
from rag.library.vectors.search import VectorIndex
from rag.records import Chunk, Document, Table
from rag.settings import Settings


class Library:
    """Everything known of the documents, for reading; any number of processes and threads at once.

    Every call sees what any process has committed before it. `collections` arguments name the
    collections that the asker may read; names that do not exist are passed over, and nothing outside
    the named ones is ever returned by a search.

    >>> library = Library.open(settings)                                    # doctest: +SKIP
    >>> hits = library.keyword(["default"], ["leave", "年假"], limit=20)      # doctest: +SKIP
    >>> library.chunks(hit.chunk_id for hit in hits)                        # doctest: +SKIP
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._database = Database(settings.home)
        self._keywords = KeywordReader()
        self._vectors = VectorIndex(settings.home, self._database)

    @classmethod
    def open(cls, settings: Settings) -> Library:
        """Cheap: Chroma is opened at the first dense search only. An empty library is made if there is none.

        Raises LibraryDamaged if the manifest is no database, LibraryError if it cannot be reached.
        """
        return cls(settings)

    def close(self) -> None:
        self._vectors.close()
        self._database.close()

    def warm(self) -> str:
        """Open Chroma now and wait for it (about two seconds), for a service that starts.

        Returns what is wrong with the vector index, "" if nothing; searches work either way.
        """
        return self._vectors.warm()

    @property
    def generation(self) -> int:
        """Counts commits that changed what a search can find."""
        return manifest.generation(self._database.connection())

    def turnover(self, collections: Sequence[str], generation: int) -> tuple[int, int]:
        """How many chunks are live in these collections, and how many of them came after that generation;
        a chunk that is live in two counts twice."""
        return manifest.turnover(self._database.connection(), collections, generation)

    @property
    def embedder_id(self) -> str | None:
        """Whose vectors these are (Embedder.id); None while there are none."""
        return manifest.embedder_id(self._database.connection())

    def collections(self) -> list[CollectionInfo]:
        """All collections, `default` first; the caller filters by `readers`."""
        return manifest.collections(self._database.connection())

    def files(self, collections: Sequence[str] | None = None) -> list[FileInfo]:
        """Every known path with its state and reason, of all collections if none are named."""
        return manifest.files(self._database.connection(), collections)

    def files_of(self, sha256: str, collections: Sequence[str]) -> list[FileInfo]:
        """The paths under which a document is live in these collections."""
        return manifest.files_of(self._database.connection(), sha256, collections)

    def document(self, sha256: str) -> Document:
        """A live document with the text of its pages. Raises LibraryError if it is not live."""
        return manifest.document(self._database.connection(), sha256)

    def tables(self, sha256: str) -> tuple[Table, ...]:
        """The tables of a live document; () if it is not live."""
        return manifest.tables(self._database.connection(), sha256)

    def chunks(self, ids: Iterable[int]) -> dict[int, Chunk]:
        """By number; those that are gone are left out."""
        return manifest.chunks(self._database.connection(), ids)

    def neighbours(self, document: str, first: int, last: int) -> list[Chunk]:
        """The chunks of a document (sha256) with first ≤ ordinal ≤ last, in order."""
        return manifest.neighbours(self._database.connection(), document, first, last)

    def paths(self, chunk_ids: Iterable[int], collections: Sequence[str]) -> dict[int, list[tuple[str, str]]]:
        """Where each chunk's document lives: chunk id → [(collection, path), …]; [] never occurs, gone
        chunks are left out."""
        return manifest.paths(self._database.connection(), chunk_ids, collections)

    def same_text(
        self, chunk_ids: Iterable[int], collections: Sequence[str], limit: int
    ) -> dict[int, list[int]]:
        """For each chunk up to `limit` others with the same text under the same headings, live in these
        collections; chunks without any are left out."""
        return manifest.same_text(self._database.connection(), chunk_ids, collections, limit)

    def keyword(
        self,
        collections: Sequence[str],
        words: Sequence[str],
        limit: int,
        documents: Collection[str] | None = None,
    ) -> list[Hit]:
        """Live chunks that hold any of `words` (from rag.text.words), best first by BM25; of these
        documents (sha256) only if any are named."""
        connection = self._database.connection()
        return keywords.search(
            connection, self._keywords, collections, words, limit, _numbers(connection, documents)
        )

    def keyword_statistics(self, words: Sequence[str]) -> WordStatistics:
        """How many chunks of the whole library hold each word."""
        return keywords.statistics(self._database.connection(), self._keywords, words)

    def dense(
        self,
        collections: Sequence[str],
        vector: Vectors,
        limit: int,
        documents: Collection[str] | None = None,
    ) -> list[Hit]:
        """Live chunks nearest to `vector` (shape (dimension,), length 1), best first; score is the cosine.

        Of these documents (sha256) only if any are named."""
        numbers = _numbers(self._database.connection(), documents)
        return self._vectors.search(collections, vector, limit, numbers)

    def vectors(self, chunk_ids: Sequence[int]) -> Vectors:
        """Stored embeddings in the order of the ids. Raises LibraryError if one of them is gone."""
        return embeddings.vectors(self._database.connection(), chunk_ids)

    def sample_ids(self, collections: Sequence[str], n: int, seed: int = 0) -> list[int]:
        """At most n live chunks that have an embedding, drawn without replacement."""
        return embeddings.sample_ids(self._database.connection(), collections, n, seed)

    def sample_vectors(self, collections: Sequence[str], n: int, seed: int = 0) -> Vectors:
        """At most n stored embeddings of live chunks, drawn without replacement."""
        return embeddings.sample(self._database.connection(), collections, n, seed)


def _numbers(connection: sqlite3.Connection, documents: Collection[str] | None) -> list[int] | None:
    return None if documents is None else manifest.document_numbers(connection, documents)
