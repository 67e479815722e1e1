"""The statements that change the manifest, for use inside a transaction of its writer."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from rag.embedding.protocol import Vectors
from rag.library import keywords
from rag.library.columns import json_column, path_column, path_value
from rag.library.embeddings import vector_column
from rag.library.records import Source, StoredFile
from rag.records import Chunk, Document, FileState


class StoredDocument(NamedTuple):
    number: int
    chunk_ids: list[int]


def next_generation(connection: sqlite3.Connection) -> int:
    """Count a change of what a search can find. Returns the new generation."""
    connection.execute("UPDATE meta SET value = value + 1 WHERE key = 'generation'")
    return int(connection.execute("SELECT value FROM meta WHERE key = 'generation'").fetchone()[0])


def embedder_number(connection: sqlite3.Connection, embedder_id: str, dimension: int) -> int:
    connection.execute(
        "INSERT OR IGNORE INTO embedders (name, dimension) VALUES (?, ?)", (embedder_id, dimension)
    )
    (number,) = connection.execute("SELECT id FROM embedders WHERE name = ?", (embedder_id,)).fetchone()
    return int(number)


def set_embedder(connection: sqlite3.Connection, number: int) -> None:
    """Use this embedder's vectors from now on and drop all others."""
    connection.execute("INSERT OR REPLACE INTO meta VALUES ('embedder', ?)", (str(number),))
    connection.execute("DELETE FROM embeddings WHERE embedder <> ?", (number,))
    connection.execute("DELETE FROM embedders WHERE id <> ?", (number,))
    next_generation(connection)


def stored_files(connection: sqlite3.Connection, collection: int) -> list[StoredFile]:
    rows = connection.execute(
        """
        SELECT f.location, f.root, f.path, f.size, f.mtime_ns, f.sha256, f.state, f.reason, f.recipe,
               f.examined, f.document IS NOT NULL, coalesce(d.recipe, ''),
               coalesce(a.tries, 0), a.size, a.mtime_ns, a.recipe
        FROM files f LEFT JOIN documents d ON d.id = f.document
             LEFT JOIN attempts a ON a.collection = f.collection AND a.location = f.location
        WHERE f.collection = ?
        """,
        (collection,),
    )
    return [_stored_file(row) for row in rows]


def _stored_file(row: Sequence[Any]) -> StoredFile:
    location, root, path, size, mtime_ns, sha256, state, reason, recipe, examined, live, made_by = row[:12]
    tries, tried_size, tried_mtime_ns, tried_recipe = row[12:]
    return StoredFile(
        location=str(path_value(location)),
        root=root,
        path=path,
        size=size,
        mtime_ns=mtime_ns,
        sha256=sha256,
        state=state,
        reason=reason,
        recipe=recipe,
        examined=examined,
        live=bool(live),
        document_recipe=made_by,
        tries=tries,
        tried=(tried_size, tried_mtime_ns, tried_recipe) if tries else None,
    )


def insert_document(
    connection: sqlite3.Connection,
    document: Document,
    chunks: Sequence[Chunk],
    digests: Sequence[bytes],
    *,
    recipe: str,
    pages_without_text: Sequence[int],
) -> StoredDocument:
    """Store a document with its pages, chunks and keywords; an older one of the same bytes gives way."""
    old = connection.execute("SELECT id FROM documents WHERE sha256 = ?", (document.sha256,)).fetchone()
    if old:
        connection.execute("UPDATE documents SET sha256 = sha256 || ' (replaced)' WHERE id = ?", old)
    cursor = connection.execute(
        "INSERT INTO documents (sha256, kind, title, headings, tables, pages_without_text, recipe, "
        "page_count, chunk_count) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            document.sha256,
            document.kind,
            document.title,
            json_column([(heading.start, heading.level, heading.title) for heading in document.headings]),
            json_column([(table.start, table.end, table.header_end) for table in document.tables]),
            json_column(list(pages_without_text)),
            recipe,
            sum(page.number is not None for page in document.pages),
            len(chunks),
        ),
    )
    number = int(cursor.lastrowid or 0)
    connection.executemany(
        "INSERT INTO pages (document, ordinal, number, label, quality, text) VALUES (?, ?, ?, ?, ?, ?)",
        (
            (number, ordinal, page.number, page.label, page.quality, page.text)
            for ordinal, page in enumerate(document.pages)
        ),
    )
    ids = []
    for chunk, digest in zip(chunks, digests, strict=True):
        cursor = connection.execute(
            "INSERT INTO chunks (document, ordinal, start, end, tokens, pages, heading, table_header, "
            "digest, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                number,
                chunk.ordinal,
                chunk.start,
                chunk.end,
                chunk.tokens,
                json_column(chunk.pages),
                json_column(chunk.heading),
                chunk.table_header,
                digest,
                chunk.text,
            ),
        )
        ids.append(int(cursor.lastrowid or 0))
    keywords.add(connection, document.title, zip(ids, chunks, strict=True))
    if old:
        since = next_generation(connection)
        connection.execute(
            "UPDATE files SET document = ?, recipe = ? WHERE document = ?", (number, recipe, *old)
        )
        connection.execute(
            "INSERT INTO members SELECT collection, ?, ? FROM members WHERE document = ?",
            (number, since, *old),
        )
        _delete_document(connection, *old)
    return StoredDocument(number, ids)


