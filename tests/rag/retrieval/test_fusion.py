from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.retrieval.fusion import NEIGHBOUR_SHARE, WORDS_WORTH, lifted, weigh

ITEM = st.integers(0, 12)
MEANING = st.dictionaries(ITEM, st.floats(-5, 12), max_size=8)
SAID = st.dictionaries(ITEM, st.floats(0, 1), max_size=8)


def test_a_sum_by_hand() -> None:
    scores = weigh({"a": 4.0, "b": 1.0}, {"b": 0.5, "c": 0.25})
    assert scores == {"a": 4.0, "b": 1.0 + 0.5 * WORDS_WORTH, "c": 1.0 + 0.25 * WORDS_WORTH}
    assert weigh({}, {}) == {}


@given(MEANING)
def test_without_words_meaning_alone_decides(meaning: dict[int, float]) -> None:
    assert weigh(meaning, {}) == meaning


@given(SAID)
def test_without_meaning_words_alone_decide(said: dict[int, float]) -> None:
    scores = weigh({}, said)
    assert sorted(scores, key=scores.__getitem__) == sorted(said, key=said.__getitem__)


@given(MEANING, SAID)
def test_better_in_both_is_better(meaning: dict[int, float], said: dict[int, float]) -> None:
    scores = weigh(meaning, said)
    assert scores.keys() == meaning.keys() | said.keys()
    for one in meaning:
        for other in meaning:
            if meaning[one] > meaning[other] and said.get(one, 0) >= said.get(other, 0):
                assert scores[one] > scores[other] or meaning[one] - meaning[other] < 1e-9


def test_a_neighbour_lifts_and_nobody_is_pushed_down() -> None:
    scores = {"a": 5.0, "b": 1.0, "c": 1.0, "far": 1.0}
    places = {"a": ("doc", 3), "b": ("doc", 4), "c": ("other", 4), "far": ("doc", 5)}
    after = lifted(scores, places)
    assert after["b"] == pytest.approx(1.0 + 4.0 * NEIGHBOUR_SHARE)
    assert {name: after[name] for name in ("a", "c", "far")} == {"a": 5.0, "c": 1.0, "far": 1.0}


@given(MEANING)
def test_lifting_keeps_the_best_and_stays_below_it(scores: dict[int, float]) -> None:
    after = lifted(scores, {item: ("doc", item) for item in scores})
    assert after.keys() == scores.keys()
    assert all(scores[item] <= after[item] <= max(scores.values()) + 1e-9 for item in scores)
