"""How early the gold quotes stand."""

from __future__ import annotations

import math

import pytest

from eval.ranking import ndcg, reciprocal_rank


def test_by_hand() -> None:
    assert reciprocal_rank([None, 4, 2], 8) == 0.5
    assert reciprocal_rank([9], 8) == 0
    assert reciprocal_rank([], 8) == 0
    assert ndcg([3], 8) == pytest.approx(0.5)
    assert ndcg([1, None], 8) == pytest.approx(1 / (1 + 1 / math.log2(3)))
    assert ndcg([1, 1], 8) == 1
    assert ndcg([9], 8) == 0
    assert ndcg([], 8) == 0