def insert_vectors(
    connection: sqlite3.Connection, chunk_ids: Sequence[int], embedder: int, vectors: Vectors
) -> None:
    connection.executemany(
        "INSERT OR REPLACE INTO embeddings (chunk, embedder, vector) VALUES (?, ?, ?)",
        (
            (number, embedder, vector_column(vector))
            for number, vector in zip(chunk_ids, vectors, strict=True)
        ),
    )


def set_live(
    connection: sqlite3.Connection,
    collection: int,
    source: Source,
    document: int,
    sha256: str,
    recipe: str,
) -> None:
    """Afterwards `drop_unused` removes what was live there before, if it is live nowhere else."""
    _write_file(connection, collection, source, "live", "", recipe, sha256, document)
    forget_attempts(connection, collection, source.location)
    connection.execute(
        "INSERT OR IGNORE INTO members VALUES (?, ?, ?)", (collection, document, next_generation(connection))
    )


def set_aside(
    connection: sqlite3.Connection,
    collection: int,
    source: Source,
    state: FileState,
    reason: str,
    recipe: str,
    sha256: str | None,
) -> None:
    _write_file(connection, collection, source, state, reason, recipe, sha256, None)


def note_attempt(
    connection: sqlite3.Connection, collection: int, source: Source, recipe: str, tries: int
) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO attempts (collection, location, size, mtime_ns, recipe, tries) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        (collection, path_column(source.location), source.size, source.mtime_ns, recipe, tries),
    )


def forget_attempts(connection: sqlite3.Connection, collection: int, location: str) -> None:
    connection.execute(
        "DELETE FROM attempts WHERE collection = ? AND location = ?", (collection, path_column(location))
    )


def note_seen(connection: sqlite3.Connection, collection: int, source: Source) -> None:
    connection.execute(
        "INSERT OR IGNORE INTO files (collection, location, root, path, size, mtime_ns, state, updated) "
        "VALUES (?, ?, ?, ?, ?, ?, 'seen', ?)",
        (
            collection,
            path_column(source.location),
            source.root,
            source.path,
            source.size,
            source.mtime_ns,
            time.time(),
        ),
    )


def touch(connection: sqlite3.Connection, collection: int, source: Source) -> None:
    connection.execute(
        "UPDATE files SET root = ?, path = ?, size = ?, mtime_ns = ?, examined = ? "
        "WHERE collection = ? AND location = ?",
        (
            source.root,
            source.path,
            source.size,
            source.mtime_ns,
            source.examined,
            collection,
            path_column(source.location),
        ),
    )


def drop_unused(connection: sqlite3.Connection, collection: int) -> None:
    """End the membership of documents that no path of the collection has any more, and remove those
    that are a member of nothing: text, keywords and vectors with them."""
    gone = connection.execute(
        "SELECT document FROM members m WHERE collection = ? AND NOT EXISTS "
        "(SELECT 1 FROM files f WHERE f.collection = m.collection AND f.document = m.document)",
        (collection,),
    ).fetchall()
    if not gone:
        return
    next_generation(connection)
    for (document,) in gone:
        connection.execute(
            "DELETE FROM members WHERE collection = ? AND document = ?", (collection, document)
        )
        (used,) = connection.execute(
            "SELECT EXISTS (SELECT 1 FROM members WHERE document = ?)", (document,)
        ).fetchone()
        if not used:
            _delete_document(connection, document)


def _delete_document(connection: sqlite3.Connection, document: int) -> None:
    ids = [row[0] for row in connection.execute("SELECT id FROM chunks WHERE document = ?", (document,))]
    keywords.remove(connection, ids)
    connection.execute("DELETE FROM documents WHERE id = ?", (document,))


def _write_file(
    connection: sqlite3.Connection,
    collection: int,
    source: Source,
    state: FileState,
    reason: str,
    recipe: str,
    sha256: str | None,
    document: int | None,
) -> None:
    connection.execute(
        """
        INSERT INTO files (collection, location, root, path, size, mtime_ns, examined, state, reason, recipe,
                           sha256, document, updated)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (collection, location) DO UPDATE SET
            root = excluded.root, path = excluded.path, size = excluded.size, mtime_ns = excluded.mtime_ns,
            examined = excluded.examined, state = excluded.state, reason = excluded.reason,
            recipe = excluded.recipe, sha256 = excluded.sha256, document = excluded.document,
            updated = excluded.updated
        """,
        (
            collection,
            path_column(source.location),
            source.root,
            source.path,
            source.size,
            source.mtime_ns,
            source.examined,
            state,
            reason,
            recipe,
            sha256,
            document,
            time.time(),
        ),
    )
