"""When several comparisons are made, one of them will look like a difference by luck."""

from __future__ import annotations

from collections.abc import Sequence


def holm(ps: Sequence[float]) -> list[float]:
    """The p values corrected for their number, in their order (Holm, Scandinavian J. of Statistics 6, 1979).

    Rejecting those that are still ≤ 0.05 makes a single false alarm among all of them at most 5 % likely.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(ps)), key=lambda index: ps[index])
    corrected = [0.0] * len(ps)
    least = 0.0
    for place, index in enumerate(order):
        least = max(least, min(1.0, (len(ps) - place) * ps[index]))
        corrected[index] = least
    return corrected
