"""How far two judges agree beyond chance.

Cohen's kappa: Educational and Psychological Measurement 20, 1960.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eval.judges.verdict import SUPPORTS, Support

FIT = 0.6
"""Kappa below which a judge is called unfit: "substantial" agreement begins there (Landis, Koch 1977)."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """pairs: how many were judged. confusion[label][verdict]: counts, both in the order of SUPPORTS."""

    pairs: int
    kappa: float
    confusion: tuple[tuple[int, ...], ...]

    @property
    def fit(self) -> bool:
        return self.kappa >= FIT


def agreement(labels: Sequence[Support], verdicts: Sequence[Support]) -> Agreement:
    """kappa = (agreement − agreement by chance) / (1 − agreement by chance); 1 if both always say the same
    one thing, 0 for no pairs."""
    counts = [[0] * len(SUPPORTS) for _ in SUPPORTS]
    for label, verdict in zip(labels, verdicts, strict=True):
        counts[SUPPORTS.index(label)][SUPPORTS.index(verdict)] += 1
    n = len(labels)
    if not n:
        return Agreement(0, 0.0, tuple(map(tuple, counts)))
    same = sum(counts[i][i] for i in range(len(SUPPORTS))) / n
    chance = sum(sum(counts[i]) * sum(row[i] for row in counts) for i in range(len(SUPPORTS))) / n**2
    kappa = 1.0 if chance == 1 else (same - chance) / (1 - chance)
    return Agreement(n, kappa, tuple(map(tuple, counts)))
