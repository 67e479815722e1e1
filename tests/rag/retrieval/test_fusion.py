from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from rag.retrieval.fusion import RANK_CONSTANT, Leg, fuse

ITEMS = st.lists(st.integers(0, 30), unique=True, max_size=20)
WEIGHT = st.floats(0, 4)
LEGS = st.lists(st.builds(Leg, ITEMS, WEIGHT), max_size=4)


def items(fused: list[tuple[int, float]]) -> list[int]:
    return [item for item, _ in fused]


def test_reciprocal_ranks_by_hand() -> None:
    fused = fuse([Leg(["a", "b"]), Leg(["b", "c"])], constant=1)
    assert [item for item, _ in fused] == ["b", "a", "c"]
    expected = {"b": (1 / 3 + 1 / 2) / 2, "a": 1 / 2 / 2, "c": 1 / 3 / 2}
    assert all(math.isclose(score, expected[item]) for item, score in fused)


def test_nothing_to_fuse() -> None:
    assert fuse([]) == []
    assert fuse([Leg([]), Leg([1], weight=0)]) == []


@given(ITEMS, WEIGHT.filter(bool))
def test_one_leg_alone_keeps_its_order_whatever_its_weight(ranked: list[int], weight: float) -> None:
    assert items(fuse([Leg(ranked, weight)])) == ranked


@given(ITEMS, st.lists(st.just(Leg([], 1.0)), max_size=3), WEIGHT.filter(bool))
def test_empty_legs_bring_no_penalty(ranked: list[int], empty: list[Leg[int]], weight: float) -> None:
    assert fuse([Leg(ranked, weight), *empty]) == fuse([Leg(ranked)])


@given(ITEMS, ITEMS)
def test_an_unbelieved_leg_says_nothing(ranked: list[int], other: list[int]) -> None:
    assert items(fuse([Leg(ranked), Leg(other, 0.0)])) == ranked


@given(LEGS)
def test_every_item_once_best_first_within_bounds(legs: list[Leg[int]]) -> None:
    fused = fuse(legs)
    heard = [leg for leg in legs if leg.items and leg.weight > 0]
    assert sorted(items(fused)) == sorted({item for leg in heard for item in leg.items})
    scores = [score for _, score in fused]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 / (RANK_CONSTANT + 1) * (1 + 1e-9) for score in scores)


@given(st.lists(st.integers(0, 20), unique=True, min_size=2, max_size=12), WEIGHT, WEIGHT)
def test_legs_that_agree_are_obeyed(ranked: list[int], first: float, second: float) -> None:
    if first or second:
        assert items(fuse([Leg(ranked, first), Leg(ranked, second)])) == ranked


@given(LEGS)
def test_better_in_every_leg_is_better(legs: list[Leg[int]]) -> None:
    ranks = [
        {item: rank for rank, item in enumerate(leg.items)} for leg in legs if leg.items and leg.weight > 0
    ]
    fused = items(fuse(legs))
    for place, item in enumerate(fused):
        for later in fused[place + 1 :]:
            assert not all(rank.get(later, 99) < rank.get(item, 99) for rank in ranks)
