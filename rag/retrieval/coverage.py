"""How much of a question the words of a text cover, each word counted by its rarity in the library."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from rag.text.asking import ASKING
from rag.text.holding import held
from rag.text.words import words

if TYPE_CHECKING:
    from rag.glossary import Named
    from rag.library import Hit, WordStatistics
    from rag.records import Chunk

_DEEP = 5
"""How many of the best hits are looked at."""

_ORDINARY = 100
"""Imagined passages of ordinary prose that are counted with the library's own.

In a library of few passages chance decides which words occur; "how" and "many" could be its rarest.
"""

_MOST_OFTEN = 2.2
"""k1 + 1 of BM25 with k1 = 1.2 (SQLite's): what a word's weight is multiplied with at the very most."""


def telling(asked: Iterable[str]) -> list[str]:
    """The words of a question that tell rather than ask; all of them if it has no others."""
    once = list(dict.fromkeys(asked))
    return [word for word in once if word not in ASKING] or once


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


def said_shares(hits: Sequence[Hit], statistics: WordStatistics) -> dict[int, float]:
    """The keyword leg's scores as shares of the most that BM25 gives for these words, 0 to 1.

    That is what a passage would have that says each word without end; words that occur nowhere count,
    so a question in other words than the library's has low shares throughout.
    """
    most = sum(
        max(math.log((statistics.chunks - n + 0.5) / (n + 0.5)), 0.0)
        for n in statistics.document_frequency.values()
    )
    return {hit.chunk_id: min(1.0, hit.score / (_MOST_OFTEN * most)) if most > 0 else 0.0 for hit in hits}


def words_for(named: Sequence[Named]) -> dict[str, list[frozenset[str]]]:
    """Word of a name → the words of each other name, all of which say the same as it."""
    found: dict[str, list[frozenset[str]]] = defaultdict(list)
    for thing in named:
        for word in words(thing.name):
            found[word] += [frozenset(words(other)) for other in thing.others]
    return dict(found)


def held_words(
    rarity: Mapping[str, float],
    texts: Iterable[str],
    standing_for: Mapping[str, Sequence[frozenset[str]]] = MappingProxyType({}),
) -> list[set[str]]:
    """Which of the question's words each of the texts holds.

    standing_for: word → sets of words, each of which holds for it if a text has all of them.
    """
    looked_for = {*rarity, *(word for others in standing_for.values() for other in others for word in other)}

    def said(text: str) -> set[str]:
        found = held(looked_for, text, inflected=True)
        return {
            word
            for word in rarity
            if word in found or any(other <= found for other in standing_for.get(word, ()))
        }

    return [said(text) for text in texts]


def share(rarity: Mapping[str, float], held: Collection[str]) -> float:
    """Share of the question's words, by rarity, that are held: 0 to 1; 0 without words."""
    total = sum(rarity.values())
    return sum(rarity[word] for word in held) / total if total > 0 else 0.0


def best_share(rarity: Mapping[str, float], texts: Iterable[Collection[str]]) -> float:
    """The `share` of the best of the texts, each given by the words that it holds; 0 without texts."""
    return max((share(rarity, held) for held in texts), default=0.0)


def texts_of(
    chunks: Sequence[Chunk], paths: Mapping[int, Sequence[tuple[str, str]]], *, deep: int = _DEEP
) -> list[str]:
    """What is known of the first few chunks: name, headings and text."""
    return [
        "\n".join(
            [
                *(path for _, path in paths.get(chunk.id, ())[:1]),
                *chunk.heading,
                chunk.table_header,
                chunk.text,
            ]
        )
        for chunk in chunks[:deep]
    ]
