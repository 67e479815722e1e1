"""One measure of two runs: interval, permutation test, what could have been seen."""

from __future__ import annotations

import math

import numpy as np
import pytest

from eval.statistics import compare, holm
from eval.statistics.paired import FEWEST_MOVED, detectable, interval, permutation_p
from eval.statistics.simulation import promise, withheld


def test_a_plain_difference_is_found_and_told_in_full() -> None:
    a = [0.0, 0.5, 0.5, 0.0, 1.0, 0.0, 0.5, 0.0, 0.5, 0.0]
    b = [1.0, 0.5, 1.0, 0.5, 1.0, 1.0, 1.0, 0.5, 1.0, 0.5]
    found = compare(a, b)
    assert (found.n, found.wins, found.ties, found.losses) == (10, 8, 2, 0)
    assert found.difference == pytest.approx(0.5)
    assert 0 < found.low < 0.5 < found.high <= 1
    # Exact: of the 2^8 ways to swap the pairs that differ, two are as extreme.
    assert found.p == pytest.approx(2 / 2**8)
    assert found.certain


def test_the_same_runs_and_seeds_give_the_same_figures() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.random(60).round(1).tolist(), rng.random(60).round(1).tolist()
    assert compare(a, b, seed=5) == compare(a, b, seed=5)
    there, back = compare(a, b), compare(b, a)
    assert there.difference == -back.difference
    assert (there.wins, there.losses) == (back.losses, back.wins)


@pytest.mark.parametrize("n", [2, 3, 30])
def test_runs_that_agree_say_what_could_not_be_seen(n: int) -> None:
    found = compare([0.5] * n, [0.5] * n)
    assert found.p == 1
    assert not found.certain
    assert found.detectable is None
    assert (found.low, found.high) == pytest.approx((-min(1, 3 / n), min(1, 3 / n)))


def test_one_question_says_nothing() -> None:
    found = compare([0.0], [1.0])
    assert (found.low, found.high, found.p) == (-1, 1, 1)
    assert not found.certain
    assert compare([2.0], [9.0], span=9).high == 9


def test_unequal_or_empty_lists_are_refused() -> None:
    with pytest.raises(ValueError, match="equal length"):
        compare([1.0], [1.0, 2.0])
    with pytest.raises(ValueError, match="at least one"):
        compare([], [])


def test_detectable_falls_with_the_root_of_the_number() -> None:
    base = np.array([0.5, -0.5, 0.0, 1.0, -1.0, 0.0])
    few, many = detectable(base), detectable(np.tile(base, 4))
    assert few is not None
    assert many is not None
    assert few / many == pytest.approx(math.sqrt(23 / 5))


def test_nothing_smaller_is_promised_than_the_test_can_see() -> None:
    two_moved = np.zeros(56)
    two_moved[:2] = -0.2
    assert detectable(two_moved) == pytest.approx(6 / 56 * 0.2)
    just_enough, too_few = np.zeros(56), np.zeros(56)
    just_enough[:FEWEST_MOVED], too_few[: FEWEST_MOVED - 1] = 0.2, 0.2
    assert permutation_p(just_enough) <= 0.05 < permutation_p(too_few)
    assert detectable(np.array([1.0, 1.0, 0.0, 1.0, 1.0])) is None


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9, 0.8]) == [1, 1]
    assert holm([]) == []


def test_degenerate_resamples_leave_a_finite_interval() -> None:
    one_apart = np.array([0.0] * 39 + [1.0])
    low, high = interval(one_apart)
    assert math.isfinite(low)
    assert low <= 0 <= high
    assert permutation_p(one_apart) == 1


def test_a_strategy_against_itself_raises_few_false_alarms() -> None:
    """200 comparisons under other seeds; the full table is `python -m benchmarks.statistics`."""
    found = promise(60, 0.0, 200, seed=7, resamples=499)
    assert found.true == 0
    assert found.alarms <= 0.05
    assert found.covered >= 0.94


def test_the_interval_holds_the_true_difference() -> None:
    found = promise(40, 0.15, 200, seed=1, resamples=499)
    assert found.true == pytest.approx(0.13, abs=0.01)
    assert found.covered >= 0.94
    assert found.alarms > 0.4


def test_evidence_withheld_from_half_the_questions_is_found() -> None:
    recalls = np.random.default_rng(2).binomial(3, 0.7, 60) / 3
    worse, true = withheld(recalls, 0.5)
    found = compare(recalls.tolist(), worse.tolist())
    assert found.certain
    assert found.low <= true <= found.high < 0
