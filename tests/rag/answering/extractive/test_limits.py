"""Rules for small and for large amounts: the limit tells which one is asked for."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as some

from rag.answering.extractive.limits import Limit, asked_about, by_limit, limits_in
from rag.answering.extractive.units import units
from tests.rag.answering.extractive.quoting import evidence, quoted

TRIPS = (
    "Trips up to €600 are approved by the team lead. Trips above €600 are approved by the department head. "
    "Trips above €5,000 need the signature of the managing director. Lunch is at noon."
)
SICK = (
    "Sick leave of up to three days needs no certificate. For more than three days a doctor's certificate is "
    "needed. The certificate goes to the office."
)
OVERTIME = "加班不足两小时的，由组长审批。加班满两小时的，由部门经理审批。加班超过八小时的，由人事总监审批。"


@pytest.mark.parametrize(
    ("text", "low", "high", "unit"),
    [
        ("Trips up to €600", None, "600", "eur"),
        ("Orders over 20,000 euros: the board", "20000", None, "eur"),
        ("must not exceed thirty days", None, "30", "day"),
        ("600 euros or more", "600", None, "eur"),
        ("Children under 12 travel free", None, "12", ""),
        ("不超过5000元的，由经理审批", None, "5000", "cny"),
        ("五万元以上的合同", "50000", None, "cny"),
        ("病假超过三天", "3", None, "day"),
    ],
)
def test_limits_are_read(text: str, low: str | None, high: str | None, unit: str) -> None:
    (found,) = limits_in(text)
    assert (found.low, found.high) == (low and Decimal(low), high and Decimal(high))
    assert found.unit == unit


@pytest.mark.parametrize(
    ("question", "low", "high"),
    [
        ("Who approves a trip of €450?", 450, 450),
        ("Who approves a trip over €600?", 600, None),
        ("采购8000元由谁审批？", 8000, 8000),
        ("Do I need a certificate for five days of sick leave?", 5, 5),
    ],
)
def test_an_amount_is_asked_about(question: str, low: int, high: int | None) -> None:
    found = asked_about(question)
    assert found is not None
    assert (found.low, found.high) == (low, high)


@pytest.mark.parametrize(
    "question",
    [
        "Who approves trips?",
        "Who approved the trip in May 2024?",
        "What applies from 2024?",
        "What is decided in RFC 0012?",
        "Is 5 euros more than 7 euros?",
    ],
)
def test_no_single_amount_is_asked_about(question: str) -> None:
    assert asked_about(question) is None


@pytest.mark.parametrize(
    ("question", "text", "said", "not_said"),
    [
        ("Who approves a trip over €600?", TRIPS, "department head", "team lead"),
        ("Who approves a trip of €700?", TRIPS, "department head", "team lead"),
        ("Who approves a trip of €450?", TRIPS, "team lead", "department head"),
        ("Who approves a trip of 450 euros?", TRIPS, "team lead", "managing director"),
        ("Who approves a trip under €600?", TRIPS, "team lead", "department head"),
        ("Is a certificate needed for two days of sick leave?", SICK, "needs no certificate", "doctor"),
        ("Is a certificate needed for five days of sick leave?", SICK, "doctor", "needs no"),
        ("加班1小时由谁审批？", OVERTIME, "组长", "人事总监"),
        ("加班10小时由谁审批？", OVERTIME, "人事总监", "组长"),
    ],
)
def test_the_half_that_holds_is_quoted(question: str, text: str, said: str, not_said: str) -> None:
    found = quoted(question, text).text
    assert said in found
    assert not_said not in found


def test_the_narrowest_limit_that_holds_is_told() -> None:
    told = units(evidence(TRIPS))
    narrowest, out = by_limit("Who approves a trip of €7,000?", told)
    assert [told[index].text for index in narrowest] == [
        "Trips above €5,000 need the signature of the managing director."
    ]
    assert [told[index].text for index in out] == ["Trips up to €600 are approved by the team lead."]


def test_a_limit_without_another_that_holds_stays() -> None:
    told = units(evidence("Trips up to €600 are approved by the team lead. All others need two signatures."))
    assert by_limit("Who approves a trip of €700?", told)[1] == frozenset()


ends = some.none() | some.integers(0, 20).map(Decimal)


@given(ends, ends, some.booleans(), some.booleans(), some.integers(0, 40))
def test_what_holds_an_amount_meets_it(
    low: Decimal | None, high: Decimal | None, low_closed: bool, high_closed: bool, twice: int
) -> None:
    limit = Limit(low, high, low_closed, high_closed)
    amount = Decimal(twice) / 2
    point = Limit(amount, amount)
    inside = (low is None or amount > low or (low_closed and amount == low)) and (
        high is None or amount < high or (high_closed and amount == high)
    )
    assert limit.holds(point) == inside
    assert not inside or limit.meets(point)
    assert limit.meets(point) == point.meets(limit)
