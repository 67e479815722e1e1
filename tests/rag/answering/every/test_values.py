"""Which documents a limit chooses, by the one number that each of them gives."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.answering.days import days_in, without_days
from rag.answering.every.documents import Paper
from rag.answering.every.merging import shown_rows, told
from rag.answering.every.said import Said
from rag.answering.every.values import chosen, tells, value_of
from rag.answering.tables.thresholds import compared_with

MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September", "October"),
    *("November", "December"),
)


def said(path: str, text: str) -> Said:
    return Said(Paper(path, path, "all"), text)


SHOPS = [
    said("第08门店.txt", "第08门店周报：“本周销售额为12万元。店员4人。” [1]"),
    said("第12门店.txt", "第12门店周报：“本周销售额为7万元。店员12人。” [2]"),
    said("第20门店.txt", "第20门店周报：“本周销售额为31万元。店员9人。” [3]"),
    said("说明.txt", "“每周一报送。” [4]"),
]
OVENS = [
    said("oven-1.csv", "Oven: 1; Day: 2026-02-01; Pressure bar: 900; Heat C: 180 [1]"),
    said("oven-2.csv", "Oven: 2; Day: 2026-02-01; Pressure bar: 20; Heat C: 260 [2]"),
    said("oven-3.csv", "Oven: 3; Day: 2026-02-01; Pressure bar: 30; Heat C: 200 [3]"),
]


def test_a_limit_with_its_unit() -> None:
    found = chosen(SHOPS, "销售额超过10万元的门店有哪些？")
    assert found is not None
    assert [each.paper.path for each in found.meeting] == ["第08门店.txt", "第20门店.txt"]
    assert [each.paper.path for each in found.failing] == ["第12门店.txt"]
    assert [each.paper.path for each in found.open] == ["说明.txt"]


def test_the_table_at_the_end_has_those_that_meet_it_and_says_how_many_do_not() -> None:
    question = "Which ovens have a heat over 190 C?"
    assert [each.paper.path for each in shown_rows(OVENS, question)] == ["oven-2.csv", "oven-3.csv"]
    below = told(OVENS, question, "en", total=3, limit=None)
    assert "**2** of 3" in below
    assert "**1** do not and are not in the table: oven-1.csv" in below
    zh = told(SHOPS, "哪些门店的销售额不超过10万元？", "zh", total=4, limit=None)
    assert "3 份中有 **1** 份" in zh
    assert "**2** 份不符合" in zh


@pytest.mark.parametrize(
    "question",
    [
        "How much is the penalty if the delay exceeds 30 days?",
        "迟延超过30天的，违约金是多少？",
        "What is the heat of each oven?",
    ],
)
def test_a_limit_that_is_a_case_chooses_nothing(question: str) -> None:
    assert chosen(OVENS, question) is None
    assert shown_rows(OVENS, question) == OVENS


def test_the_cell_that_is_asked_for() -> None:
    assert [value_of(each, "pressure over 25 bar") for each in OVENS] != [
        value_of(each, "heat over 25") for each in OVENS
    ]
    number = value_of(OVENS[0], "Which ovens have a pressure over 25 bar?")
    assert number is not None
    assert number.value == 900


@pytest.mark.parametrize(
    ("question", "limit", "in_column"),
    [
        ("销售额超过10万元", 100_000, 10),
        ("revenue over EUR 1.5 million", 1_500_000, Decimal("1.5")),
        ("at least 5k visitors", 5000, 5),
        ("over 500.", 500, 500),
    ],
)
def test_a_limit_in_thousands(question: str, limit: int, in_column: int) -> None:
    found = compared_with(question)
    assert found is not None
    assert found.limit == limit
    assert found.in_column("Revenue (million EUR), 万元, k").limit == in_column
    assert found.in_column("Revenue").limit == limit


LEASES = [
    said("lease ash.txt", "“Term: 18 months, from 1 May 2025 to 31 October 2026.” [1]"),
    said("lease elm.txt", "“Term: 4 years, from 2024-02-01 to 2028-01-31.” [2]"),
    said("lease oak.txt", "“The tenant may leave with 90 days' notice.” [3]"),
    said("租约.txt", "“租期36个月，自2023年7月1日起至2026年6月30日止。” [4]"),
]


@pytest.mark.parametrize(
    ("question", "meeting", "open_"),
    [
        ("Which leases are longer than 24 months?", ["lease elm.txt", "租约.txt"], ["lease oak.txt"]),
        ("List the leases of at least 4 years.", ["lease elm.txt"], ["lease oak.txt"]),
        ("Which leases expire before 1 January 2027?", ["lease ash.txt", "租约.txt"], ["lease oak.txt"]),
        ("Which leases start after March 2024?", ["lease ash.txt"], ["lease oak.txt"]),
        ("哪些租约在2026年9月前到期？", ["租约.txt"], ["lease oak.txt"]),
        ("租期24个月以上的租约有哪些？", ["lease elm.txt", "租约.txt"], ["lease oak.txt"]),
    ],
)
def test_lengths_of_time_and_days_choose(question: str, meeting: list[str], open_: list[str]) -> None:
    found = chosen(LEASES, question)
    assert found is not None
    assert [each.paper.path for each in found.meeting] == meeting
    assert [each.paper.path for each in found.open] == open_
    assert len(found.failing) == 4 - len(meeting) - len(open_)


def test_days_are_told_as_such() -> None:
    question = "Which leases expire before 1 January 2027?"
    assert "**2** of 3 have a day before 1 january 2027" in told(LEASES, question, "en", total=4, limit=None)
    assert "3 份中有 **1** 份符合“2026年9月前”" in told(
        LEASES, "哪些租约在2026年9月前到期？", "zh", total=4, limit=None
    )


@pytest.mark.parametrize(
    ("text", "tells_it"),
    [
        ("Term: 36 months", True),
        ("with 60 days' notice", False),
        ("since 2024", False),
        ("Term: 3 years", True),
    ],
)
def test_which_sentence_tells_what_is_compared(text: str, tells_it: bool) -> None:
    assert tells(text, "Which contracts run longer than 24 months?") is tells_it


@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)))
def test_days_are_read_in_every_way_of_writing(day: date) -> None:
    ways = [
        day.isoformat(),
        f"{day.year}年{day.month}月{day.day}日",
        f"{day.day}.{day.month}.{day.year}",
        f"{day.day} {MONTHS[day.month - 1]} {day.year}",
        f"{MONTHS[day.month - 1]} {day.day}, {day.year}",
    ]
    for way in ways:
        assert days_in(f"it ends {way}.") == [(day.year, day.month, day.day)]
        assert not any(map(str.isdigit, without_days(f"it ends {way}.")))
