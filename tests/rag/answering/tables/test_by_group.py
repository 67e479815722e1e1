"""Figures of each thing of a kind, of a part of the rows, of a time, and of two columns multiplied."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as some

from rag.answering.tables.between import within
from rag.answering.tables.calculating import Result, calculate
from rag.answering.tables.reading import read
from rag.answering.tables.telling import told
from rag.answering.tables.whole import Whole
from rag.text.language import language
from tests.rag.answering.tables.asking import table

SHIFTS = table(
    "| Date | Furnace | Crew | Glass kg | Broken pcs |",
    "| 2025-01-07 | North | Blue | 410 | 3 |",
    "| 2025-01-21 | South | Red | 380 | 9 |",
    "| 2025-02-04 | North | Red | 295 | 2 |",
    "| 2025-02-18 | South | Blue | 505 | 7 |",
    "| 2025-05-06 | North | Blue | 120 | 1 |",
)
CLAIMS = table(
    "| Employee | Team | Kind | Amount EUR |",
    "| Ute Brandt | Field | Train | 210.00 |",
    "| Ute Brandt | Field | Hotel | 320.00 |",
    "| Leo Marsh | Lab | Train | 95.50 |",
    "| Ines Roth | Field | Train | 44.00 |",
)
SHELF = table(
    "| Code | Name | Price EUR | Unit | Stock |",
    "| K-1 | Lacquer | 18.50 | litre | 40 |",
    "| K-2 | Brush | 3.20 | piece | 300 |",
    "| K-3 | Thinner | 9.00 | litre | 25 |",
)
LAGER = table(
    "| 编号 | 品名 | 库区 | 单价（元） | 库存 |",
    "| T-1 | 螺母 | 东区 | 0.5 | 8000 |",
    "| T-2 | 皮带 | 西区 | 62 | 45 |",
    "| T-3 | 滤芯 | 西区 | 31 | 120 |",
)
SHOPS = table(
    "| 月份 | 门店 | 销售额（万元） |",
    "| 2025年1月 | 宁波店 | 20 |",
    "| 2025年1月 | 温州店 | 31 |",
    "| 2025年2月 | 宁波店 | 26 |",
    "| 2025年2月 | 温州店 | 12 |",
)
HALLS = table(
    "| Hall | Opened | Machines |",
    "| Weaving | 1998 | 24 |",
    "| Dyeing | 2011 | 9 |",
    "| Packing | 2019 | 6 |",
)


def result_of(question: str, of: Whole, name: str = "list.csv") -> Result | None:
    reading = read(question, of, name)
    return None if reading is None else calculate(reading, of)


def text_of(question: str, of: Whole) -> str:
    reading = read(question, of, "list.csv")
    assert reading is not None, question
    return told(calculate(reading, of), reading, of, "list.csv", language(question), "[1]")


@pytest.mark.parametrize(
    "question",
    [
        "Glass by furnace",
        "How much glass did each furnace make?",
        "Total glass per furnace",
        "Sum of glass for each furnace",
    ],
)
def test_a_sum_for_each_thing(question: str) -> None:
    found = result_of(question, SHIFTS)
    assert found is not None
    assert {key: int(amount) for key, amount in found.groups} == {"North": 825, "South": 885}
    assert found.value == 1710


@pytest.mark.parametrize(
    ("question", "of", "best"),
    [
        ("Which furnace made the most glass in total?", SHIFTS, "South"),
        ("Which crew has the fewest broken pieces altogether?", SHIFTS, "Blue"),
        ("Which employee spent the most?", CLAIMS, "Ute Brandt"),
        ("哪个门店的销售总额最高？", SHOPS, "宁波店"),
        ("哪家店卖得最多？", SHOPS, "宁波店"),
        ("Which month had the most glass?", SHIFTS, "2025-02"),
        ("哪个月的销售额最高？", SHOPS, "2025-01"),
    ],
)
def test_the_best_of_sums(question: str, of: Whole, best: str) -> None:
    found = result_of(question, of)
    assert found is not None
    assert found.groups[0][0] == best


@pytest.mark.parametrize(
    ("question", "of", "groups"),
    [
        ("各门店的销售额分别是多少？", SHOPS, {"宁波店": 46, "温州店": 43}),
        ("按门店统计销售额", SHOPS, {"宁波店": 46, "温州店": 43}),
        ("各月销售额", SHOPS, {"2025-01": 51, "2025-02": 38}),
        ("What did each team spend?", CLAIMS, {"Field": 574, "Lab": 95.5}),
        ("Glass per month", SHIFTS, {"2025-01": 790, "2025-02": 800, "2025-05": 120}),
    ],
)
def test_figures_of_each(question: str, of: Whole, groups: dict[str, float]) -> None:
    found = result_of(question, of)
    assert found is not None
    assert {key: float(amount) for key, amount in found.groups} == groups


def test_rows_and_averages_of_each() -> None:
    counted = result_of("How many shifts did each crew have?", SHIFTS, "shifts.csv")
    assert counted is not None
    assert dict(counted.groups) == {"Blue": 3, "Red": 2}
    means = result_of("Average glass per crew", SHIFTS)
    assert means is not None
    assert dict(means.groups) == {"Blue": 345, "Red": 337.5}
    assert "as follows" in text_of("Average glass per crew", SHIFTS)


@pytest.mark.parametrize(
    ("question", "of", "value"),
    [
        ("How much did Field spend on Train?", CLAIMS, 254),
        ("How much glass did the Blue crew make in February 2025?", SHIFTS, None),
        ("How much glass was there in January 2025?", SHIFTS, 790),
        ("What was the total of glass in Q1 2025?", SHIFTS, 1590),
        ("What was the total of glass in the second half of 2025?", SHIFTS, 0),
        ("宁波店的销售额是多少？", SHOPS, None),
        ("2025年2月的销售额是多少？", SHOPS, 38),
    ],
)
def test_a_figure_spread_over_rows(question: str, of: Whole, value: float | None) -> None:
    found = result_of(question, of)
    if not value:
        assert found is None or found.value is None
    else:
        assert found is not None
        assert float(found.value or 0) == value


@pytest.mark.parametrize(
    ("question", "of", "value"),
    [
        ("What is the total value of the stock?", SHELF, 1925),
        ("How much is the stock worth?", SHELF, 1925),
        ("What is the stock of K-2 worth?", SHELF, 960),
        ("库存总价值是多少？", LAGER, 10510),
        ("西区库存的总金额是多少？", LAGER, 6510),
        ("What is the total stock?", SHELF, 365),
        ("库存总量是多少？", LAGER, 8165),
        ("What is the average price?", SHELF, None),
    ],
)
def test_price_times_quantity(question: str, of: Whole, value: float | None) -> None:
    found = result_of(question, of)
    assert found is not None
    if value is not None:
        assert float(found.value or 0) == value


def test_the_columns_that_are_multiplied_are_told() -> None:
    assert "“Stock” × “Price EUR”" in text_of("How much is the stock worth?", SHELF)
    assert "“库存” × “单价（元）”" in text_of("哪种物品的库存金额最高？", LAGER)


def test_quantities_in_different_units_are_told() -> None:
    assert "Mind that the units differ: litre (2), piece (1)" in text_of("What is the total stock?", SHELF)


@pytest.mark.parametrize(
    ("question", "halls"),
    [
        ("Which halls were opened after 2010?", ("Dyeing", "Packing")),
        ("Which halls were opened before 2011?", ("Weaving",)),
        ("List the halls opened between 1998 and 2011", ("Weaving", "Dyeing")),
    ],
)
def test_rows_of_a_time(question: str, halls: tuple[str, ...]) -> None:
    found = result_of(question, HALLS)
    assert found is not None
    assert found.values == halls


@pytest.mark.parametrize(
    ("question", "of", "best"),
    [
        ("Which furnace made more glass, North or South?", SHIFTS, "South"),
        ("Which furnace has fewer broken pieces, North or South?", SHIFTS, "North"),
        ("Who spent more, Ute Brandt or Leo Marsh?", CLAIMS, "Ute Brandt"),
        ("Which hall has more machines, Dyeing or Packing?", HALLS, "Dyeing"),
        ("宁波店和温州店哪个卖得多？", SHOPS, "宁波店"),
    ],
)
def test_one_of_several_that_are_named(question: str, of: Whole, best: str) -> None:
    found = result_of(question, of)
    assert found is not None
    assert len(found.groups) == 2
    assert found.groups[0][0] == best


def test_a_plural_names_the_cell() -> None:
    found = result_of("What is the total stock of brushes and of lacquers?", SHELF)
    assert found is not None
    assert found.value == 340


@pytest.mark.parametrize(
    ("question", "of"),
    [
        ("Which employee sold the most?", HALLS),
        ("How much did Acme spend on training?", CLAIMS),
        ("What is the price of each name?", SHELF),
        ("Which halls are the loudest?", HALLS),
        ("What is the total of glass in March 2024?", HALLS),
    ],
)
def test_what_the_table_does_not_tell(question: str, of: Whole) -> None:
    assert result_of(question, of) is None


_DAYS = some.tuples(some.integers(1950, 2049), some.integers(1, 12), some.integers(1, 28))


@given(_DAYS, _DAYS)
def test_limits_in_time_are_those_of_the_calendar(
    limit: tuple[int, int, int], day: tuple[int, int, int]
) -> None:
    year, month, date = limit
    tests: dict[str, Callable[[], bool]] = {
        f"after {year}-{month:02d}-{date:02d}": lambda: day > limit,
        f"before {year}-{month:02d}-{date:02d}": lambda: day < limit,
        f"since {year}": lambda: day[0] >= year,
        f"until {year}": lambda: day[0] <= year,
        f"{year}年{month}月以后": lambda: day[:2] > limit[:2],
        f"{year}年{month}月{date}日之前": lambda: day < limit,
    }
    for said, holds in tests.items():
        found = within(f"Which are {said}?")
        assert found is not None, said
        assert found.holds(day) == holds(), said
