"""BM25 over the postings of the keyword index, with the constants and the result of SQLite's `bm25()`."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rag.library.postings import KeywordState
from rag.library.records import Hit

_K1, _B = 1.2, 0.75
COUNTED = 40_000
"""Reading how often a word stands in each chunk takes three times as long as reading where it stands."""
_LEAST = 1e-6
"""Inverse document frequency of a word that more than half of the chunks hold."""


def rarity(holding: int, chunks: int) -> float:
    """Inverse document frequency, ln((N − n + ½) / (n + ½)), at least `_LEAST`."""
    return max(math.log((max(chunks - holding, 0) + 0.5) / (holding + 0.5)), _LEAST)


def scores(
    state: KeywordState, connection: sqlite3.Connection, words: Sequence[str], counted: int = COUNTED
) -> NDArray[np.float64]:
    """Of every chunk of `state.ids`, 0 where it holds none of the words: the sum over the words of
    idf · count (k1 + 1) / (count + k1 (1 − b + b · length / mean length)).

    The counts are read of the rarest words, which decide, as long as no more than `counted` chunks hold them;
    a more frequent word counts once wherever it stands.
    """
    total = np.zeros(len(state.ids))
    read = 0
    for word in sorted(words, key=lambda word: len(state.holding(connection, word).rows)):
        rows, counts = state.holding(connection, word)
        read += len(rows)
        if counts is None and read <= counted:
            rows, counts = state.counted(connection, word)
        often = 1.0 if counts is None or read > counted else counts
        norm = _K1 * (1 - _B + _B * state.lengths[rows] / state.mean_length)
        total[rows] += rarity(len(rows), state.chunks) * (_K1 + 1) * often / (often + norm)
    return total


def best(
    state: KeywordState, scored: NDArray[np.float64], limit: int, inside: Sequence[int] | None = None
) -> list[Hit]:
    """Those with the highest scores above 0, equal ones in the order of their numbers.

    inside: only these chunks, by number.
    """
    rows = np.flatnonzero(scored)
    if inside is not None:
        rows = rows[np.isin(state.ids[rows], np.array(inside, np.int64))]
    if len(rows) > limit:
        # All that are as good as the last of the best: among equals the number decides.
        least = np.partition(scored[rows], len(rows) - limit)[len(rows) - limit]
        rows = rows[scored[rows] >= least]
    order = np.lexsort((rows, -scored[rows]))[:limit]
    return [Hit(int(state.ids[row]), float(scored[row])) for row in rows[order]]
