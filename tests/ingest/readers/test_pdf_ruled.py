"""Tables with drawn lines whose cells are broken over several lines."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import pytest

from ingest.readers import read_bytes
from ingest.readers.pdf_grids import Stroke, grids_of
from ingest.readers.pdf_ruled import Placed, rows_as_lines

PARTS = (
    ("No.", "Description of the part", "Stock", "Who is responsible for it"),
    ("R-101", "Pump for the cold water circuit in hall four", "4471", "Anna, beside the boiler room"),
    ("R-102", "Valve of the main line", "88", "Li Wei"),
    ("R-103", "Hose for hot oil up to two hundred degrees", "17", "Paul, behind the depot"),
)
ROWS = [" ".join(row) for row in PARTS]
ZH = (
    ("编号", "名称及说明", "数量", "负责人"),
    ("R-101", "四号厂房冷水循环用不锈钢水泵", "4471", "陆明远，锅炉房旁边的四号厂房"),
    ("R-102", "主管阀门", "88", "李伟"),
)
GRID = [("GRID", (0, 0), (-1, -1), 0.5, "black")]


def printed(rows: Sequence[Sequence[str]], style: Sequence[Any], *, font: str = "Helvetica") -> bytes:
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.platypus import Paragraph, SimpleDocTemplate, Table, TableStyle

    if font != "Helvetica":
        pdfmetrics.registerFont(UnicodeCIDFont(font))
    look = ParagraphStyle("x", fontName=font, wordWrap="CJK" if font != "Helvetica" else None)
    table = Table([[Paragraph(cell, look) for cell in row] for row in rows], colWidths=[50, 110, 50, 90])
    table.setStyle(TableStyle(list(style)))
    buffer = io.BytesIO()
    document = SimpleDocTemplate(buffer, invariant=True)
    document.build([Paragraph("Before it.", look), table, Paragraph("After it.", look)])
    return buffer.getvalue()


@pytest.mark.parametrize(
    "style",
    [
        GRID,
        [*GRID, ("VALIGN", (0, 0), (-1, -1), "MIDDLE")],
        [("ROWBACKGROUNDS", (0, 0), (-1, -1), ["lightgrey", "white"])],
    ],
)
def test_each_row_is_one_line(style: list[Any]) -> None:
    assert read_bytes(printed(PARTS, style), "a.pdf").text.split("\n") == ["Before it.", *ROWS, "After it."]


def test_lines_below_the_rows_are_enough() -> None:
    style = [("LINEBELOW", (0, 0), (-1, -1), 0.5, "black")]
    assert set(ROWS[1:]) <= set(read_bytes(printed(PARTS, style), "a.pdf").text.split("\n"))


def test_chinese_lines_are_joined_without_a_blank() -> None:
    text = read_bytes(printed(ZH, GRID, font="STSong-Light"), "a.pdf").text
    assert text.split("\n") == ["Before it.", *(" ".join(row) for row in ZH), "After it."]


def test_words_cut_in_a_cell_are_joined() -> None:
    cut = (*PARTS[:2], ("R-104", "Valve with a reinforce-<br/>ment of the steel", "3", "Li"))
    lines = read_bytes(printed(cut, GRID), "a.pdf").text.split("\n")
    assert "R-104 Valve with a reinforcement of the steel 3 Li" in lines


def test_lines_of_a_list_in_a_cell_stay_lines() -> None:
    listed = (*PARTS[:2], ("R-104", "Oil<br/>Water<br/>Steam", "3", "Li Wei"))
    lines = read_bytes(printed(listed, GRID), "a.pdf").text.split("\n")
    assert ROWS[1] in lines
    assert {"Water", "Oil"} <= set(" ".join(lines).split())
    assert not any("Oil Water" in line for line in lines)


def test_figures_under_each_other_are_rows_that_no_line_divides() -> None:
    grouped = (PARTS[0], ("R-1<br/>R-2", "Pump<br/>Valve", "4471<br/>88", "Anna<br/>Li"))
    text = read_bytes(printed(grouped, GRID), "a.pdf").text
    assert "4471 88" not in text
    assert "Pump Valve" not in text


def grid(*heights: float, places: Sequence[float]) -> list[Stroke]:
    return [
        *(Stroke(True, at, places[0], places[-1]) for at in heights),
        *(Stroke(False, at, min(heights), max(heights)) for at in places),
    ]


def test_grids_are_what_touches() -> None:
    one = grid(100, 80, 60, places=(0, 50, 100))
    other = grid(40, 20, 0, places=(0, 100))
    (first, second) = grids_of([*one, *other])
    assert (first.heights, first.places) == ((100, 80, 60), (0, 50, 100))
    assert second.cell(50, 30) == ((0, 0), 100)
    assert first.cell(70, 70) == ((1, 1), 50)
    assert first.cell(70, 50) is None
    # A line between two cells is missing: they are one.
    joined = [stroke for stroke in one if stroke.across or stroke.at != 50]
    joined.append(Stroke(False, 50, 60, 80))
    (merged,) = grids_of(joined)
    assert merged.cell(70, 90) == ((0, 0), 100)
    assert merged.cell(70, 70) == ((1, 1), 50)
    assert grids_of(grid(100, 0, places=(0, 100))) == []  # a box
    assert grids_of([Stroke(True, 7.0 * n, 0, 100) for n in range(1000)]) == []


def letters(text: str, cells: dict[str, tuple[int, int]]) -> list[Placed | None]:
    """Each letter in the cell of its name, as wide as ten points; those without are outside."""
    return [
        Placed(0, cells[letter], 0.0, 10.0, -100.0 * cells[letter][0], 10.0) if letter in cells else None
        for letter in "".join(text.split())
    ]


def test_text_that_the_lines_cut_or_that_stands_elsewhere_stays_as_it_is() -> None:
    cells = {"a": (0, 0), "b": (0, 1), "c": (1, 0), "d": (1, 1)}
    assert rows_as_lines("x\na\nb c d\ny", letters("xabcdy", cells))[0] == "x\na b\nc d\ny"
    cut = "x\na\nbc d\ny"  # a word in two rows
    assert rows_as_lines(cut, letters("xabcdy", cells)) == (cut, frozenset())
    between = "a\nb x c d"
    assert rows_as_lines(between, letters("abxcd", cells)) == (between, frozenset())
    right = "a b\nc d"
    assert rows_as_lines(right, letters("abcd", cells)) == (right, frozenset())
    assert rows_as_lines("ab", []) == ("ab", frozenset())
