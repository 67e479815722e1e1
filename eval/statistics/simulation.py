"""Whether the statistics keep their promises, tried on runs whose true difference is known.

A simulated data set has n questions with 1 to 5 facts each. Some questions are easy and some hard: the
chance that a run states a fact of the question is drawn from a U-shaped distribution (Beta(0.6, 0.6)). Two
runs of one strategy under different seeds draw from the same chances; a better strategy's are higher.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eval.statistics.paired import Paired, Values, compare

_SHAPE = 0.6
_MANY = 400_000


@dataclass(frozen=True, slots=True)
class Promise:
    """tries: simulated comparisons. alarms: share that spoke of a difference. covered: share of intervals
    that held the true difference. true: that difference."""

    questions: int
    true: float
    tries: int
    alarms: float
    covered: float


def promise(questions: int, shift: float, tries: int, *, seed: int = 0, resamples: int = 999) -> Promise:
    """Simulates `tries` comparisons of two strategies. shift: how much likelier the second states a fact
    (0: both are the same strategy under different seeds)."""
    rng = np.random.default_rng([seed, questions, round(1000 * shift)])
    true = _true_difference(shift)
    found = [_one(questions, shift, rng, resamples) for _ in range(tries)]
    return Promise(
        questions=questions,
        true=true,
        tries=tries,
        alarms=sum(one.certain for one in found) / tries,
        covered=sum(one.low <= true <= one.high for one in found) / tries,
    )


def withheld(recalls: Values, share: float, *, seed: int = 0) -> tuple[Values, float]:
    """A run whose evidence was withheld from `share` of its questions: nothing is stated there.

    Returns its recalls and the true mean difference.
    """
    rng = np.random.default_rng(seed)
    chosen = rng.permutation(len(recalls)) < round(share * len(recalls))
    worse = np.where(chosen, 0.0, recalls)
    return worse, float((worse - recalls).mean())


def _one(questions: int, shift: float, rng: np.random.Generator, resamples: int) -> Paired:
    a, b = _runs(questions, shift, rng)
    return compare(a.tolist(), b.tolist(), seed=int(rng.integers(2**31)), resamples=resamples)


def _runs(questions: int, shift: float, rng: np.random.Generator) -> tuple[Values, Values]:
    facts = rng.integers(1, 6, questions)
    chance = rng.beta(_SHAPE, _SHAPE, questions)
    better = np.clip(chance + shift, 0, 1)
    return rng.binomial(facts, chance) / facts, rng.binomial(facts, better) / facts


def _true_difference(shift: float) -> float:
    if not shift:
        return 0.0
    chance = np.random.default_rng(0).beta(_SHAPE, _SHAPE, _MANY)
    return float((np.clip(chance + shift, 0, 1) - chance).mean())
