"""Cells: how a row falls into them, and which hold numbers or dates."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.answering.tables.cells import date, quantity, written
from rag.answering.tables.whole import cells


def test_cells() -> None:
    assert cells("| a | | c |") == ("a", "", "c")
    assert cells(r"| a \| b | c |") == ("a | b", "c")
    assert cells("a | b") == ("a", "b")
    assert cells("a\tb\t") == ("a", "b", "")
    assert cells("Alabama 18,870 23,022") == ("Alabama 18,870 23,022",)


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("1,234.50", "1234.50"), ("-3 %", "-3"), ("(12.5)", "-12.5"), ("EUR 1,200", "1200"), ("¥750", "750"),
        ("1.2万", "12000"), ("13 天", "13"), ("40 kg", "40"), ("+5", "5"), ("２５", "25"),
    ],
)  # fmt: skip
def test_cells_that_are_numbers(cell: str, value: str) -> None:
    found = quantity(cell)
    assert found is not None
    assert found.value == Decimal(value)


@pytest.mark.parametrize(
    "cell", ["PO-0012", "007", "2023-01-05", "3 x 4", "A1", "12–14", "", "n/a", "1.2.3", "10:30", "5 or 6"]
)
def test_cells_that_are_none(cell: str) -> None:
    assert quantity(cell) is None


def test_dates() -> None:
    assert date("2023-04-01") == (2023, 4)
    assert date("2023年12月") == (2023, 12)
    assert date("31.12.2022") == (2022, 12)
    assert date("in 2021") == (2021, None)
    assert date("12345") is None


@given(st.decimals(allow_nan=False, allow_infinity=False, places=3, min_value=-(10**9), max_value=10**9))
def test_written_numbers_are_read_back(value: Decimal) -> None:
    for grouped in (False, True):
        found = quantity(written(value, grouped=grouped, places=2))
        assert found is not None
        assert found.value == value
