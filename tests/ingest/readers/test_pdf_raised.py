from __future__ import annotations

import io

from ingest.readers import read_bytes
from ingest.readers.pdf_raised import marked, renamed


def page(*runs: tuple[str, float, float], size: float = 11) -> str:
    """What is read of a line of runs: text, how much it is raised, and its size."""
    from reportlab.pdfgen.canvas import Canvas

    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(595, 842), invariant=True)
    text = canvas.beginText(60, 740)
    for words, raised, of_size in runs:
        text.setFont("Helvetica", of_size)
        text.setRise(raised)
        text.textOut(words)
    canvas.drawText(text)
    canvas.showPage()
    canvas.save()
    return " ".join(read_bytes(buffer.getvalue(), "a.pdf").text.split())


def test_a_raised_figure_is_no_part_of_the_number_before_it() -> None:
    assert page(("It holds 10", 0, 11), ("6", 4, 7), (" units.", 0, 11)) == "It holds 10^6 units."
    assert page(("Sales 4,471", 0, 11), ("12", 4, 7), (" euro.", 0, 11)) == "Sales 4,471^12 euro."
    half = page(("It is 2", 0, 11), ("1", 4, 7), ("/", 0, 9), ("2", 0, 7), (" m.", 0, 11))
    assert half.replace(" /", "/") == "It is 2 1/2 m."


def test_figures_of_one_height_or_size_are_one_number() -> None:
    assert page(("It holds 10", 0, 11), ("6", 0, 7), (" units.", 0, 11)) == "It holds 106 units."
    assert page(("It holds 10", 0, 11), ("6", 0, 11), (" units.", 0, 11)) == "It holds 106 units."
    assert page(("As H", 0, 11), ("2", -3, 7), ("O.", 0, 11)) == "As H2O."


def test_marks_stand_where_the_letters_are() -> None:
    counted = "a 10\r\n6 b 225 c"
    assert marked("x 106", [4], "x 106") == "x 10^6"
    assert marked(counted, [12], "a 106\nb 225 c") == "a 106\nb 22^5 c"
    assert marked(counted, [12], "other letters") == "other letters"
    assert renamed({"b 225": 1, "z": 2}, ["b 225"], ["b 22^5"]) == {"b 22^5": 1, "z": 2}
