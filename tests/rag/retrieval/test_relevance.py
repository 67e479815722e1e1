from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from rag.retrieval.relevance import Signals, is_evidence

CLEAR = Signals(standing=6.0, meant=0.6, said=0.5, passages=1000, same_language=True)
FOREIGN = Signals(standing=3.7, meant=0.05, said=0.2, passages=1000, same_language=True)
SHARE = st.floats(0, 1)
SIGNALS = st.builds(
    Signals, st.none() | st.floats(-1, 15), SHARE, SHARE, st.integers(0, 1_000_000), st.booleans()
)


def test_clear_cases() -> None:
    assert is_evidence(CLEAR)
    assert not is_evidence(FOREIGN)


def test_the_same_standing_says_less_in_a_larger_library() -> None:
    signals = Signals(standing=3.6, meant=0.2, said=0.2, passages=24, same_language=True)
    assert is_evidence(signals)
    assert not is_evidence(replace(signals, passages=10_000))


def test_words_cannot_tell_across_languages() -> None:
    signals = Signals(standing=3.6, meant=0.0, said=0.0, passages=1000, same_language=False)
    assert is_evidence(signals)
    assert not is_evidence(replace(signals, same_language=True))
    assert not is_evidence(replace(signals, standing=2.0))


def test_a_code_that_stands_there_is_evidence() -> None:
    assert is_evidence(replace(FOREIGN, said=0.9))


def test_a_library_of_a_few_passages_goes_by_words() -> None:
    few = Signals(standing=None, meant=0.5, said=0.5, passages=3, same_language=True)
    assert is_evidence(few)
    assert not is_evidence(replace(few, meant=0.1))
    assert is_evidence(replace(few, meant=0.0, same_language=False))


@given(SIGNALS, SHARE, SHARE, st.floats(0, 5))
def test_more_support_never_takes_evidence_away(
    signals: Signals, meant: float, said: float, standing: float
) -> None:
    more = replace(
        signals,
        meant=max(signals.meant, meant),
        said=max(signals.said, said),
        standing=None if signals.standing is None else signals.standing + standing,
    )
    assert is_evidence(more) or not is_evidence(signals)
