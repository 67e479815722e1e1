"""Joining the legs of the search: one score for every candidate, in standard deviations of meaning.

Reciprocal ranks (Cormack, Clarke and Büttcher, SIGIR 2009) throw away how much better the first of a
list is than the second, and with it which leg knows the answer. A sum of comparable scores keeps it
(S. Bruch, S. Gai and A. Ingber, "An analysis of fusion functions for hybrid retrieval", TOIS 42, 2023):
how far a passage stands out in meaning from all passages, and which part of the most that any passage
could say of the question's words this one says. When no passage says much of them, the question is in
other words or in another language, and the keyword leg falls silent of itself.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TypeVar

Item = TypeVar("Item", bound=Hashable)
Place = tuple[str, int]
"""A chunk's document and its ordinal there."""

WORDS_WORTH = 12.0
"""Standard deviations of meaning that saying all of the question's words is worth."""
NEIGHBOUR_SHARE = 0.2
"""How much of its better neighbour's lead a passage gets: an answer often goes on beside it."""


def weigh(meaning: Mapping[Item, float], said: Mapping[Item, float]) -> dict[Item, float]:
    """The score of every item of either leg: meaning + WORDS_WORTH · said.

    meaning: standard scores of the dense leg's items; one that the dense leg does not name has at most
    its lowest. said: the keyword leg's scores as shares of their maximum, 0 to 1; 0 for the others.
    """
    lowest = min(meaning.values(), default=0.0)
    return {
        item: meaning.get(item, lowest) + WORDS_WORTH * said.get(item, 0.0)
        for item in dict.fromkeys([*meaning, *said])
    }


def lifted(scores: Mapping[Item, float], places: Mapping[Item, Place]) -> dict[Item, float]:
    """Each score s, or (1 − w) s + w t if the better neighbour's score t is higher; w = NEIGHBOUR_SHARE.

    Neighbours are the candidates just before and behind in the same document.
    """
    at = {places[item]: score for item, score in scores.items()}

    def raised(item: Item, score: float) -> float:
        document, ordinal = places[item]
        beside = max(at.get((document, ordinal + step), score) for step in (-1, 1))
        return score + NEIGHBOUR_SHARE * max(0.0, beside - score)

    return {item: raised(item, score) for item, score in scores.items()}
