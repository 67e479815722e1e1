"""Quarters, halves, months and fiscal years in any way of writing, in both languages."""

from __future__ import annotations

import pytest

from rag.answering.periods import periods
from rag.answering.unmentioned import unmentioned
from rag.records import Evidence


def evidence(text: str) -> list[Evidence]:
    return [
        Evidence(
            n=1, document="d", path="report.md", collection="c", text=text, start=0, end=len(text), pages=(),
            heading=(), score=1.0, tokens=9,
        )
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "number", "ways"),
    [
        ("quarter", 2, ["Q2", "q2 2023", "2Q23", "2023Q2", "Q2 FY2023", "the second quarter", "2nd quarter",
                        "第二季度", "二季度", "the second fiscal quarter", "Q2/2023", "2023-Q2"]),
        ("half", 1, ["H1", "H1 2024", "1H24", "the first half of 2024", "上半年", "2024年上半年"]),
        ("half", 2, ["H2", "the second half-year", "下半年"]),
        ("month", 9, ["Sept.", "Sep 2023", "September", "9月", "九月", "2023-09-14", "14.09.2023"]),
        ("month", 5, ["in May", "May 2023", "5 May", "5月", "五月"]),
        ("month", 12, ["Dec.", "12月", "十二月", "in December"]),
        ("year", 0, ["FY2023", "FY 23", "fiscal 2023", "2023财年", "2023财政年度"]),
    ],
)  # fmt: skip
def test_all_ways_are_one(kind: str, number: int, ways: list[str]) -> None:
    for way in ways:
        assert [(each.kind, each.number) for each in periods(way)] == [(kind, number)], way


@pytest.mark.parametrize(
    "text",
    ["You may leave.", "They march on.", "half of it", "a quarter of the price", "三个月", "3个月内", "SQ2",
     "H10", "each month", "the next quarter", "decide", "an august body", "Q5"],
)  # fmt: skip
def test_what_is_no_period(text: str) -> None:
    assert periods(text) == []


@pytest.mark.parametrize(
    ("question", "text", "missing"),
    [
        ("What was the revenue in Q2?", "Revenue of the second quarter: 4 million.", []),
        ("What was the revenue in Q2?", "第二季度营业收入为400万元。", []),
        ("What was the revenue in Q3?", "Revenue of the second quarter: 4 million.", ["Q3"]),
        ("What was the profit in the second half?", "The profit in H2 was 3 million.", []),
        ("What was the profit in H1 2023?", "The profit in the first half of 2023 was 3 million.", []),
        ("What was the profit in H1 2022?", "The profit in the first half of 2023 was 3.", ["H1 2022"]),
        ("What were sales in FY2023?", "Fiscal 2023 sales were 7 million.", []),
        ("What were sales in FY23?", "2023财年的销售额为700万元。", []),
        ("What were sales in FY2024?", "Fiscal 2023 sales were 7 million.", ["FY2024"]),
        ("What was sold in 2023?", "FY23 sales were 7 million.", []),
        ("When is the audit in September?", "The audit takes place on 2024-09-14.", []),
        ("When is the audit in Sept.?", "The audit takes place on 14 September.", []),
        ("When is the audit in October?", "The audit takes place on 14 September.", ["October"]),
        ("What did valve RV-12 do on 18 July 2024?", "2024-07-18 06:15:02 ERROR: valve RV-12 opened", []),
        ("7月18日安全阀怎么了？", "2024-07-18 06:15:02 ERROR: valve RV-12 opened", []),
        ("What did valve RV-12 do on 18 August?", "2024-07-18 06:15 valve RV-12 opened", ["August"]),
        ("二季度的收入是多少？", "Revenue in Q2 was 4 million.", []),
        ("第三季度的收入是多少？", "第二季度收入为400万元。", ["第三季度"]),
        ("9月的检查是哪天？", "The inspection takes place on 14 September.", []),
        ("上半年利润是多少？", "The profit in H1 was 3 million.", []),
        ("What was the revenue in the third quarter?", "July: 3, August: 4, September: 2.", []),
        ("What did Acme earn in Q2 2023?", "Globex earned 5 in the second quarter of 2023.", ["Acme"]),
    ],
)  # fmt: skip
def test_a_period_is_mentioned_in_any_way_of_writing(question: str, text: str, missing: list[str]) -> None:
    assert unmentioned(question, evidence(text)) == missing
