"""Whoever asks in a language reads it: what says the same in it comes before what is written in another."""

from __future__ import annotations

from collections.abc import Collection, Sequence

_SAYS = 0.25
"""Share of a question's words from which on a unit speaks of what is asked."""
_AFTER = 0.1
"""How far the best one in another language comes behind it then, at least;"""
_SAYS_ALL, _FAR_AFTER = 0.85, 0.6
"""where it says (nearly) all of that, so far: what the other language has is noise beside it."""


def own_first(scores: Sequence[float], held: Sequence[float], abroad: Collection[int]) -> list[float]:
    """The scores with those of the units in another language lowered, all by as much, until the best of them
    is behind the best unit in the question's own, if that one speaks of what is asked.

    held: the share of the question's words that each unit has, lent ones included. A unit in another
    language that has more of them (a code, a name) than that one answers better, and nothing is lowered.

    >>> own_first([2.0, 1.5, 1.0], [0.0, 0.0, 0.5], [0, 1])
    [0.9, 0.4, 1.0]
    """
    own = max((i for i in range(len(scores)) if i not in abroad), key=lambda i: scores[i], default=None)
    foreign = max(abroad, key=lambda i: scores[i], default=None)
    if own is None or foreign is None or held[own] < max(_SAYS, *(held[i] for i in abroad)):
        return list(scores)
    behind = _FAR_AFTER if held[own] >= _SAYS_ALL else _AFTER
    lower = max(0.0, scores[foreign] + behind - scores[own])
    return [round(score - lower, 9) if i in abroad else score for i, score in enumerate(scores)]
