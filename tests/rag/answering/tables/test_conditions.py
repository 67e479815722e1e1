"""Which rows of a table a question means."""

from __future__ import annotations

from rag.answering.tables.cells import quantity
from rag.answering.tables.concepts import concepts
from rag.answering.tables.conditions import Condition, conditions_in, is_numeric
from rag.answering.tables.reading import read
from rag.answering.tables.whole import Whole
from rag.text.folding import fold
from tests.rag.answering.tables.asking import table

ORDERS = table(
    "| Article | Ordered | Delivered | Pieces |",
    "| bolt | 2023-02-01 | 2024-03-05 | 10 |",
    "| nut | 2024-05-01 | 2024-06-05 | 20 |",
    "| rope | 2024-08-20 | 2025-01-10 | 30 |",
)


def conditions(question: str, of: Whole = ORDERS) -> list[Condition]:
    numeric = [index for index in range(of.width) if is_numeric(of.column(index))]
    return conditions_in(fold(question), of, numeric, concepts(question))


def rows(question: str) -> list[str]:
    found = conditions(question)
    assert found, question
    return [row.cells[0] for row in ORDERS.rows if all(each.holds(row.cells[each.column]) for each in found)]


def test_of_two_columns_of_days_the_named_one_is_limited() -> None:
    assert rows("How many pieces were delivered after 2024?") == ["rope"]
    assert rows("How many pieces were ordered before 2024?") == ["bolt"]


def test_of_two_columns_of_days_and_none_named_no_row_is_chosen() -> None:
    assert conditions("How many pieces were there after 2024?") == []


def test_one_column_of_days_needs_no_name() -> None:
    one = table(
        "| Article | Ordered |", "| bolt | 2023-02-01 |", "| nut | 2024-05-01 |", "| rope | 2024-08-20 |"
    )
    (found,) = conditions("How many articles came after 2023?", one)
    assert [found.holds(cell) for cell in one.column(1)] == [False, True, True]


def test_the_months_of_a_quarter_and_of_a_half() -> None:
    of_days = table(
        "| Article | Ordered |",
        *(f"| a{month} | 2024-{month:02d}-10 |" for month in range(1, 13)),
    )
    for said, months in (("Q2", [4, 5, 6]), ("H2", [7, 8, 9, 10, 11, 12])):
        (found,) = conditions(f"How many articles were ordered in {said} 2024?", of_days)
        assert [n for n in range(1, 13) if found.holds(f"2024-{n:02d}-28")] == months


def test_a_number_has_the_unit_that_stands_before_or_behind_it() -> None:
    for cell, unit in (("40 kg", "kg"), ("EUR 40", "EUR"), ("40", "")):
        found = quantity(cell)
        assert found is not None
        assert (found.value, found.unit) == (40, unit)


def test_a_limit_in_time_of_which_it_is_unclear_what_it_limits_is_not_calculated() -> None:
    # "After 2024" must not be taken for "in 2024".
    for question in ("How many pieces were there after 2024 in total?", "2024年以后的件数合计是多少？"):
        assert read(question, ORDERS, "orders.csv pieces 件数") is None, question
