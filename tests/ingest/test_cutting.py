from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.cutting import best_cuts


def cost_of(begins: list[int], tokens: list[int], room: int, costs: list[float]) -> float:
    total = 0.0
    for begin, end in zip(begins, [*begins[1:], len(tokens)], strict=True):
        filled = sum(tokens[begin:end])
        if filled > room and end - begin > 1:
            return float("inf")
        total += (1 - min(1.0, filled / room)) ** 2 + (costs[begin] if begin else 0.0)
    return total


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 40), st.sampled_from([-0.7, 0.0, 0.15, 0.9])), min_size=1, max_size=9),
    st.integers(10, 60),
)
def test_no_way_of_cutting_is_cheaper(pieces: list[tuple[int, float]], room: int) -> None:
    tokens = [count for count, _ in pieces]
    costs = [cost for _, cost in pieces]
    got = best_cuts(tokens, [room] * len(tokens), costs)
    inner = range(1, len(tokens))
    ways = ([0, *way] for size in range(len(tokens)) for way in combinations(inner, size))
    assert got[0] == 0
    assert got == sorted(set(got))
    assert abs(cost_of(got, tokens, room, costs) - min(cost_of(w, tokens, room, costs) for w in ways)) < 1e-9


def test_nothing_to_cut() -> None:
    assert best_cuts([], [], []) == []


def test_a_piece_larger_than_its_room_stands_alone() -> None:
    assert best_cuts([5, 90, 5], [20, 20, 20], [0.0, 0.0, 0.0]) == [0, 1, 2]


def test_rest_is_spread_instead_of_left_as_a_crumb() -> None:
    begins = best_cuts([10] * 11, [100] * 11, [0.15] * 11)
    sizes = [end - begin for begin, end in zip(begins, [*begins[1:], 11], strict=True)]
    assert len(sizes) == 2
    assert min(sizes) >= 1
    assert max(sizes) <= 10
