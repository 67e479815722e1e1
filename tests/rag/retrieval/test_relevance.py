from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from rag.retrieval.relevance import Signals, is_evidence, needed

CLEAR = Signals(nearness=0.06, standing=3.5, meant=0.6, said=0.5, language="en", spoken=True, passages=2_000)
FOREIGN = replace(CLEAR, nearness=0.0, standing=2.5, meant=0.05, said=0.2)
SHARE = st.floats(0, 1)
LANGUAGE = st.sampled_from(["en", "zh"])
SIGNALS = st.builds(
    Signals,
    st.floats(-0.1, 0.2),
    st.floats(-3, 9),
    SHARE,
    SHARE,
    LANGUAGE,
    st.booleans(),
    st.integers(1, 10**6),
    st.none(),
    st.booleans(),
    st.booleans(),
)


def test_clear_cases() -> None:
    for signals in (CLEAR, replace(CLEAR, language="zh")):
        assert is_evidence(signals)
    for signals in (FOREIGN, replace(FOREIGN, language="zh"), replace(FOREIGN, passages=10)):
        assert not is_evidence(signals)


def test_a_code_that_stands_there_is_evidence() -> None:
    assert is_evidence(replace(FOREIGN, said=0.9))


def test_a_name_that_none_of_the_passages_has_weighs_against_them() -> None:
    middling = replace(CLEAR, nearness=0.04, meant=0.35)
    assert is_evidence(middling)
    assert not is_evidence(replace(middling, unnamed=True))
    assert is_evidence(replace(CLEAR, nearness=0.08, unnamed=True))  # it does not decide alone


def test_without_passages_in_its_language_a_question_needs_no_words() -> None:
    signals = replace(CLEAR, nearness=0.01, meant=0.0, said=0.0)
    assert not is_evidence(signals)
    assert is_evidence(replace(signals, spoken=False))
    assert not is_evidence(replace(signals, spoken=False, nearness=-0.03))


def test_a_small_library_is_asked_for_less_and_a_huge_one_for_no_more() -> None:
    assert needed("en", 10) < needed("en", 100) < needed("en", 1_000) == needed("en", 10**6)
    assert needed("en", 0) == needed("en", 1)
    assert needed("zh", 1_000) < needed("en", 1_000)
    assert needed("zh", 1_000, alone=True) < needed("zh", 1_000)
    assert needed("zh", 100, alone=True) == needed("zh", 100)


@given(SIGNALS, SHARE, SHARE, st.floats(0, 5), st.floats(0, 0.2), st.integers(1, 10**6))
def test_more_support_never_takes_evidence_away(
    signals: Signals, meant: float, said: float, standing: float, nearness: float, passages: int
) -> None:
    more = replace(
        signals,
        meant=max(signals.meant, meant),
        said=max(signals.said, said),
        standing=signals.standing + standing,
        nearness=signals.nearness + nearness,
        passages=min(signals.passages, passages),
        unnamed=False,
    )
    assert is_evidence(more) or not is_evidence(signals)


def test_a_model_that_reads_is_shown_the_doubtful_but_not_the_foreign() -> None:
    doubtful = replace(CLEAR, nearness=0.02, standing=3.0, meant=0.35)
    assert not is_evidence(doubtful)
    assert is_evidence(doubtful, doubtful=True)
    assert not is_evidence(FOREIGN, doubtful=True)


def test_what_is_near_in_another_language_is_for_a_model_to_judge() -> None:
    abroad = replace(FOREIGN, abroad=0.03)
    assert not is_evidence(abroad)
    assert is_evidence(abroad, doubtful=True)
    assert not is_evidence(replace(abroad, abroad=-0.03), doubtful=True)


@given(SIGNALS)
def test_who_reads_is_shown_all_that_others_are(signals: Signals) -> None:
    assert is_evidence(signals, doubtful=True) or not is_evidence(signals)
