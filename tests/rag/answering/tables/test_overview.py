"""Whole tables summed up."""

from __future__ import annotations

from rag.answering.tables.overview import overview
from tests.rag.answering.tables.asking import table


def test_every_column_by_what_it_holds() -> None:
    rows = [
        f"| {n} | {('dock', 'yard')[n % 2]} | 2025-03-{n:02d} | {n * 10} | {n}.50 | EUR |"
        for n in range(1, 21)
    ]
    whole = table(
        "| No | Place | Day | Crates | Unit price | Currency |",
        *rows,
        "| Total | | | 2100 | | |",
    )
    said = overview(whole, "crates.csv", "en", "[1]").splitlines()
    assert said[0] == "The table of crates.csv has **20** rows and 6 columns [1]:"
    assert said[1] == "- No: 20 different values, “1” in the first row to “20” in the last"
    assert said[2] == "- Place: 2 different values: yard (10), dock (10)"
    assert said[3] == "- Day: from 2025-03-01 to 2025-03-20"
    assert said[4] == "- Crates: sum 2100, average 105, from 10 to 200"
    assert said[5].startswith("- Unit price: average 11")
    assert said[6] == "- Currency: EUR in all 20 rows"


def test_in_chinese_with_cells_that_are_no_numbers() -> None:
    whole = table("| 仓位 | 温度 |", "|---|---|", "| 甲 | 4 |", "| 乙 | 故障 |", "| 丙 | 6 |", "| 丁 | 8 |")
    said = overview(whole, "冷库.xlsx", "zh", "[1]")
    assert "共有 **4** 行、2 列[1]：" in said
    assert "- 温度：平均 6，从 4 到 8，1 行不是数字，未计入" in said
    assert "合计" not in said  # temperatures are not added
