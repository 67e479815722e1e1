"""Words of a question that choose the wrong column, or that a calculation must not pass over."""

from __future__ import annotations

from decimal import Decimal

import pytest

from rag.answering.tables.calculating import Result
from rag.answering.tables.operations import operations_in
from rag.answering.tables.reading import Reading, read
from rag.answering.tables.telling import told
from rag.answering.tables.whole import Whole
from tests.rag.answering.tables.asking import calculated, table

TOOLS = table(
    "| sku | description | unit_price | stock | supplier |",
    "| T-1 | Torch | 12.50 | 30 | Fabri |",
    "| T-2 | Vice 80 mm | 40.00 | 5 | Fabri |",
    "| T-3 | Vice 120 mm | 65.00 | 7 | Osk |",
    "| T-4 | Saw | 22.00 | 11 | Osk |",
)
SALES = table(
    "| Order | Region | Article | Amount EUR |",
    "| 1 | Coast | bolt | 203 |",
    "| 2 | Hills | nut | 275 |",
    "| 3 | Coast | nut | 299 |",
    "| 4 | Coast | rope | 10 |",
)
LABELLED = table(
    "| 标签 | 单号 | 地区 | 数量 | 金额 |",
    "| 甲 | 7003 | 沿海 | 3 | 10 |",
    "| 乙 | 7001 | 山区 | 4 | 20 |",
    "| 丙 | 7009 | 沿海 | 5 | 40 |",
)
RUNNING = table(
    "| 行次 | 仓库 | 重量 |",
    "| 1 | 东 | 12 |",
    "| 2 | 西 | 30 |",
    "| 3 | 东 | 8 |",
    "| 4 | 西 | 9 |",
)
NAMES = {
    id(TOOLS): "tools_price_list.csv",
    id(SALES): "orders.csv",
    id(LABELLED): "出货明细表.xlsx",
    id(RUNNING): "称重表.csv",
}


def answer(question: str, of: Whole) -> tuple[Reading, Result]:
    return calculated(question, of, NAMES[id(of)])


@pytest.mark.parametrize(
    ("question", "of", "operation", "value"),
    [
        # A column's own word before a word for the same; the name of the list asks for no price.
        ("How many units are in stock in total according to the tools price list?", TOOLS, "sum", 53),
        ("According to the tools price list, what is the total stock?", TOOLS, "sum", 53),
        ("What is the total value of the stock in the tools price list?", TOOLS, "sum", 1272),
        # Numbers that only tell one row from another are not added.
        ("How many orders are from the Coast?", SALES, "count", 3),
        ("How many orders are from the Coast? What do they add up to?", SALES, "sum", 512),
        ("What is the total of the orders?", SALES, "sum", 787),
        ("沿海的记录有几条？", LABELLED, "count", 2),
        ("金额合计是多少？", LABELLED, "sum", 70),
        ("重量合计是多少？", RUNNING, "sum", 59),
        # Rows in other words.
        ("表格里一共有多少条记录？", LABELLED, "count", 3),
        ("表里总共几条数据？", RUNNING, "count", 4),
        # A word of a cell chooses its rows.
        ("What is the total stock of vices?", TOOLS, "sum", 12),
        ("What is the total amount of bolts?", SALES, "sum", 203),
    ],
)
def test_the_right_column(question: str, of: Whole, operation: str, value: int) -> None:
    reading, result = answer(question, of)
    assert (reading.operation, result.value) == (operation, Decimal(value))


@pytest.mark.parametrize(
    ("question", "of"),
    [
        ("What is the total amount of flanges?", SALES),
        ("What is the total amount of flanges from the Coast?", SALES),
        ("Which flange has the highest amount?", SALES),
        ("List all duties of the regions.", SALES),
        ("法兰的数量合计是多少？", LABELLED),
        ("沿海法兰的金额合计是多少？", LABELLED),
        ("单号合计是多少？", LABELLED),
    ],
)
def test_no_figure_of_what_the_table_does_not_know(question: str, of: Whole) -> None:
    assert read(question, of, NAMES[id(of)]) is None


def test_a_count_says_that_a_word_is_not_in_the_table() -> None:
    reading, result = answer("How many flanges are from the Coast?", SALES)
    assert "does not have every word" in told(result, reading, SALES, "x", "en", "[1]")
    reading, result = answer("How many orders are from the Coast?", SALES)
    assert "does not have every word" not in told(result, reading, SALES, "x", "en", "[1]")


@pytest.mark.parametrize(
    ("question", "counts"),
    [
        ("what is the part number of the door seal?", False),
        ("which order number of ours was cancelled?", False),
        ("what is the number of the meeting room?", False),
        ("订单号是多少", False),
        ("what is the number of orders?", True),
        ("the total number of the employees", True),
        ("number of pallets per aisle", True),
        ("仓库有多少", True),
    ],
)
def test_a_number_of_something_may_be_its_name(question: str, counts: bool) -> None:
    assert ("count" in operations_in(question)) == counts
