"""In which order the evidence stands in the prompt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")


def at_both_ends(items: Sequence[Item]) -> list[Item]:
    """The strongest first, the second strongest last, and so on towards the weakest in the middle.

    items: best first. Models read the two ends of a long context better than its middle (N. F. Liu et al.,
    "Lost in the middle", TACL 12, 2024). The numbers that were given by strength stay with their evidence.

    >>> at_both_ends([1, 2, 3, 4, 5])
    [1, 3, 5, 4, 2]
    """
    return [*items[::2], *items[1::2][::-1]]
