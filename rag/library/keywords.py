"""The keyword index: SQLite FTS5 over the words of each chunk, in the manifest's own transactions."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from rag.library import manifest
from rag.library.records import Hit, WordStatistics
from rag.records import Chunk


def indexed_words(chunk_text: str, heading: Sequence[str]) -> str:
    """What the index holds of a chunk: the words of its headings and its text, separated by blanks."""
    from rag.text.words import words

    return " ".join(word for part in (*heading, chunk_text) for word in words(part))


def add(connection: sqlite3.Connection, chunks: Iterable[tuple[int, Chunk]]) -> None:
    """Index chunks under the numbers given with them."""
    connection.executemany(
        "INSERT INTO keywords (rowid, words) VALUES (?, ?)",
        ((number, indexed_words(chunk.text, chunk.heading)) for number, chunk in chunks),
    )


def remove(connection: sqlite3.Connection, ids: Iterable[int]) -> None:
    connection.executemany("DELETE FROM keywords WHERE rowid = ?", ((number,) for number in ids))


def search(
    connection: sqlite3.Connection, collections: Sequence[str], words: Sequence[str], limit: int
) -> list[Hit]:
    """Chunks that hold any of the words, best first by BM25 (Hit.score = −bm25(), larger is better)."""
    query = " OR ".join(_quoted(word) for word in dict.fromkeys(words) if word.strip())
    numbers = manifest.collection_ids(connection, collections)
    if not query or not numbers or limit < 1:
        return []
    inside = ",".join(str(number) for number in numbers.values())
    (hidden,) = connection.execute(
        "SELECT EXISTS (SELECT 1 FROM documents d WHERE NOT EXISTS "
        f"(SELECT 1 FROM members m WHERE m.document = d.id AND m.collection IN ({inside})))"
    ).fetchone()
    visible = (
        "AND rowid IN (SELECT c.id FROM members m JOIN chunks c ON c.document = m.document "
        f"WHERE m.collection IN ({inside}))"
        if hidden
        else ""
    )
    rows = connection.execute(
        f"SELECT rowid, rank FROM keywords WHERE keywords MATCH ? {visible} ORDER BY rank LIMIT ?",
        (query, limit),
    )
    return [Hit(int(number), -float(rank)) for number, rank in rows]


def statistics(connection: sqlite3.Connection, words: Sequence[str]) -> WordStatistics:
    (chunks,) = connection.execute("SELECT count(*) FROM chunks").fetchone()
    frequency = {}
    for word in words:
        row = connection.execute("SELECT doc FROM keyword_terms WHERE term = ?", (word,)).fetchone()
        frequency[word] = int(row[0]) if row else 0
    return WordStatistics(frequency, int(chunks))


def _quoted(word: str) -> str:
    return '"' + word.replace('"', '""') + '"'
