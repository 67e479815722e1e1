"""Compares manifest, keyword index and Chroma with each other, both ways, down to the single vector."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rag.errors import LibraryError
from rag.library import manifest
from rag.library.database import Database
from rag.library.embeddings import StoredEmbedder, current_embedder, live_ids, vectors
from rag.library.keywords import indexed_words
from rag.library.vectors.chroma import ChromaFolder, damage
from rag.library.vectors.published import Published, published

Progress = Callable[[str, int, int], None]
"""Told (what is being compared, done, in all)."""

_GROUP = 2000


@dataclass(frozen=True, slots=True)
class Disagreement:
    """where: "manifest", "keywords" or "vectors". problem: one sentence. collection: "" if it concerns all.

    chunks: their numbers, at most 20 of them. count: how many they are.
    """

    where: str
    problem: str
    collection: str = ""
    count: int = 1
    chunks: tuple[int, ...] = ()


def verify(home: Path, database: Database, progress: Progress | None = None) -> list[Disagreement]:
    """Every disagreement; [] if there is none. Hold the writer's lock meanwhile: nothing may change.

    What was stored after the vector index was last published is compared exactly at every search and
    waits for the next `publish`: that is no disagreement.
    """
    connection = database.connection()
    told = progress or (lambda what, done, total: None)
    found = list(_manifest(connection))
    found += _keywords(connection, told)
    embedder = current_embedder(connection)
    index = published(connection)
    if embedder is not None and index is not None:
        found += _vectors(home, connection, embedder, index, told)
    return found


def _manifest(connection: sqlite3.Connection) -> Iterator[Disagreement]:
    for (answer,) in connection.execute("PRAGMA integrity_check(20)"):
        if answer != "ok":
            yield Disagreement("manifest", f"the database is damaged: {answer}")
    for table, *_ in connection.execute("PRAGMA foreign_key_check"):
        yield Disagreement("manifest", f"a row of {table} points to a row that is gone")
    questions = {
        "documents that no file has": "SELECT d.id FROM documents d WHERE NOT EXISTS "
        "(SELECT 1 FROM files f WHERE f.document = d.id)",
        # A folder has no document, and says so in its reason.
        "live files without a document": "SELECT id FROM files WHERE (state <> 'live' AND document NOTNULL) "
        "OR (state = 'live' AND document ISNULL AND reason = '')",
        "files in a file that lies in another itself, or in another collection": "SELECT f.id FROM files f "
        "JOIN files holder ON holder.id = f.container "
        "WHERE holder.container IS NOT NULL OR holder.collection <> f.collection",
        "live files in a file that was set aside": "SELECT f.id FROM files f "
        "JOIN files holder ON holder.id = f.container "
        "WHERE f.state = 'live' AND holder.state IN ('skipped', 'failed')",
        "files whose document is not shown in their collection": "SELECT f.id FROM files f "
        "WHERE f.document IS NOT NULL AND NOT EXISTS "
        "(SELECT 1 FROM members m WHERE m.collection = f.collection AND m.document = f.document)",
        "documents shown in a collection where no file has them": "SELECT m.document FROM members m "
        "WHERE NOT EXISTS "
        "(SELECT 1 FROM files f WHERE f.collection = m.collection AND f.document = m.document)",
        "documents with a wrong number of chunks": "SELECT d.id FROM documents d WHERE chunk_count <> "
        "(SELECT count(*) FROM chunks c WHERE c.document = d.id)",
    }
    for what, question in questions.items():
        rows = connection.execute(question).fetchall()
        if rows:
            yield Disagreement("manifest", what, count=len(rows))
    bare = _without_embedding(connection)
    if bare:
        yield _about("manifest", "chunks without an embedding", "", bare)
    yield from _spans(connection)


def _without_embedding(connection: sqlite3.Connection) -> set[int]:
    embedder = current_embedder(connection)
    rows = connection.execute(
        "SELECT c.id FROM chunks c WHERE NOT EXISTS (SELECT 1 FROM embeddings e "
        "WHERE e.chunk = c.id AND e.embedder = ? AND length(e.vector) = ?)",
        (embedder.number if embedder else 0, 4 * embedder.dimension if embedder else 0),
    )
    return {row[0] for row in rows}


def _spans(connection: sqlite3.Connection) -> Iterator[Disagreement]:
    """Chunks whose text does not stand where they say."""
    wrong: list[int] = []
    for (sha256,) in connection.execute("SELECT sha256 FROM documents").fetchall():
        text = manifest.document(connection, sha256).text
        wrong += [
            number
            for number, start, end, stored in connection.execute(
                "SELECT c.id, c.start, c.end, c.text FROM chunks c JOIN documents d ON d.id = c.document "
                "WHERE d.sha256 = ?",
                (sha256,),
            )
            if text[start:end] != stored
        ]
    if wrong:
        yield _about("manifest", "chunks whose text is not what their document says there", "", wrong)


def _keywords(connection: sqlite3.Connection, told: Progress) -> Iterator[Disagreement]:
    chunks = {row[0] for row in connection.execute("SELECT id FROM chunks")}
    indexed = {row[0] for row in connection.execute("SELECT rowid FROM keywords")}
    if chunks - indexed:
        yield _about("keywords", "chunks missing from the keyword index", "", chunks - indexed)
    if indexed - chunks:
        yield _about("keywords", "entries of the keyword index whose chunk is gone", "", indexed - chunks)
    wrong = []
    rows = connection.execute(
        "SELECT c.id, d.title, c.heading, c.text, c.table_header, k.words FROM chunks c "
        "JOIN documents d ON d.id = c.document JOIN keywords k ON k.rowid = c.id"
    )
    for done, (number, title, heading, text, table_header, words) in enumerate(rows):
        if indexed_words(title, json.loads(heading), text, table_header) != words:
            wrong.append(number)
        if done % _GROUP == 0:
            told("keyword index", done, len(chunks))
    if wrong:
        yield _about("keywords", "entries of the keyword index with other words than their chunk", "", wrong)
    try:
        # Compares the index with the words stored beside it; changes nothing.
        connection.execute("INSERT INTO keywords (keywords) VALUES ('integrity-check')")
    except sqlite3.DatabaseError as error:
        yield Disagreement("keywords", f"the keyword index is damaged: {error}")


def _vectors(
    home: Path,
    connection: sqlite3.Connection,
    embedder: StoredEmbedder,
    index: Published,
    told: Progress,
) -> Iterator[Disagreement]:
    folder = index.path(home)
    problem = damage(folder, index.seal)
    if problem:
        yield Disagreement("vectors", problem)
        return
    if index.embedder != embedder.number:
        yield Disagreement("vectors", "the vector index was made with another embedder")
        return
    try:
        with closing(ChromaFolder(folder)) as chroma:
            for name, number in manifest.collection_ids(connection).items():
                yield from _collection_vectors(chroma, connection, index, name, number, told)
            for number in chroma.collections() - set(manifest.collection_ids(connection).values()):
                if index.generation == manifest.generation(connection):
                    yield _about(
                        "vectors", "vectors of a collection that is gone", "", sorted(chroma.ids(number))
                    )
    except LibraryError as error:
        yield Disagreement("vectors", error.message)


def _collection_vectors(
    chroma: ChromaFolder,
    connection: sqlite3.Connection,
    index: Published,
    name: str,
    number: int,
    told: Progress,
) -> Iterator[Disagreement]:
    in_chroma = chroma.ids(number) if number in chroma.collections() else set()
    live = set(live_ids(connection, [number]))
    waiting = {
        row[0]
        for row in connection.execute(
            "SELECT c.id FROM members m JOIN chunks c ON c.document = m.document "
            "WHERE m.collection = ? AND m.since > ?",
            (number, index.generation),
        )
    }
    missing = live - waiting - in_chroma
    if missing:
        yield _about("vectors", "chunks missing from the vector index", name, missing)
    if in_chroma - live and index.generation == manifest.generation(connection):
        yield _about("vectors", "vectors whose chunk is gone", name, in_chroma - live)
    both = sorted((live & in_chroma) - _without_embedding(connection))
    differing: list[int] = []
    for begin in range(0, len(both), _GROUP):
        group = both[begin : begin + _GROUP]
        away = np.abs(chroma.vectors(number, group) - vectors(connection, group)).max(axis=1)
        differing += [id_ for id_, distance in zip(group, away, strict=True) if not distance < 1e-5]
        told("vector index", begin + len(group), len(both))
    if differing:
        yield _about("vectors", "vectors that differ from the stored embedding", name, differing)


def _about(where: str, problem: str, collection: str, chunks: Sequence[int] | set[int]) -> Disagreement:
    return Disagreement(where, problem, collection, len(chunks), tuple(sorted(chunks)[:20]))
