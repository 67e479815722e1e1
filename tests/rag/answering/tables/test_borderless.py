"""Rows of a PDF, which know no borders between their cells: columns where nothing is left open."""

from __future__ import annotations

import pytest

from rag.answering.tables.borderless import columns_of
from tests.rag.answering.extractive.quoting import quoted

PUMPS = (
    "Marlin 20 20 m3/h 2.2 kW 38 kg EUR 1,450",
    "Marlin 45 45 m3/h 5.5 kW 71 kg EUR 2,980",
    "Pike 90 SL 90 m3/h 11 kW 140 kg EUR 5,120",
    "Pike 120 120 m3/h 15 kW EUR 6,400",
)


def test_figures_with_units_tell_the_columns() -> None:
    titles, rows = columns_of("Model Flow rate Power Weight List price", PUMPS)
    assert titles == ("Model", "Flow rate", "Power", "Weight", "List price")
    assert rows[1] == ("Marlin 45", "45 m3/h", "5.5 kW", "71 kg", "EUR 2,980")
    assert rows[3] is None, "its empty cell moves all those before it"


def test_years_and_dates_stand_above_figures() -> None:
    rows = ["Current assets $ 1,117 $ 93", "Other (12) —"]
    assert columns_of("2022 2021", rows) == (
        ("", "2022", "2021"),
        [("Current assets", "$ 1,117", "$ 93"), ("Other", "(12)", "—")],
    )
    titles, _ = columns_of("As of\nJuly 29, 2023 July 30, 2022", rows)
    assert titles == ("", "July 29, 2023", "July 30, 2022")


def test_cells_of_one_word_each() -> None:
    assert columns_of("仓库 城市 负责人", ["一号仓 青岛 林海", "冷库 广州 黄伟"])[1] == [
        ("一号仓", "青岛", "林海"),
        ("冷库", "广州", "黄伟"),
    ]


@pytest.mark.parametrize(
    ("header", "rows"),
    [
        ("Depot Sales Staff", ["Depot 1 1,117 93", "Depot 2 2,234"]),  # what is missing?
        ("Part Interval Who", ["Shaft seal every 4,000 hours partner", "Coupling once a year operator"]),
        ("Total\nHome Abroad Total", ["Balance 12 34 46", "Paid 5 6 11"]),  # titles over several lines
        ("Sales Staff", ["North 1,117 93", "South 2,234 186"]),  # a title is missing
        ("Model", ["A 1", "B 2"]),
        ("Model Weight", ["A 1 kg"]),
    ],
)
def test_what_leaves_something_open_is_not_cut(header: str, rows: list[str]) -> None:
    assert columns_of(header, rows) == ((), [])


def test_a_row_of_a_page_is_told_with_its_titles() -> None:
    page = "All pumps have a base plate.\n\nModel Flow rate Power Weight List price\n" + "\n".join(PUMPS)
    found = quoted("What is the weight of the Marlin 45?", page).text
    assert (
        "Model: Marlin 45; Flow rate: 45 m3/h; Power: 5.5 kW; Weight: 71 kg; List price: EUR 2,980" in found
    )
