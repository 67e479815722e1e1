"""Questions longer than the model takes: every part of them counts, and nothing is refused."""

from __future__ import annotations

import numpy as np
import pytest

from rag.embedding.protocol import Embedder
from rag.errors import EmbeddingError

PUMP = "How long is the warranty of the pump in the north hall?"
LEAVE = "员工每年享有多少天带薪年假？"
LONG = {
    "en": "Somebody mentioned the machines of the hall, and a lot was said about it. " * 60 + PUMP,
    "zh": "上周的会议上有人提到了许多事情，大家讨论了很久。" * 110 + LEAVE,
    "one word": "a" * 4000,
    "signs": "\ufdfa" * 900,  # one character of these is eighteen in the model's eyes
    "emoji": "👩🏽‍🚒" * 700,
    "lines": "\n" * 3000 + PUMP,
}


@pytest.mark.parametrize("name", LONG)
def test_a_question_of_any_length_has_a_vector(embedder: Embedder, name: str) -> None:
    (vector,) = embedder.embed_queries([LONG[name]])
    np.testing.assert_allclose(np.linalg.norm(vector), 1, atol=1e-5)


def test_its_end_takes_part(embedder: Embedder) -> None:
    pump, leave, same = embedder.embed_queries([LONG["en"], LONG["en"].replace(PUMP, LEAVE), LONG["en"]])
    assert pump @ same == pytest.approx(1, abs=1e-5)
    assert pump @ leave < 0.9999


def test_short_ones_beside_it_are_as_alone(embedder: Embedder) -> None:
    vectors = embedder.embed_queries([PUMP, LONG["zh"], LEAVE, LONG["en"]])
    for index, text in enumerate([PUMP, LONG["zh"], LEAVE, LONG["en"]]):
        np.testing.assert_allclose(vectors[index], embedder.embed_queries([text])[0], atol=1e-5)


def test_a_passage_that_is_too_long_is_still_refused(embedder: Embedder) -> None:
    with pytest.raises(EmbeddingError, match="does not fit"):
        embedder.embed_passages([LONG["en"]])
