from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.embedding.protocol import Embedder
from rag.library import Library
from rag.retrieval import retrieve
from rag.retrieval.adaptation import Background
from rag.retrieval.feedback import turn, turned
from rag.settings import Settings


def unit(rows: np.ndarray) -> np.ndarray:
    return (rows / np.linalg.norm(rows, axis=-1, keepdims=True)).astype(np.float32)


@given(st.floats(0, 1), st.floats(0, 1))
def test_the_more_the_words_say_the_less_it_turns(one: float, other: float) -> None:
    less, more = sorted((one, other))
    assert turn(0.0) >= turn(less) >= turn(more) >= turn(1.0) == 0.0


def test_what_is_like_the_nearest_passages_comes_nearer() -> None:
    """Passages about one topic of which only some are near to a blurred question."""
    rng = np.random.default_rng(3)
    topics = rng.normal(size=(12, 24))
    about = np.repeat(np.arange(12), 20)
    passages = unit(topics[about] + 0.9 * rng.normal(size=(240, 24)))
    background = Background.of(passages)
    before, after = [], []
    for topic in range(12):
        direction = background.adapt(unit(topics[topic] + 1.6 * rng.normal(size=24)))
        nearest = np.argsort(-(passages @ direction))[:3]
        again = turned(direction, passages[nearest], background, 0.3)
        assert np.linalg.norm(again) == pytest.approx(1, abs=1e-5)
        for found, vector in ((before, direction), (after, again)):
            found.append(int(np.sum(about[np.argsort(-(passages @ vector))[:20]] == topic)))
    assert sum(after) > sum(before) + 10


def test_a_step_of_nothing_and_a_library_of_a_few_passages_change_nothing() -> None:
    few = Background.of(unit(np.eye(4)))
    direction = unit(np.array([1.0, 2, 3, 4]))
    assert turned(direction, unit(np.eye(4))[:3], few, 0.3) is direction
    passages = unit(np.random.default_rng(1).normal(size=(40, 4)))
    many = Background.of(passages)
    assert turned(direction, passages[:3], many, 0.0) is direction


@pytest.mark.parametrize(
    ("question", "looks_again"),
    [
        ("How many days of annual leave do employees receive?", False),
        ("休年假有几天？How much holiday is there?", True),
    ],
)
def test_only_other_words_make_it_look_again(
    papers_settings: Settings, embedder: Embedder, question: str, looks_again: bool
) -> None:
    library = Library.open(papers_settings)
    found = retrieve(library, embedder, question, ["default"], limit=3, settings=papers_settings)
    library.close()
    assert found.passages
    assert ("feedback" in found.steps) is looks_again
