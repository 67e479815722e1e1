"""How much of a question the words of a text cover, each word counted by its rarity in the library."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from rag.text.asking import ASKING
from rag.text.stemming import stem
from rag.text.words import words

if TYPE_CHECKING:
    from rag.library import WordStatistics
    from rag.records import Chunk

_DEEP = 5
"""How many of the best hits are looked at."""


_ORDINARY = 100
"""Imagined passages of ordinary prose that are counted with the library's own.

In a library of few passages chance decides which words occur; "how" and "many" could be its rarest.
"""


def rarities(statistics: WordStatistics) -> dict[str, float]:
    """Inverse document frequency of each word as in BM25, ln(1 + (N − n + ½) / (n + ½)).

    N and n count `_ORDINARY` passages too, all of which have the words that ask and none the others.
    A word that occurs nowhere is the rarest of all.
    """
    total = statistics.chunks + _ORDINARY
    counted = {
        word: n + (_ORDINARY if word in ASKING else 0) for word, n in statistics.document_frequency.items()
    }
    return {word: math.log(1 + (max(total - n, 0) + 0.5) / (n + 0.5)) for word, n in counted.items()}


def coverage(rarity: Mapping[str, float], texts: Iterable[str]) -> float:
    """Share of the question's words, by rarity, that the best of `texts` holds: 0 to 1; 0 without words."""
    total = sum(rarity.values())
    if total <= 0:
        return 0.0
    best = 0.0
    for text in texts:
        there = {stem(word) for word in words(text)}
        best = max(best, sum(weight for word, weight in rarity.items() if stem(word) in there))
    return best / total


def texts_of(chunks: Sequence[Chunk], paths: Mapping[int, Sequence[tuple[str, str]]]) -> list[str]:
    """What the keyword index knows of the first few chunks: name, headings and text."""
    return [
        "\n".join([*(path for _, path in paths.get(chunk.id, ())[:1]), *chunk.heading, chunk.text])
        for chunk in chunks[:_DEEP]
    ]
