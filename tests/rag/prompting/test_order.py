from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rag.prompting.order import at_both_ends


@given(st.integers(0, 40))
def test_the_weaker_the_nearer_to_the_middle(count: int) -> None:
    order = at_both_ends(range(count))
    assert sorted(order) == list(range(count))
    from_the_ends = {item: min(place, count - 1 - place) for place, item in enumerate(order)}
    depths = [from_the_ends[item] for item in range(count)]
    assert depths == sorted(depths)
    assert order[:1] + order[-1:] == ([0, 1] if count > 1 else [0, 0] if count else [])
