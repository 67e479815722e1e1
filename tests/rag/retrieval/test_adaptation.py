from __future__ import annotations

import numpy as np
import pytest

from rag.retrieval.adaptation import Background


def unit(rows: np.ndarray) -> np.ndarray:
    return (rows / np.linalg.norm(rows, axis=-1, keepdims=True)).astype(np.float32)


def test_a_common_direction_decides_less() -> None:
    """Two 'languages' along the first axis: passages in the question's own came first, whatever they said."""
    rng = np.random.default_rng(5)
    topics = rng.normal(size=(300, 32))
    topics[:, 0] = np.where(np.arange(300) % 2, 4.0, -4.0)
    passages = unit(topics)
    background = Background.of(passages)
    before, after = [], []
    for wanted in range(0, 40, 2):
        question = topics[wanted] + 0.6 * rng.normal(size=32)
        question[0] = 4.0  # asked in the other language
        plain = unit(question)
        adapted = background.adapt(plain)
        assert np.linalg.norm(adapted) == pytest.approx(1, abs=1e-5)
        assert adapted.dtype == np.float32
        for ranks, vector in ((before, plain), (after, adapted)):
            ranks.append(int(np.sum(passages @ vector > passages[wanted] @ vector)))
    assert np.median(before) > 80
    assert np.median(after) < 8


@pytest.mark.parametrize("n", [0, 1, 7])
def test_too_few_passages_leave_the_question_alone(n: int) -> None:
    question = unit(np.ones(4))
    assert (Background.of(unit(np.eye(4)[np.arange(n) % 4])).adapt(question) == question).all()


def test_one_text_over_and_over_leaves_the_question_alone() -> None:
    question = unit(np.array([1.0, 2, 3, 4]))
    same = np.repeat(unit(np.ones((1, 4))), 20, axis=0)
    assert (Background.of(same).adapt(question) == question).all()


def test_the_same_sample_gives_the_same_vector() -> None:
    passages = unit(np.random.default_rng(1).normal(size=(50, 8)))
    question = unit(np.arange(1, 9, dtype=float))
    first, second = (Background.of(passages).adapt(question) for _ in range(2))
    assert (first == second).all()


def test_standard_scores_have_the_background_as_their_measure() -> None:
    passages = unit(np.random.default_rng(2).normal(size=(200, 8)))
    background = Background.of(passages)
    direction = unit(np.arange(1, 9, dtype=float))
    standard = background.standardised(direction, list(passages @ direction))
    assert np.mean(standard) == pytest.approx(0, abs=1e-4)
    assert np.std(standard) == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("n", [0, 1, 3])
def test_standard_scores_in_a_library_of_a_few_passages_stay_small(n: int) -> None:
    passages = unit(np.eye(4)[:n] + 1) if n else unit(np.ones((1, 4)))[:0]
    background = Background.of(passages)
    direction = unit(np.ones(4))
    scores = background.standardised(direction, list(passages @ direction))
    assert len(scores) == n
    assert all(abs(score) < 10 for score in scores)


def test_a_fit_passage_in_the_other_language_stands_out_among_its_own() -> None:
    rng = np.random.default_rng(4)
    rows = rng.normal(size=(200, 8)) * 0.3
    english = np.arange(200) % 2 == 0
    rows[:, 0] = np.where(english, 3.0, -3.0)
    rows[1, 1] = 3.0  # the one of the other language that fits
    passages = unit(rows)
    languages = ["en" if one else "zh" for one in english]
    direction = unit(np.array([1.0, 1, 0, 0, 0, 0, 0, 0]))
    scores = list(passages @ direction)
    background = Background.of(passages, languages)
    assert np.argmax(background.standardised(direction, scores)) != 1
    assert np.argmax(background.among_their_own(direction, scores, languages)) == 1


def test_without_languages_or_with_few_of_one_all_passages_are_the_measure() -> None:
    passages = unit(np.random.default_rng(2).normal(size=(40, 8)))
    direction = unit(np.arange(1, 9, dtype=float))
    scores = list(passages @ direction)
    plain = Background.of(passages).standardised(direction, scores)
    assert Background.of(passages).among_their_own(direction, scores, ["en"] * 40) == pytest.approx(plain)
    few = Background.of(passages, ["zh"] * 3 + ["en"] * 37)
    assert few.among_their_own(direction, scores, ["zh"] * 40) == pytest.approx(plain)
    nothing = Background.of(passages[:0])
    assert nothing.among_their_own(direction, [0.5], ["en"]) == [0.0]


def test_a_library_of_one_language_is_told_from_one_of_two() -> None:
    passages = unit(np.random.default_rng(4).normal(size=(40, 8)))
    mixed = Background.of(passages, ["zh"] * 30 + ["en"] * 10)
    chinese = Background.of(passages, ["zh"] * 39 + ["en"])
    assert mixed.speaks("en")
    assert not mixed.speaks_only("zh")
    assert chinese.speaks_only("zh")
    assert not chinese.speaks("en")
    assert not Background.of(passages).speaks_only("zh")
