"""Makes the keyword index and the embeddings anew from the text in the manifest."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence

from rag.embedding.protocol import Embedder
from rag.library import keywords, manifest, storing
from rag.library.database import Database
from rag.library.embeddings import digest
from rag.library.migrations import recreate_keywords
from rag.records import Chunk, Document
from rag.text.context import embedding_text

Progress = Callable[[str, int, int], None]
"""Told (what is being made, done, in all)."""

_GROUP = 128
"""Chunks embedded together, so that short and long ones can be sorted; what a kill at most wastes."""


def rebuild_keywords(database: Database, progress: Progress | None = None) -> int:
    """Index every chunk anew; readers keep the old index until it is complete. Returns the chunks."""
    with database.transaction() as connection:
        (total,) = connection.execute("SELECT count(*) FROM chunks").fetchone()
        recreate_keywords(connection)
        keywords.note_made(connection)
        rows = connection.execute(
            "SELECT c.id, d.title, c.heading, c.text, c.table_header FROM chunks c "
            "JOIN documents d ON d.id = c.document ORDER BY c.id"
        )
        for done, (number, title, heading, text, table_header) in enumerate(rows, start=1):
            connection.execute(
                "INSERT INTO keywords (rowid, words) VALUES (?, ?)",
                (number, keywords.indexed_words(title, json.loads(heading), text, table_header)),
            )
            if progress and (done % 500 == 0 or done == total):
                progress("keyword index", done, total)
    return int(total)


def re_embed(
    database: Database,
    embedder: Embedder,
    rechunk: Callable[[Document], list[Chunk]],
    progress: Progress | None = None,
) -> int:
    """Give every chunk a vector of `embedder`, then use these vectors and drop all others.

    Documents are committed one by one, so an interrupted run goes on where it stopped; until the last
    one is done, searches use the old vectors. A document with a chunk that is too long for this embedder
    is cut again by `rechunk` (and found by its words alone until the end). Returns how many chunks were
    embedded.
    """
    with database.transaction() as connection:
        number = storing.embedder_number(connection, embedder.id, embedder.dimension)
        connection.execute(
            "DELETE FROM embeddings WHERE embedder = ? AND length(vector) <> ?",
            (number, 4 * embedder.dimension),
        )
    connection = database.connection()
    missing = connection.execute(
        "SELECT DISTINCT c.document FROM chunks c WHERE NOT EXISTS "
        "(SELECT 1 FROM embeddings e WHERE e.chunk = c.id AND e.embedder = ?) ORDER BY c.document",
        (number,),
    ).fetchall()
    done = 0
    for group in _groups(connection, [row[0] for row in missing]):
        prepared = [_prepared(connection, document, embedder, rechunk) for document in group]
        vectors = embedder.embed_passages([text for _, _, texts in prepared for text in texts])
        begin = 0
        for document, chunks, texts in prepared:
            own = vectors[begin : begin + len(texts)]
            begin += len(texts)
            with database.transaction() as writing:
                if chunks and not chunks[0].id:
                    ids = _replace(writing, document, chunks, texts)
                else:
                    ids = [chunk.id for chunk in chunks]
                storing.insert_vectors(writing, ids, number, own)
        done += len(vectors)
        if progress:
            progress("embeddings", done, _remaining(connection, number) + done)
    with database.transaction() as connection:
        storing.set_embedder(connection, number)
    return done


def _groups(connection: sqlite3.Connection, documents: Sequence[int]) -> Iterator[list[int]]:
    group: list[int] = []
    size = 0
    for document in documents:
        row = connection.execute("SELECT chunk_count FROM documents WHERE id = ?", (document,)).fetchone()
        group.append(document)
        size += row[0]
        if size >= _GROUP:
            yield group
            group, size = [], 0
    if group:
        yield group


def _prepared(
    connection: sqlite3.Connection,
    number: int,
    embedder: Embedder,
    rechunk: Callable[[Document], list[Chunk]],
) -> tuple[Document, list[Chunk], list[str]]:
    """A document, its chunks (with ids if they can stay as they are) and what is embedded of them."""
    (sha256,) = connection.execute("SELECT sha256 FROM documents WHERE id = ?", (number,)).fetchone()
    document = manifest.document(connection, sha256)
    chunks = manifest.neighbours(connection, sha256, 0, 1 << 60)
    texts = [embedding_text(chunk, document.title) for chunk in chunks]
    if any(len(embedder.token_offsets(text)) > embedder.max_tokens for text in texts):
        chunks = rechunk(document)
        texts = [embedding_text(chunk, document.title) for chunk in chunks]
    return document, chunks, texts


def _replace(
    connection: sqlite3.Connection, document: Document, chunks: Sequence[Chunk], texts: Sequence[str]
) -> list[int]:
    recipe, without = connection.execute(
        "SELECT recipe, pages_without_text FROM documents WHERE sha256 = ?", (document.sha256,)
    ).fetchone()
    return storing.insert_document(
        connection,
        document,
        chunks,
        [digest(text) for text in texts],
        recipe=recipe,
        pages_without_text=json.loads(without),
    ).chunk_ids


def _remaining(connection: sqlite3.Connection, embedder: int) -> int:
    (count,) = connection.execute(
        "SELECT count(*) FROM chunks c WHERE NOT EXISTS "
        "(SELECT 1 FROM embeddings e WHERE e.chunk = c.id AND e.embedder = ?)",
        (embedder,),
    ).fetchone()
    return int(count)
