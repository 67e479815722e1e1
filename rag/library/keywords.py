"""The keyword index: SQLite FTS5 over the words of each chunk, in the manifest's own transactions."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rag.library import manifest
from rag.library.records import Hit, WordStatistics
from rag.records import Chunk

if TYPE_CHECKING:
    from rag.library.postings import KeywordReader

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


def note_made(connection: sqlite3.Connection) -> None:
    """Say that the whole index was made anew, by this version."""
    connection.execute("INSERT OR REPLACE INTO meta VALUES ('keywords', ?)", (str(VERSION),))
    connection.execute(
        "INSERT INTO meta VALUES ('keywords made', '1') ON CONFLICT (key) DO UPDATE SET value = value + 1"
    )


def words_of(title: str | None, chunks: Iterable[Chunk]) -> list[str]:
    """`indexed_words` of each chunk of a document of that title."""
    return [indexed_words(title, chunk.heading, chunk.text, chunk.table_header) for chunk in chunks]


def add(connection: sqlite3.Connection, rows: Iterable[tuple[int, str]]) -> None:
    """Index chunks: (number, `indexed_words` of it)."""
    added = connection.executemany("INSERT INTO keywords (rowid, words) VALUES (?, ?)", rows)
    _count(connection, "keywords added", added.rowcount)


def remove(connection: sqlite3.Connection, ids: Sequence[int]) -> None:
    connection.executemany("DELETE FROM keywords WHERE rowid = ?", ((number,) for number in ids))
    _count(connection, "keywords removed", len(ids))


def tidy(connection: sqlite3.Connection) -> bool:
    """Merge the parts of the index into one, which is read a quarter faster; only then it also drops the
    words of removed chunks, which it keeps, marked as removed, until then.

    Merging rewrites all of the index. So a large one is merged only when 1 % of it was removed, and any when
    a fifth of it was added since the last time. Returns whether it did.
    """
    rows = connection.execute(
        "SELECT key, value FROM meta WHERE key IN ('keywords added', 'keywords removed')"
    )
    changes = {str(key): int(value) for key, value in rows}
    added, removed = changes.get("keywords added", 0), changes.get("keywords removed", 0)
    (chunks,) = connection.execute("SELECT count(*) FROM chunks").fetchone()
    much_removed = removed > 0 and (chunks <= _SMALL or removed >= chunks / 100)
    much_added = added > 0 and added >= chunks / 5
    if not much_removed and not much_added:
        return False
    connection.execute("INSERT INTO keywords (keywords) VALUES ('optimize')")
    connection.execute("DELETE FROM meta WHERE key IN ('keywords added', 'keywords removed')")
    return True


def _count(connection: sqlite3.Connection, key: str, more: int) -> None:
    connection.execute(
        "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = value + excluded.value",
        (key, str(more)),
    )


def search(
    connection: sqlite3.Connection,
    reader: KeywordReader,
    collections: Sequence[str],
    words: Sequence[str],
    limit: int,
    documents: Sequence[int] | None = None,
) -> list[Hit]:
    """Chunks that hold any of the words, best first by BM25 (Hit.score, as SQLite counts it but positive).

    documents: numbers of those that may be searched, None for all.
    """
    from rag.library.bm25 import best, scores
    from rag.text.stemming import stem

    with reader.reading(connection) as state:
        numbers = manifest.collection_ids(connection, collections)
        if not numbers or limit < 1:
            return []
        scored = scores(state, connection, [word for word in dict.fromkeys(map(stem, words)) if word.strip()])
        (every,) = connection.execute("SELECT count(*) FROM collections").fetchone()
        if documents is None and len(numbers) == every:
            return best(state, scored, limit)  # every document is in some collection
        if documents is None:
            # Sorting out what others may not see costs more than finding: the best few usually suffice.
            hits = best(state, scored, _GENEROUS * limit)
            live = manifest.live_of(connection, (hit.chunk_id for hit in hits), numbers.values())
            kept = [hit for hit in hits if hit.chunk_id in live][:limit]
            if len(kept) == limit or len(hits) < _GENEROUS * limit:
                return kept
        inside = manifest.chunk_numbers(connection, numbers.values(), documents)
        return best(state, scored, limit, inside)


def statistics(connection: sqlite3.Connection, reader: KeywordReader, words: Sequence[str]) -> WordStatistics:
    from rag.text.stemming import stem

    with reader.reading(connection) as state:
        frequency = {word: len(state.holding(connection, stem(word)).rows) for word in words}
        return WordStatistics(frequency, state.chunks)
