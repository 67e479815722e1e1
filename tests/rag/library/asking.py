"""What a library answers, and what its tables hold, for the tests of its changes."""

from __future__ import annotations

from collections.abc import Sequence

from rag.library import Library
from rag.text.words import words
from tests.rag.library.samples import WordEmbedder, document

EN = document(
    "The holiday allowance is thirty days.\nUnused days expire in March.", "Travel is booked by Ann."
)


def found_by_word(library: Library, *asked: str, collections: Sequence[str] = ("default",)) -> list[str]:
    hits = library.keyword(collections, [word for text in asked for word in words(text)], 10)
    chunks = library.chunks(hit.chunk_id for hit in hits)
    return [chunks[hit.chunk_id].text for hit in hits]


def found_by_meaning(
    library: Library, embedder: WordEmbedder, asked: str, collections: Sequence[str] = ("default",)
) -> list[str]:
    hits = library.dense(collections, embedder.embed_queries([asked])[0], 10)
    chunks = library.chunks(hit.chunk_id for hit in hits)
    return [chunks[hit.chunk_id].text for hit in hits]


def counts(library: Library) -> dict[str, int]:
    """Rows of every table that holds something of documents."""
    connection = library._database.connection()
    tables = ("files", "documents", "pages", "chunks", "embeddings", "members", "keywords")
    return {table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables}
