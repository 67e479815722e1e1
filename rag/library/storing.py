"""Statements that change what the manifest holds of documents, for use inside a transaction of its writer."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from rag.embedding.protocol import Vectors
from rag.library import keywords, manifest
from rag.library.columns import json_column
from rag.library.embeddings import vector_column
from rag.records import Chunk, Document


class StoredDocument(NamedTuple):
    number: int
    chunk_ids: list[int]


def next_generation(connection: sqlite3.Connection) -> int:
    """Count a change of what a search can find. Returns the new generation."""
    connection.execute("UPDATE meta SET value = value + 1 WHERE key = 'generation'")
    return manifest.generation(connection)


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


def insert_document(
    connection: sqlite3.Connection,
    document: Document,
    chunks: Sequence[Chunk],
    digests: Sequence[bytes],
    *,
    recipe: str,
    pages_without_text: Sequence[int],
    contains: int | None = None,
    words: Sequence[str] | None = None,
) -> StoredDocument:
    """Store a document with its pages, chunks and keywords; an older one of the same bytes gives way.

    contains: how many files lie in it; None: as many as in the older one. words: of each chunk, from
    `keywords.words_of`, if they are at hand.
    """
    row = connection.execute(
        "SELECT id, contains FROM documents WHERE sha256 = ?", (document.sha256,)
    ).fetchone()
    old, known = ((row[0],), row[1]) if row else (None, 0)
    if old:
        connection.execute("UPDATE documents SET sha256 = sha256 || ' (replaced)' WHERE id = ?", old)
    cursor = connection.execute(
        "INSERT INTO documents (sha256, kind, title, headings, tables, pages_without_text, recipe, "
        "page_count, chunk_count, contains, pages_recognised) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
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
            known if contains is None else contains,
            json_column([page.number for page in document.pages if page.ocr and page.number is not None]),
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
    if words is None:
        words = keywords.words_of(document.title, chunks)
    keywords.add(connection, zip(ids, words, strict=True))
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
