"""Whoever asks in a language reads it: what says the same in it comes before what is written in another."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from rag.text.asking import without_asking
from rag.text.scripts import is_han

_SAYS = 0.55
"""Share of a question's telling words from which on a unit speaks of what is asked: half of them are there by
chance."""
_AFTER = 0.1
"""How far the best one in another language comes behind it then, at least;"""
_SAYS_ALL, _FAR_AFTER = 0.85, 0.6
"""where it says (nearly) all of that, so far: what the other language has is noise beside it."""
_ASKS = re.compile(
    r"[是有]?几个?[天月年周次人名条项种岁级分元]?|[是由让找]?谁(?:来|去)?|需要|应该|可以|一共|总共|[是有](?=\s|$)"
)
"""Chinese words that ask or order and are joined to the words beside them."""
_LIGHT = frozenset("的了是在和与为有及等将可以被把对于其该这那个们也都就还而或至由从向并者所之最大小多少每各")


def own_first(scores: Sequence[float], held: Sequence[float], abroad: Collection[int]) -> list[float]:
    """The scores with those of the units in another language lowered, all by as much, until the best of them
    is behind the best unit in the question's own, if that one speaks of what is asked.

    held: the share of the question's words that each unit has, lent ones included. A unit in another
    language that has more of them (a code, a name) than that one answers better, and nothing is lowered.

    >>> own_first([2.0, 1.5, 1.0], [0.0, 0.0, 0.6], [0, 1])
    [0.9, 0.4, 1.0]
    """
    own = max((i for i in range(len(scores)) if i not in abroad), key=lambda i: scores[i], default=None)
    foreign = max(abroad, key=lambda i: scores[i], default=None)
    if own is None or foreign is None or held[own] < max(_SAYS, *(held[i] for i in abroad)):
        return list(scores)
    behind = _FAR_AFTER if held[own] >= _SAYS_ALL else _AFTER
    lower = max(0.0, scores[foreign] + behind - scores[own])
    return [round(score - lower, 9) if i in abroad else score for i, score in enumerate(scores)]


def telling(question: str) -> str:
    """What of a question tells what it is about: a Chinese phrase that asks makes words with its neighbours
    (年假有几天: 假有, 有几) that no text has, and whose rarity would outweigh all the others. A question that
    consists of such phrases comes back as it is.

    >>> telling("年假有几天？").split(), telling("租车需要谁批准？").split()
    (['年假', '？'], ['租车', '批准？'])
    """
    cut = _ASKS.sub(" ", without_asking(question))
    return cut if any(map(str.isalnum, cut)) else question


def characters_held(question: str, text: str) -> float:
    """The share of a question's telling Chinese characters that a text has, 0 to 1; 0 if it has none.

    >>> characters_held("付款期限", "六十日内付清货款"), characters_held("How long?", "ten days")
    (0.5, 0.0)
    """
    asked = {char for char in question if is_han(char)} - _LIGHT
    return len(asked & set(text)) / len(asked) if asked else 0.0
