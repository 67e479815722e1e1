from __future__ import annotations

import io

import pytest

from ingest.readers import read_bytes

LEFT = (
    "The harbour depot keeps four hundred metres of spare cable on",
    "the seventh shelf, next to the window that looks out on the",
    "lane. Nobody may take any of it without the warden's written",
    "consent, which is given on Mondays only.",
)
RIGHT = (
    "Visitors are shown the depot on the first Sunday of a month",
    "by the warden or her deputy. They pay three euros each, and",
    "children under ten go free. Dogs wait outside, where there",
    "is a bowl of water for them.",
)


def page(order: str, *, pitch: tuple[float, ...] = (12,), size: int = 9) -> str:
    """Two columns of twelve lines under a title and over a note, drawn in one order or another."""
    from reportlab.pdfgen.canvas import Canvas

    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(595, 842), invariant=True)
    canvas.setFont("Helvetica", size)
    canvas.drawString(150, 800, "A title that spans both of the columns of this page")
    heights = [740 - sum(pitch[n % len(pitch)] for n in range(row)) for row in range(12)]
    left = [(50, y, line) for y, line in zip(heights, LEFT * 3, strict=True)]
    right = [(320, y, line) for y, line in zip(heights, RIGHT * 3, strict=True)]
    # The left column is longer by two lines.
    left += [(50, heights[-1] - 12 * n, f"The left column goes on alone, line {n}.") for n in (1, 2)]
    lines = [*left, *right]
    if order == "across":
        lines.sort(key=lambda line: (-line[1], line[0]))
    for x, y, text in lines:
        canvas.drawString(x, y, text)
    canvas.drawString(50, 60, "1 A note under both of them.")
    canvas.save()
    return " ".join(read_bytes(buffer.getvalue(), "x.pdf").text.split())


@pytest.mark.parametrize("order", ["down", "across"])
def test_columns_are_read_one_after_the_other(order: str) -> None:
    text = page(order)
    places = [
        text.index("A title that spans"),
        text.index("on the seventh shelf, next to the window that looks out on the lane."),
        text.index("The left column goes on alone, line 2."),
        text.index("month by the warden or her deputy. They pay three euros each, and children under ten"),
        text.index("1 A note under both of them."),
    ]
    assert places == sorted(places)
    assert text.count("harbour depot") == 3


def test_rows_at_uneven_distances_stay_rows() -> None:
    """A table with cells as wide as columns: what belongs together stays together."""
    text = page("across", pitch=(12, 12, 30))
    assert "spare cable on Visitors are shown" in text
