"""Ends of lines that pdfium does not give."""

from __future__ import annotations

import io

import pytest
from reportlab.pdfgen.canvas import Canvas

from ingest.readers import read_bytes


def page(draw: object) -> str:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(595, 842), invariant=True)
    canvas.setFont("Helvetica", 10)
    assert callable(draw)
    draw(canvas)
    canvas.showPage()
    canvas.save()
    return read_bytes(buffer.getvalue(), "x.pdf").text


ROWS = [(str(n), f"Bracket {n}", str(3 * n), f"{1.5 * n:.2f}") for n in range(1, 13)]


def test_rows_that_begin_with_one_figure_are_lines() -> None:
    def draw(canvas: Canvas) -> None:
        for number, cells in enumerate([("No.", "Part", "Pieces", "Price"), *ROWS]):
            for x, cell in zip((60, 160, 300, 400), cells, strict=True):
                canvas.drawString(x, 780 - 18 * number, cell)

    assert page(draw).split("\n") == ["No. Part Pieces Price", *(" ".join(row) for row in ROWS)]


def test_what_stands_lower_goes_on_in_its_line() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(60, 780, "The store holds CO")
        canvas.setFont("Helvetica", 6)
        canvas.drawString(60 + canvas.stringWidth("The store holds CO", "Helvetica", 10), 777, "2")

    assert "\n" not in page(draw)


@pytest.mark.parametrize("turn", [90, 270])
def test_text_set_on_its_side_keeps_its_lines(turn: int) -> None:
    lines = [f"The barge number {n} carries gravel." for n in range(4)]

    def draw(canvas: Canvas) -> None:
        canvas.translate(300, 400)
        canvas.rotate(turn)
        for number, line in enumerate(lines):
            canvas.drawString(0, -20 * number, line)

    assert page(draw).split("\n") == lines


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_lone_figures_in_a_row_do_not_run_together(turn: int) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.translate(298, 421)
        canvas.rotate(turn)
        for number, cells in enumerate([("Depot", "0", "0", "7"), ("Harbour", "12", "0", "34")]):
            for x, cell in zip((-200, -100, 0, 100), cells, strict=True):
                canvas.drawString(x, 50 - 18 * number, cell)

    assert page(draw).split("\n") == ["Depot 0 0 7", "Harbour 12 0 34"]


def test_letters_that_are_drawn_one_by_one_are_words() -> None:
    line = "ADVANCES AND PAYMENTS"

    def draw(canvas: Canvas) -> None:
        x = 60.0
        for letter in line:
            if letter != " ":
                canvas.drawString(x, 780, letter)
            x += canvas.stringWidth(letter, "Helvetica", 10)

    assert page(draw) == line


@pytest.mark.parametrize("shown", [90, 180, 270])
@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_page_that_is_shown_turned_keeps_the_order_of_its_lines(shown: int, turn: int) -> None:
    lines = [f"The barge number {n} carries gravel." for n in range(4)]

    def draw(canvas: Canvas) -> None:
        canvas.setPageRotation(shown)
        canvas.translate(300, 400)
        canvas.rotate(turn)
        for number, line in enumerate(lines):
            canvas.drawString(0, -20 * number, line)

    assert page(draw).split("\n") == lines


@pytest.mark.parametrize("backwards", [True, False])
def test_a_page_that_is_drawn_from_its_foot(backwards: bool) -> None:
    lines = [f"Line {n} of the list of barges." for n in range(12)]

    def draw(canvas: Canvas) -> None:
        for number, line in sorted(enumerate(lines), reverse=backwards):
            canvas.drawString(60, 780 - 18 * number, line)

    assert page(draw).split("\n") == lines


def test_two_columns_of_which_the_right_one_comes_first_stay_as_they_are() -> None:
    lines = [f"{side} {n} of the list" for side in ("Right", "Left") for n in range(12)]

    def draw(canvas: Canvas) -> None:
        for number, line in enumerate(lines):
            canvas.drawString(300 if line.startswith("Right") else 60, 600 - 18 * (number % 12), line)

    assert page(draw).split("\n") == lines
