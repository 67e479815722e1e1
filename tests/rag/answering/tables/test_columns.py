"""Which columns of a table a question may mean, and which of them add up."""

from __future__ import annotations

import pytest

from rag.answering.tables.columns import Columns
from rag.answering.tables.concepts import concepts
from rag.answering.tables.conditions import is_numeric, named_columns
from rag.answering.tables.identifiers import identifiers
from rag.answering.tables.whole import Whole
from rag.text.folding import fold
from tests.rag.answering.tables.asking import table

PARTS = table(
    "| Code | Unit price | Cost amount EUR | Weight kg | Fault rate | Maker | Ordered |",
    "| 7001 | 2.50 | 25 | 4 | 3 | Osk | 2024-05-01 |",
    "| 7004 | 3.00 | 60 | 9 | 1 | Fabri | 2024-06-01 |",
    "| 7009 | 9.50 | 19 | 2 | 2 | Osk | 2024-07-01 |",
)


def columns(question: str, of: Whole = PARTS) -> Columns:
    numeric = [index for index in range(of.width) if is_numeric(of.column(index))]
    named = named_columns(concepts(question), of, set())
    return Columns(fold(question), of, numeric, named, {}, frozenset(), identifiers(of, numeric))


def titles(of: Columns, indices: list[int]) -> list[str]:
    return [of.table.header[index] for index in indices]


def test_prices_and_rates_do_not_add_up_but_an_amount_does_that_is_called_a_cost() -> None:
    found = columns("What is the total?")
    assert titles(found, found.summable) == ["Unit price", "Cost amount EUR", "Weight kg", "Fault rate"]
    assert titles(found, found.adding_up) == ["Cost amount EUR", "Weight kg"]


def test_a_named_column_may_be_left_out() -> None:
    found = columns("weight by fault")
    weight = found.table.header.index("Weight kg")
    assert titles(found, found.named_figures()) == ["Weight kg", "Fault rate"]
    assert titles(found, found.named_figures(but=weight)) == ["Fault rate"]
    assert titles(found, found.named_sums()) == ["Weight kg"]
    assert found.named_sums(but=weight) == []


@pytest.mark.parametrize(
    ("header", "meant"),
    [
        ("| Part | Price | Weight kg |", "Price"),
        # No column is titled as a price, and one alone is of money.
        ("| Part | EUR | Weight kg |", "EUR"),
        # Two are, and neither is called a price.
        ("| Part | EUR | USD |", None),
        ("| Part | Length m | Weight kg |", None),
    ],
)
def test_the_most_expensive_is_the_one_of_the_highest_price(header: str, meant: str | None) -> None:
    found = columns("What is the most expensive part?", table(header, "| A | 3 | 4 |", "| B | 5 | 2 |"))
    index = found.meant("max")
    assert (found.table.header[index] if index is not None else None) == meant


def test_things_of_which_there_are_several_rows_each_make_groups() -> None:
    found = columns("weight by maker")
    assert found.repeated(concepts("maker")) == found.table.header.index("Maker")
    assert found.repeated(concepts("code")) is None
    assert found.dated == [found.table.header.index("Ordered")]
