"""The keyword index: SQLite FTS5 over the words of each chunk, in the manifest's own transactions."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from rag.library import manifest
from rag.library.records import Hit, WordStatistics
from rag.records import Chunk

VERSION = 1
"""Raise it when `indexed_words` gives others for the same chunk: the next writer indexes all chunks anew."""
_GENEROUS = 4
_SMALL = 20_000


def indexed_words(title: str | None, heading: Sequence[str], text: str, table_header: str = "") -> str:
    """What the index holds of a chunk, separated by blanks: the words of its document's title, of the
    headings above it, of its table's header, and of its text, plurals as singulars.

    Every chunk carries the title, since the question often names what the text goes on to call "it".
    """
    from rag.text.stemming import stem
    from rag.text.words import words

    parts = dict.fromkeys([*([title] if title else []), *heading, table_header])
    return " ".join(stem(word) for part in (*parts, text) for word in words(part))


def is_current(connection: sqlite3.Connection) -> bool:
    """Whether the index was made by this version."""
    row = connection.execute("SELECT value FROM meta WHERE key = 'keywords'").fetchone()
    return row is not None and int(row[0]) == VERSION


def note_version(connection: sqlite3.Connection) -> None:
    """Say that the whole index is made by this version."""
    connection.execute("INSERT OR REPLACE INTO meta VALUES ('keywords', ?)", (str(VERSION),))


def words_of(title: str | None, chunks: Iterable[Chunk]) -> list[str]:
    """`indexed_words` of each chunk of a document of that title."""
    return [indexed_words(title, chunk.heading, chunk.text, chunk.table_header) for chunk in chunks]


def add(connection: sqlite3.Connection, rows: Iterable[tuple[int, str]]) -> None:
    """Index chunks: (number, `indexed_words` of it)."""
    connection.executemany("INSERT INTO keywords (rowid, words) VALUES (?, ?)", rows)


def remove(connection: sqlite3.Connection, ids: Sequence[int]) -> None:
    connection.executemany("DELETE FROM keywords WHERE rowid = ?", ((number,) for number in ids))
    connection.execute(
        "INSERT INTO meta VALUES ('keywords removed', ?) "
        "ON CONFLICT (key) DO UPDATE SET value = value + excluded.value",
        (str(len(ids)),),
    )


def tidy(connection: sqlite3.Connection) -> bool:
    """Drop the words of removed chunks, which the index keeps, marked as removed, until it is merged.

    In a large index only when 1 % of it was removed: merging rewrites all of it. Returns whether it did.
    """
    row = connection.execute("SELECT value FROM meta WHERE key = 'keywords removed'").fetchone()
    (chunks,) = connection.execute("SELECT count(*) FROM chunks").fetchone()
    removed = int(row[0]) if row else 0
    if not removed or (chunks > _SMALL and removed < chunks / 100):
        return False
    connection.execute("INSERT INTO keywords (keywords) VALUES ('optimize')")
    connection.execute("DELETE FROM meta WHERE key = 'keywords removed'")
    return True


def search(
    connection: sqlite3.Connection,
    collections: Sequence[str],
    words: Sequence[str],
    limit: int,
    documents: Sequence[int] | None = None,
) -> list[Hit]:
    """Chunks that hold any of the words, best first by BM25 (Hit.score = −bm25(), larger is better).

    documents: numbers of those that may be searched, None for all.
    """
    from rag.text.stemming import stem

    query = " OR ".join(_quoted(word) for word in dict.fromkeys(map(stem, words)) if word.strip())
    numbers = manifest.collection_ids(connection, collections)
    if not query or not numbers or limit < 1:
        return []
    (every,) = connection.execute("SELECT count(*) FROM collections").fetchone()
    if documents is None and len(numbers) == every:
        return _ranked(connection, query, limit)  # every document is in some collection
    if documents is not None:
        return _ranked(connection, query, limit, _inside(numbers.values(), documents))
    # Sorting out what others may not see costs more than finding: the best few usually suffice.
    best = _ranked(connection, query, _GENEROUS * limit)
    live = manifest.live_of(connection, (hit.chunk_id for hit in best), numbers.values())
    hits = [hit for hit in best if hit.chunk_id in live][:limit]
    if len(hits) == limit or len(best) < _GENEROUS * limit:
        return hits
    return _ranked(connection, query, limit, _inside(numbers.values()))


def _inside(collections: Iterable[int], documents: Sequence[int] | None = None) -> str:
    """The condition that a row belongs to one of the collections and to one of the documents."""
    inside = ",".join(map(str, collections))
    of = "" if documents is None else f" AND m.document IN ({','.join(map(str, documents))})"
    return (
        "AND rowid IN (SELECT c.id FROM members m JOIN chunks c ON c.document = m.document "
        f"WHERE m.collection IN ({inside}){of})"
    )


def _ranked(connection: sqlite3.Connection, query: str, limit: int, condition: str = "") -> list[Hit]:
    rows = connection.execute(
        f"SELECT rowid, rank FROM keywords WHERE keywords MATCH ? {condition} ORDER BY rank LIMIT ?",
        (query, limit),
    )
    return [Hit(int(number), -float(rank)) for number, rank in rows]


def statistics(connection: sqlite3.Connection, words: Sequence[str]) -> WordStatistics:
    from rag.text.stemming import stem

    (chunks,) = connection.execute("SELECT count(*) FROM chunks").fetchone()
    frequency = {}
    for word in words:
        row = connection.execute("SELECT doc FROM keyword_terms WHERE term = ?", (stem(word),)).fetchone()
        frequency[word] = int(row[0]) if row else 0
    return WordStatistics(frequency, int(chunks))


def _quoted(word: str) -> str:
    return '"' + word.replace('"', '""') + '"'
