"""Which rows a question means: those that are not so, those of a number, those of a thing."""

from __future__ import annotations

import pytest

from rag.answering.tables.calculating import Result, calculate
from rag.answering.tables.reading import Reading, read
from rag.answering.tables.telling import told
from rag.answering.tables.whole import Whole, tables_of
from rag.records import Document, Page


def table(header: str, *rows: str) -> Whole:
    (found,) = tables_of(Document("0", "markdown", (Page(None, "\n".join([header, "|---|---|", *rows])),)))
    return found


TRIPS = table(
    "| Driver | Region | Days requested | Cost EUR | Approved | Status |",
    "| Amari | Coast | 3 | 120 | yes | done |",
    "| Boto | Coast | 5 | 300 | no | open |",
    "| Amari | Hills | 2 | 80 | yes | done |",
    "| Cerny | Hills | 9 | 900 | no | refused |",
    "| Dahl | Coast | 4 | 300 | yes | open |",
)
ORDERS = table(
    "| 工单号 | 楼栋 | 类别 | 费用（元） | 状态 |",
    "| GD-1 | 1号楼 | 空调 | 300 | 已处理 |",
    "| GD-2 | 2号楼 | 门窗 | 40 | 处理中 |",
    "| GD-3 | 1号楼 | 空调 | 90 | 待派单 |",
    "| GD-4 | 3号楼 | 空调 | 500 | 已处理 |",
)
FLOORS = table(
    "| Unit | Head nurse | Storey | Nurses | Beds |",
    "| A | Ito | 2 | 11 | 20 |",
    "| B | Kask | 2 | 14 | 20 |",
    "| C | Lund | 3 | 9 | 12 |",
)
ACCESS = table(
    "| System | Who grants it | Takes |",
    "| Mail | IT service desk | 1 day |",
    "| VPN | IT service desk | 2 days |",
    "| Vault | Security | 5 days |",
)
NAMES = {
    id(TRIPS): "trips_2026.csv trips 2026",
    id(ORDERS): "维修工单.xlsx",
    id(FLOORS): "units.csv",
    id(ACCESS): "access.md",
}


def answer(question: str, of: Whole) -> tuple[Reading, Result]:
    reading = read(question, of, NAMES[id(of)])
    assert reading is not None, question
    return reading, calculate(reading, of)


@pytest.mark.parametrize(
    ("question", "of", "operation", "value"),
    [
        # What is not so.
        ("How many trips were not approved?", TRIPS, "count", 2),
        ("How many trips have not been approved yet?", TRIPS, "count", 2),
        ("How many trips were approved?", TRIPS, "count", 3),
        ("How many trips are not done?", TRIPS, "count", 3),
        ("How many trips aren't open?", TRIPS, "count", 3),
        ("What do the trips that were not approved cost in total?", TRIPS, "sum", 1200),
        ("还有多少工单没有处理？", ORDERS, "count", 2),
        ("不是已处理的工单有几个？", ORDERS, "count", 2),
        # A number with its title.
        ("How many units are on storey 2?", FLOORS, "count", 2),
        ("How many nurses work on storey 2?", FLOORS, "sum", 25),
        ("How many beds are on storey 3?", FLOORS, "sum", 12),
        ("How many trips were of cost 300?", TRIPS, "count", 2),
        # What is counted: rows, not the days or the money in them; different names, each once.
        ("How many trips were requested?", TRIPS, "count", 5),
        ("How many drivers made trips?", TRIPS, "count", 4),
        ("费用超过80元的工单有几个？", ORDERS, "count", 3),
    ],
)
def test_the_rows_that_are_meant(question: str, of: Whole, operation: str, value: int) -> None:
    _, result = answer(question, of)
    assert result.operation == operation
    assert result.value == value


@pytest.mark.parametrize(
    ("question", "of", "best"),
    [
        ("What is the most common region of trips?", TRIPS, "Coast"),
        ("Which region is the most frequent?", TRIPS, "Coast"),
        ("最常见的工单类别是什么？", ORDERS, "空调"),
    ],
)
def test_what_is_there_the_most_times(question: str, of: Whole, best: str) -> None:
    _, result = answer(question, of)
    assert result.operation == "max"
    assert result.groups[0][0] == best


def test_the_number_of_rows_of_each_building() -> None:
    _, result = answer("各楼栋的工单数量分别是多少？", ORDERS)
    assert {name: int(count) for name, count in result.groups} == {"1号楼": 2, "2号楼": 1, "3号楼": 1}


@pytest.mark.parametrize(
    ("question", "of"),
    [
        # It cannot be told which rows are meant.
        ("How many trips were not insured?", TRIPS),
        ("没有保修的工单有多少？", ORDERS),
        # Neither the table nor its name knows them.
        ("How many passengers filed trips?", TRIPS),
        # A service desk is no service.
        ("How many services are there?", ACCESS),
    ],
)
def test_rather_no_number_than_a_wrong_one(question: str, of: Whole) -> None:
    assert read(question, of, NAMES[id(of)]) is None


@pytest.mark.parametrize(
    ("question", "of", "values"),
    [
        ("Which trips were not approved?", TRIPS, ("Boto", "Cerny")),
        ("费用超过80元的工单有哪些？", ORDERS, ("GD-1", "GD-3", "GD-4")),
    ],
)
def test_rows_are_listed_with_all_that_stands_in_them(
    question: str, of: Whole, values: tuple[str, ...]
) -> None:
    reading, result = answer(question, of)
    assert result.values == values
    text = told(result, reading, of, "a file", "en", "[1]")
    for row in of.rows:
        assert all(cell in text for cell in row.cells) is (row in result.rows)
