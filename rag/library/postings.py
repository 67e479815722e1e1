"""Which chunks hold a word, and how often: read from the keyword index as arrays.

SQLite's own `bm25()` looks up each chunk's length in the index, once for every chunk that holds any of the
words: 3 to 7 µs a chunk. One statement a word that lists the word's places takes a fifth of a microsecond a
place, and the lengths of all chunks fit into a megabyte or two; the rest is arithmetic on arrays.
"""

from __future__ import annotations

import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

_KEPT = 3_000_000
"""Entries of postings that are kept for the next question, 8 bytes each."""
_STALE_SHARE = 0.25
"""With more lengths of removed chunks than that they are all read anew."""


class State(NamedTuple):
    """Tells two states of the keyword index apart. made: how often it was made anew."""

    made: int
    generation: int


class Postings(NamedTuple):
    """The chunks that hold a word. rows: where they stand in `KeywordState.ids`, ascending. counts: how often
    each holds it, None where only that was asked whether."""

    rows: NDArray[np.int32]
    counts: NDArray[np.float32] | None


class KeywordState:
    """The keyword index in one state of the library; every reading must be in a transaction that sees it.

    ids: chunk numbers, ascending; a few may be gone. lengths: words of each. chunks: how many there are,
    without those that are gone; mean_length: of these. Words are as they are indexed.
    """

    def __init__(
        self, state: State, ids: NDArray[np.int64], lengths: NDArray[np.int32], chunks: int, words: int
    ) -> None:
        self.state = state
        self.ids = ids
        self.lengths = lengths
        self.chunks = chunks
        self.mean_length = words / chunks if chunks else 0.0
        self._place = np.full(int(ids[-1]) + 2 if len(ids) else 1, -1, np.int32)
        self._place[ids] = np.arange(len(ids), dtype=np.int32)
        self._lock = threading.Lock()
        self._known: OrderedDict[str, Postings] = OrderedDict()
        self._entries = 0

    @property
    def kept(self) -> int:
        """Entries of postings that are in memory."""
        return self._entries

    def holding(self, connection: sqlite3.Connection, word: str) -> Postings:
        """The chunks that hold the word; their counts only if they are at hand."""
        with self._lock:
            known = self._known.get(word)
            if known is not None:
                self._known.move_to_end(word)
                return known
        rows = self._rows(
            connection.execute(
                "SELECT group_concat(rowid) FROM keywords WHERE keywords MATCH ?", (_quoted(word),)
            )
        )
        return self._keep(word, Postings(rows, None))

    def counted(self, connection: sqlite3.Connection, word: str) -> Postings:
        """The chunks that hold the word, with counts."""
        rows, counts = self.holding(connection, word)
        if counts is None:
            # A chunk's number comes once for each time that it holds the word.
            places = self._rows(
                connection.execute(
                    "SELECT group_concat(doc) FROM temp.keyword_places WHERE term = ?", (word,)
                )
            )
            counts = np.bincount(places, minlength=len(self.ids))[rows].astype(np.float32)
        return self._keep(word, Postings(rows, counts))

    def _rows(self, numbers: sqlite3.Cursor) -> NDArray[np.int32]:
        """Where the chunks stand whose numbers come as one text: that costs a fifth of as many rows, and
        other threads run meanwhile."""
        (text,) = numbers.fetchone()
        if not text:
            return np.zeros(0, np.int32)
        rows = self._place[np.minimum(np.fromstring(text, np.int64, sep=","), len(self._place) - 1)]
        # A damaged index may name chunks whose length it does not have.
        return rows if len(rows) and rows.min() >= 0 else rows[rows >= 0]

    def _keep(self, word: str, found: Postings) -> Postings:
        with self._lock:
            before = self._known.pop(word, None)
            self._entries += len(found.rows) - (len(before.rows) if before else 0)
            self._known[word] = found
            while self._entries > _KEPT and len(self._known) > 1:
                _, dropped = self._known.popitem(last=False)
                self._entries -= len(dropped.rows)
        return found


class KeywordReader:
    """Gives the keyword index in its present state, from any number of threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._latest: KeywordState | None = None

    @contextmanager
    def reading(self, connection: sqlite3.Connection) -> Iterator[KeywordState]:
        """The present state; the connection sees it and no later one inside the `with`."""
        connection.execute(
            "CREATE VIRTUAL TABLE IF NOT EXISTS temp.keyword_places "
            "USING fts5vocab (main, keywords, instance)"
        )
        connection.execute("BEGIN")
        try:
            yield self._present(connection)
        finally:
            connection.execute("COMMIT")

    def _present(self, connection: sqlite3.Connection) -> KeywordState:
        state = _state(connection)
        with self._lock:
            latest = self._latest
            if latest is None or latest.state != state:
                latest = _read_state(connection, state, latest)
                # Another thread may be in the middle of a search of an older state.
                if self._latest is None or self._latest.state < state:
                    self._latest = latest
            return latest


def _state(connection: sqlite3.Connection) -> State:
    rows = connection.execute("SELECT key, value FROM meta WHERE key IN ('generation', 'keywords made')")
    values = {str(key): int(value) for key, value in rows}
    return State(values.get("keywords made", 0), values["generation"])


def _read_state(connection: sqlite3.Connection, state: State, before: KeywordState | None) -> KeywordState:
    row = connection.execute("SELECT block FROM keywords_data WHERE id = 1").fetchone()
    totals = [*_varints(row[0] if row else b""), 0, 0]
    chunks, words = int(totals[0]), int(totals[1])
    ids, lengths = np.zeros(0, np.int64), np.zeros(0, np.int32)
    # A chunk's words never change, nor is its number used again, unless all is indexed anew.
    if before is not None and before.state.made == state.made and before.state < state:
        ids, lengths = _extended(connection, before.ids, before.lengths)
    if len(ids) * (1 - _STALE_SHARE) > chunks or not len(ids):
        ids, lengths = _extended(connection, ids[:0], lengths[:0])
    return KeywordState(state, ids, lengths, chunks, words)


def _extended(
    connection: sqlite3.Connection, ids: NDArray[np.int64], lengths: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """With the chunks whose numbers are higher than all of these."""
    last = int(ids[-1]) if len(ids) else 0
    numbers, sizes = connection.execute(
        "SELECT group_concat(id), group_concat(hex(sz), '') FROM keywords_docsize WHERE id > ?", (last,)
    ).fetchone()
    if numbers is None:
        return ids, lengths
    added = np.fromstring(numbers, np.int64, sep=",")
    added_lengths = _varints(bytes.fromhex(sizes)).astype(np.int32)
    return np.concatenate([ids, added]), np.concatenate([lengths, added_lengths])


def _varints(blob: bytes) -> NDArray[np.int64]:
    """Numbers in SQLite's variable-length form: seven bits a byte, the highest first, the last byte < 128."""
    bytes_: NDArray[Any] = np.frombuffer(blob, np.uint8)
    ends = np.flatnonzero(bytes_ < 128)
    starts = np.concatenate([[0], ends[:-1] + 1])[: len(ends)]
    values = np.zeros(len(ends), np.int64)
    for place in range(int((ends - starts).max(initial=-1)) + 1):
        there = starts + place <= ends
        values[there] = (values[there] << 7) | (bytes_[starts[there] + place] & 127)
    return values


def _quoted(word: str) -> str:
    return '"' + word.replace('"', '""') + '"'
