"""Joining ranked lists: reciprocal ranks, weighted by how far each leg can be believed."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Item = TypeVar("Item", bound=Hashable)

RANK_CONSTANT = 10
"""k of Cormack, Clarke and Büttcher, "Reciprocal rank fusion outperforms Condorcet and individual rank
learning methods" (SIGIR 2009), where an item scores Σ 1 / (k + rank) with k = 60. With two legs of which
one is often wrong, a smaller k, which lets the first ranks of the right one stand, found as much or more."""


@dataclass(frozen=True)
class Leg(Generic[Item]):
    """One ranked list, best first, without repeats. A weight of 0 says that it is not to be believed."""

    items: Sequence[Item]
    weight: float = 1.0


def fuse(legs: Sequence[Leg[Item]], *, constant: float = RANK_CONSTANT) -> list[tuple[Item, float]]:
    """All items of legs with a weight, best first, each with Σ weight / (constant + rank), ranks from 1.

    The weights are scaled to a sum of 1 over the legs that have items, so an empty leg takes nothing
    away. Items of equal score keep the order in which the legs name them.
    """
    heard = [leg for leg in legs if leg.items and leg.weight > 0]
    total = sum(leg.weight for leg in heard)
    scores: dict[Item, float] = {}
    for leg in heard:
        for rank, item in enumerate(leg.items, start=1):
            scores[item] = scores.get(item, 0.0) + leg.weight / total / (constant + rank)
    return sorted(scores.items(), key=lambda pair: -pair[1])
