"""Counts, sums and lists over whole tables: which are asked for, and that they are exact."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.answering.tables.calculating import Result, calculate
from rag.answering.tables.operations import without_calculation
from rag.answering.tables.reading import Reading, read
from rag.answering.tables.telling import told
from rag.answering.tables.thresholds import compared_with
from rag.answering.tables.whole import Whole, tables_of
from rag.records import PAGE_BREAK, Document, Page, Table
from tests.rag.answering.tables.asking import calculated

HEADER = "Order | Date | Region | Customer | Quantity | Amount (EUR)"
CUSTOMERS = ("Acme", "Globex", "Initech")
REGIONS = ("North", "South", "East", "North West")
ROWS = [
    (
        f"PO-{n:04d}",
        f"2023-{1 + n % 12:02d}-{1 + n % 28:02d}",
        REGIONS[n % 4],
        CUSTOMERS[n % 3],
        n % 50,
        Decimal(n * 137 % 99_900 + 100) / 100,
    )
    for n in range(1, 201)
]
SUM = sum((row[5] for row in ROWS), Decimal(0))


def document(*pages: str, header: str = HEADER) -> Document:
    """One table a page."""
    text = PAGE_BREAK.join(pages)
    tables = []
    at = 0
    for page in pages:
        start = at + max(0, page.find(header))
        tables.append(Table(start, at + len(page), start + len(header) if header in page else start))
        at += len(page) + len(PAGE_BREAK)
    return Document(
        "0" * 64, "pdf", tuple(Page(n, page) for n, page in enumerate(pages, start=1)), tables=tuple(tables)
    ) if text else Document("0" * 64, "pdf", ())  # fmt: skip


def lines(rows: list[tuple[object, ...]]) -> str:
    return "\n".join([HEADER, *(" | ".join(map(str, row)) for row in rows)])


ORDERS = tables_of(document("Orders of 2023\n\n" + lines(ROWS)))[0]  # type: ignore[arg-type]
NAMES = "Orders of 2023 sales/orders.csv"


def answer(question: str, table: Whole = ORDERS) -> tuple[Reading, Result]:
    return calculated(question, table, NAMES)


@pytest.mark.parametrize(
    ("question", "operation", "value"),
    [
        ("How many rows are there?", "count", 200),
        ("How many orders are there in total?", "count", 200),
        ("表格一共有多少行？", "count", 200),
        ("How many orders came from Globex in March?", "count",
         sum(r[3] == "Globex" and r[1][5:7] == "03" for r in ROWS)),
        ("How many orders came from the North?", "count", sum(r[2] == "North" for r in ROWS)),
        ("How many orders came from the North West?", "count", sum(r[2] == "North West" for r in ROWS)),
        ("How many orders have an amount over 500?", "count", sum(r[5] > 500 for r in ROWS)),
        ("金额不超过 100 的订单有多少条？", "count", sum(r[5] <= 100 for r in ROWS)),
        ("What is the total amount?", "sum", SUM),
        ("金额合计是多少？", "sum", SUM),
        ("What is the sum of Amount for Acme in the South?", "sum",
         sum((r[5] for r in ROWS if r[3] == "Acme" and r[2] == "South"), Decimal(0))),
        ("What is the average quantity?", "average", Decimal(sum(r[4] for r in ROWS)) / 200),
        ("Which order has the highest amount?", "max", max(r[5] for r in ROWS)),
        ("Quantity 最低的订单是哪个？", "min", min(r[4] for r in ROWS)),
    ],
)  # fmt: skip
def test_what_is_calculated_is_right(question: str, operation: str, value: Decimal | int) -> None:
    reading, result = answer(question)
    assert reading.operation == operation
    assert result.value == value
    assert result.of == 200


def test_a_list_has_every_value_once() -> None:
    _, result = answer("List all customers")
    assert sorted(result.values) == sorted(CUSTOMERS)


@pytest.mark.parametrize(
    "question",
    [
        "What was the quantity of PO-0012?",
        "Who is the customer of order PO-0003?",
        "How many days of annual leave do employees receive?",
        "How many sensor boxes can one controller handle?",
        "What is the notice period of the contract?",
        "List all steps to open the housing",
        "How much does the warranty cost in total?",
        "库存盘点表一共有多少行？",
        "员工有多少天年假？",
        "How many days of leave are there after 10 years?",
        "How many orders of 7 pieces came from Globex?",
        "List all customers of order 77",
    ],
)
def test_what_a_reader_must_answer_is_left_to_one(question: str) -> None:
    assert read(question, ORDERS, NAMES) is None


def test_a_table_over_several_pages_is_one() -> None:
    whole = tables_of(document(*(lines(ROWS[at : at + 40]) for at in range(0, 200, 40))))  # type: ignore[arg-type]
    assert len(whole) == 1
    assert len(whole[0].rows) == 200
    assert answer("What is the total amount?", whole[0])[1].value == SUM
    headless = [lines(ROWS[:100]), "\n".join(" | ".join(map(str, row)) for row in ROWS[100:])]  # type: ignore[arg-type]
    (joined,) = tables_of(document(*headless))
    assert answer("What is the total amount?", joined)[1].value == SUM


def test_escaped_bars_tab_stops_and_empty_first_cells_keep_their_columns() -> None:
    escaped = "| Key | Hits |\n|---|--:|\n| a \\| b | 3 |\n| c | 4 |\n| d | 5 |"
    (table,) = tables_of(document(escaped, header="| Key | Hits |"))
    assert table.column(0) == ["a | b", "c", "d"]
    assert table.column(1) == ["3", "4", "5"]
    (tabs,) = tables_of(document("Town\tPeople\nA\t3\n\t4\nC\t5", header="Town\tPeople"))
    assert [row.cells for row in tabs.rows] == [("A", "3"), ("", "4"), ("C", "5")]
    (merged,) = tables_of(document("Region | Town | People\nNorth | A | 3\n | B | 4", header="Region |"))
    assert [row.cells for row in merged.rows] == [("North", "A", "3"), ("", "B", "4")]


def test_other_tables_stay_apart() -> None:
    other = "Town | People | Area | Mayor | Year | Tax\nA | 1 | 2 | x | 3 | 4\nB | 1 | 2 | y | 3 | 4"
    assert len(tables_of(document(lines(ROWS[:5]), other))) == 2  # type: ignore[arg-type]


def test_total_rows_are_not_added_but_compared() -> None:
    stated = lines(ROWS) + f"\nTotal |  |  |  |  | {SUM}"  # type: ignore[arg-type]
    (table,) = tables_of(document(stated))
    reading, result = answer("What is the total amount?", table)
    assert (result.value, result.stated, result.of) == (SUM, SUM, 200)
    text = told(result, reading, table, "orders.csv", "en", "[1]")
    assert str(SUM) in text
    assert "differs" not in text
    (wrong,) = tables_of(document(lines(ROWS) + "\n合计 |  |  |  |  | 1.00"))  # type: ignore[arg-type]
    reading, result = answer("What is the total amount?", wrong)
    assert "which differs" in told(result, reading, wrong, "orders.csv", "en", "[1]")


def test_what_is_no_number_is_told() -> None:
    odd = [
        *ROWS[:10],
        ("PO-1", "2023-01-01", "North", "Acme", 1, "to be agreed"),
        ("PO-2", "", "", "", "", "-"),
    ]
    (table,) = tables_of(document(lines(odd)))  # type: ignore[arg-type]
    reading, result = answer("What is the total amount?", table)
    assert result.value == sum((row[5] for row in ROWS[:10]), Decimal(0))
    assert "1 rows have no number" in told(result, reading, table, "x", "en", "[1]")


def test_a_cell_that_is_named_with_its_unit_chooses_the_rows() -> None:
    text = "Model | Name | Delivery time\nHK | box | 5 days\nHS | fan | 10 days\nWS | vane | 10 days"
    (table,) = tables_of(document(text, header="Model | Name | Delivery time"))
    reading = read("Which models have a delivery time of 10 days? List all.", table, "prices")
    assert reading is not None
    assert calculate(reading, table).values == ("HS", "WS")


def test_units_that_differ_are_told() -> None:
    text = "Part | Weight\nA | 3 kg\nB | 4 kg\nC | 500 g"
    (table,) = tables_of(document(text, header="Part | Weight"))
    reading = read("What is the total weight of the parts?", table, "parts")
    assert reading is not None
    assert "kg (2), g (1)" in told(calculate(reading, table), reading, table, "x", "en", "[1]")


@given(
    st.lists(st.decimals(places=2, min_value=-9999, max_value=9999), min_size=3, max_size=40), st.integers()
)
def test_sums_are_exact(values: list[Decimal], seed: int) -> None:
    rows = [f"item {n} | {value}" for n, value in enumerate(values)]
    Random(seed).shuffle(rows)
    (table,) = tables_of(document("\n".join(["Item | Price", *rows]), header="Item | Price"))
    reading = read("What is the sum of the prices?", table, "")
    assert reading is not None
    result = calculate(reading, table)
    assert result.value is not None
    assert Fraction(result.value) == sum(map(Fraction, values))


def test_thresholds_and_what_is_asked_of_each() -> None:
    over = compared_with("Which pumps have a flow over 400 l/min?")
    assert over is not None
    assert (over.sign, over.limit) == (">", 400)
    at_most = compared_with("不超过 30 天的有哪些？")
    assert at_most is not None
    assert (at_most.sign, at_most.limit) == ("≤", 30)
    assert compared_with("What is the flow?") is None
    assert without_calculation("What is the total flow of all pumps?") == "What is the flow of pumps?"


@pytest.mark.parametrize(
    ("question", "operation", "cell"),
    [
        ("Which part is the most expensive?", "max", "117.50"),
        ("Which part is the cheapest?", "min", "3.20"),
        ("哪个零件最贵？", "max", "117.50"),
        ("最便宜的是哪个？", "min", "3.20"),
    ],
)
def test_the_dearest_is_the_one_of_the_highest_price(question: str, operation: str, cell: str) -> None:
    header = "part | stock | unit price EUR"
    text = f"{header}\nHK-1 | 3 | 9.00\nHK-2 | 40 | 117.50\nHK-3 | 7 | 3.20\nHK-4 | 1 | 12.00"
    reading, result = answer(question, tables_of(document(text, header=header))[0])
    assert reading.operation == operation
    assert result.value == Decimal(cell)
