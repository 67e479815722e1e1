from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.retrieval.named import apart, fairly

PATHS = {
    "acme": "reports/Acme_Pumps_annual_report.docx",
    "acme finance": "reports/Acme_Finance_annual_report.docx",
    "norfolk": "Norfolk 2023.pdf",
    "leave": "规章/年假管理规定.md",
    "travel": "规章/差旅报销办法.docx",
    "minutes": "minutes.txt",
    "2024": "2024.xlsx",
}


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("Compare Acme Pumps in 2021 with Norfolk.", [{"acme"}, {"norfolk"}]),
        ("Norfolk or acme pumps: which has more pumps?", [{"norfolk"}, {"acme"}]),
        # One name in another's place counts for the longer one alone, and twice is not two.
        ("What did Acme Pumps earn?", []),
        ("Acme Pumps, Acme Pumps and Acme Pumps", []),
        ("Compare Acme Pumps and Acme Finance.", [{"acme"}, {"acme finance"}]),
        ("Which annual report is the longer one?", []),
        ("年假管理和差旅报销各由谁批准？", [{"leave"}, {"travel"}]),
        ("年假和差旅各由谁批准？", []),
        ("Do the minutes say what the NORFOLK offer says?", [{"minutes"}, {"norfolk"}]),
        ("What changed from 2023 to 2024?", []),
        ("", []),
    ],
)
def test_documents_that_a_question_names(question: str, named: list[set[str]]) -> None:
    assert apart(question, PATHS) == named


def test_names_that_begin_alike_share_a_place() -> None:
    paths = {1: "acme pumps 2020.pdf", 2: "acme pumps 2021.pdf", 3: "norfolk offer.pdf"}
    assert apart("Is Acme Pumps cheaper than the Norfolk offer?", paths) == [{1, 2}, {3}]


def test_each_that_is_named_has_its_share() -> None:
    ranked = ["a1", "a2", "a3", "a4", "a5", "a6", "c1", "b1", "b2", "b3"]
    taken = fairly(ranked, lambda item: item[0], [{"a"}, {"b"}], 8)
    assert taken == ["a1", "a2", "a3", "a4", "a5", "a6", "b1", "b2"]
    assert fairly(ranked, lambda item: item[0], [], 3) == ["a1", "a2", "a3"]
    assert fairly(ranked, lambda item: item[0], [{"a"}, {"z"}], 2) == ["a1", "a2"]


@given(
    st.lists(st.sampled_from("abcd"), max_size=30),
    st.lists(st.sets(st.sampled_from("abc"), min_size=1), max_size=3),
    st.integers(1, 12),
)
def test_order_and_number_are_kept(documents: list[str], named: list[set[str]], most: int) -> None:
    ranked = list(enumerate(documents))
    taken = fairly(ranked, lambda item: item[1], named, most)
    assert taken == sorted(taken)
    assert len(taken) == min(most, len(ranked)) == len(set(taken))
    if named and most >= 2 * len(named):
        share = most // (2 * len(named))
        for keys in named:
            own = [item for item in ranked if item[1] in keys]
            assert set(own[:share]) <= set(taken)
