"""Tables asked in other words than their own: what is calculated then, and what is left alone."""

from __future__ import annotations

from decimal import Decimal

import pytest

from rag.answering.tables.calculating import Result
from rag.answering.tables.reading import Reading, read
from rag.answering.tables.telling import told
from rag.answering.tables.whole import Whole
from tests.rag.answering.tables.asking import calculated, table

SITES = table(
    "| Site | Headcount | Manager | Opened |",
    "| Bremen | 48 | A. Vogt | 2009 |",
    "| Porto | 112 | P. Lima | 2014 |",
    "| Turin | 37 | C. Rossi | 2003 |",
)
STOCK = table(
    "| Part no. | Description | Unit price EUR | On hand | Warehouse |",
    "| A-1 | Bearing | 4.20 | 310 | Porto |",
    "| A-2 | Control box | 1180 | 6 | Turin |",
    "| A-3 | Belt | 18.90 | 250 | Turin |",
    "| A-4 | Roller | 27.80 | 40 | Porto |",
)
PLANTS = table(
    "| 工厂 | 在册人数 | 负责人 | 投产年份 |",
    "| 无锡 | 152 | 周敏 | 2008 |",
    "| 绵阳 | 97 | 陈立 | 2015 |",
    "| 沧州 | 64 | 何芳 | 2018 |",
)
COURSES = table(
    "| 日期 | 课程 | 名额 | 人均收费（元） |",
    "| 2024-02-20 | 叉车 | 12 | 800 |",
    "| 2024-03-15 | 急救 | 20 | 150 |",
    "| 2024-06-18 | 电工 | 6 | 1200 |",
)
NAMES = {
    id(SITES): "sites.csv",
    id(STOCK): "Stock list — spare parts stock.md",
    id(PLANTS): "各厂情况 plants.md",
    id(COURSES): "培训计划 courses.md",
}


def answer(question: str, of: Whole) -> tuple[Reading, Result]:
    return calculated(question, of, NAMES[id(of)])


@pytest.mark.parametrize(
    ("question", "of", "operation", "value"),
    [
        ("How many staff are in Porto?", SITES, "sum", 112),
        ("How many people work in Turin?", SITES, "sum", 37),
        ("How many people work for us altogether?", SITES, "sum", 197),
        ("Which site has the most employees?", SITES, "max", 112),
        ("Which location has the fewest staff?", SITES, "min", 37),
        ("How many sites do we have?", SITES, "count", 3),
        ("What is the priciest item?", STOCK, "max", 1180),
        ("Which part in the stock list is the most expensive?", STOCK, "max", 1180),
        ("Which component do we have the most of?", STOCK, "max", 310),
        ("How many warehouses are there?", STOCK, "count", 2),
        ("How many different parts are kept in Porto?", STOCK, "count", 2),
        ("哪个工厂人最多？", PLANTS, "max", 152),
        ("无锡有多少员工？", PLANTS, "sum", 152),
        ("我们一共有多少员工？", PLANTS, "sum", 313),
        ("我们有几个厂？", PLANTS, "count", 3),
        ("哪门培训最贵？", COURSES, "max", 1200),
    ],
)
def test_other_words_for_the_same(question: str, of: Whole, operation: str, value: int) -> None:
    reading, result = answer(question, of)
    assert (reading.operation, result.value) == (operation, Decimal(value))
    assert reading.whole


@pytest.mark.parametrize(
    ("question", "of", "written"),
    [
        ("Which plant is the oldest?", SITES, "2003"),
        ("Which site is the newest?", SITES, "2014"),
        ("哪个厂最老？", PLANTS, "2008"),
        ("最晚的一门课程是哪天？", COURSES, "2024-06-18"),
    ],
)
def test_the_first_and_the_last_in_time(question: str, of: Whole, written: str) -> None:
    reading, result = answer(question, of)
    assert reading.whole
    assert written in told(result, reading, of, "x", "en", "[1]").splitlines()[0]
    assert any(written in row.cells for row in result.at)


def test_groups_are_compared_by_their_sums() -> None:
    reading, result = answer("Which warehouse has the most parts on hand?", STOCK)
    assert result.groups == (("Porto", Decimal(350)), ("Turin", Decimal(256)))
    assert "**Porto**: 350" in told(result, reading, STOCK, "x", "en", "[1]")
    _, fewest = answer("Which warehouse has the fewest parts on hand?", STOCK)
    assert fewest.groups[0] == ("Turin", Decimal(256))


@pytest.mark.parametrize(
    ("question", "of"),
    [
        ("How many complaints did we get in total?", SITES),
        ("Which river is the longest?", SITES),
        ("What is the highest fine?", STOCK),
        ("What is the highest price?", STOCK),  # of anything: too little to be sure of
        ("How many customers do we have?", STOCK),
        ("Which lorry is the most expensive?", STOCK),
        ("最贵的车是哪辆？", COURSES),
        ("我们有多少客户？", PLANTS),
        ("哪条河最长？", PLANTS),
        ("全国一共有多少支代表队？", PLANTS),
    ],
)
def test_no_table_is_believed_that_does_not_know_every_word(question: str, of: Whole) -> None:
    reading = read(question, of, NAMES[id(of)])
    assert reading is None or not reading.whole


@pytest.mark.parametrize(
    ("question", "of"),
    [
        ("所有课程一共可以报多少人？", COURSES),  # people are counted, and these are rows of courses
        ("2024年全国羽毛球大赛共有多少支代表队？", COURSES),  # a year alone chooses no rows
        ("What is the least that visitors must wear?", SITES),
    ],
)
def test_rows_of_something_else_are_not_counted(question: str, of: Whole) -> None:
    assert read(question, of, NAMES[id(of)]) is None
