"""Tables that were drawn column by column."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.readers import read_bytes
from ingest.readers.pdf_columnwise import Placed, row_by_row

NAMES = ["Item", "Pump", "Valve", "Cable", "Hose"]
SOLD = ["2023", "4,471", "88", "420", "17"]
REMARKS = ["Remarks", "arrived", "to be checked", "good", "missing"]


def drawn(columns: Sequence[Sequence[str]], above: str = "", below: str = "") -> str:
    from reportlab.pdfgen.canvas import Canvas

    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(595, 842), invariant=True)
    canvas.drawString(60, 800, above)
    for number, column in enumerate(columns):
        for row, cell in enumerate(column):
            canvas.drawString(60 + 160 * number, 780 - 16 * row, cell)
    canvas.drawString(60, 600, below)
    canvas.showPage()
    canvas.save()
    return read_bytes(buffer.getvalue(), "x.pdf").text


def test_its_rows_are_lines() -> None:
    text = drawn([NAMES, SOLD, REMARKS], above="Sales of the year", below="All figures are in pieces.")
    rows = [" ".join(cells) for cells in zip(NAMES, SOLD, REMARKS, strict=True)]
    assert text.split("\n") == ["Sales of the year", *rows, "All figures are in pieces."]


def test_a_cell_may_be_missing_at_the_top_or_inside() -> None:
    text = drawn([NAMES, ["", "4,471", "88", "", "17"]])
    assert text.split("\n") == ["Item", "Pump 4,471", "Valve 88", "Cable", "Hose 17"]


@pytest.mark.parametrize("second", [REMARKS, [f"See page {n}" for n in range(5)]])
def test_columns_of_words_stay_columns(second: list[str]) -> None:
    assert drawn([NAMES, second]).split("\n") == [*NAMES, *second]


@given(
    st.lists(
        st.builds(
            Placed,
            st.sampled_from(["Pump", "4,471", "88", "", "Total 5 6", "—"]),
            st.floats(0, 500),
            st.floats(0, 500),
            st.floats(0, 800),
        ),
        max_size=30,
    )
)
def test_no_word_is_lost_or_added(lines: list[Placed]) -> None:
    before = sorted(" ".join(line.text for line in lines).split())
    assert sorted(" ".join(row_by_row(lines)).split()) == before
