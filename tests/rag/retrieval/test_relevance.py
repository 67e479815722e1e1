from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from rag.retrieval.relevance import Signals, is_evidence

CLEAR = Signals(nearness=0.07, standing=3.0, meant=0.6, said=0.5, same_language=True)
FOREIGN = Signals(nearness=0.0, standing=0.0, meant=0.05, said=0.2, same_language=True)
SHARE = st.floats(0, 1)
SIGNALS = st.builds(Signals, st.floats(-0.1, 0.2), st.floats(-3, 9), SHARE, SHARE, st.booleans())


def test_clear_cases() -> None:
    assert is_evidence(CLEAR)
    assert not is_evidence(FOREIGN)


def test_a_code_that_stands_there_is_evidence() -> None:
    assert is_evidence(replace(FOREIGN, said=0.9))


def test_across_languages_words_cannot_tell() -> None:
    signals = replace(CLEAR, meant=0.0, said=0.0, same_language=False)
    assert is_evidence(signals)
    assert not is_evidence(replace(signals, nearness=-0.03, standing=-0.5))


@given(SIGNALS, SHARE, SHARE, st.floats(0, 5), st.floats(0, 0.2))
def test_more_support_never_takes_evidence_away(
    signals: Signals, meant: float, said: float, standing: float, nearness: float
) -> None:
    more = replace(
        signals,
        meant=max(signals.meant, meant),
        said=max(signals.said, said),
        standing=signals.standing + standing,
        nearness=signals.nearness + nearness,
    )
    assert is_evidence(more) or not is_evidence(signals)
