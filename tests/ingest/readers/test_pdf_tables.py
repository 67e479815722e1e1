from __future__ import annotations

import io

from ingest.readers import read_bytes
from ingest.readers.pdf_tables import is_row, tables_of
from rag.records import Document

COLUMNS = (60, 300, 400, 500)


def drawn(pages: list[list[tuple[str, ...]]]) -> Document:
    """Pages of lines; a line of several cells has them in columns, figures set flush right; one of a single
    cell is text, one that begins with an empty cell has no name at its left."""
    from reportlab.pdfgen.canvas import Canvas

    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(595, 842), invariant=True)
    for lines in pages:
        canvas.setFont("Helvetica", 10)
        for number, cells in enumerate(lines):
            y = 780 - 14 * number
            canvas.drawString(COLUMNS[0], y, cells[0])
            for x, cell in zip(COLUMNS[1:], cells[1:], strict=False):
                canvas.drawRightString(x, y, cell)
        canvas.showPage()
    canvas.save()
    return read_bytes(buffer.getvalue(), "x.pdf")


def found(document: Document) -> list[tuple[str, str]]:
    """The header and the rows of each table."""
    return [
        (
            document.text[table.start : table.header_end],
            document.text[max(table.start, table.header_end) : table.end].strip("\n"),
        )
        for table in document.tables
    ]


ROWS = [
    (f"Depot {letter * 3}", f"{n * 1117:,}", f"{n * 93}", f"{n}.5%") for n, letter in enumerate("abcdef", 1)
]
TEXT = ("The depots had a good year, as the following table of their figures shows.",)


def test_rows_with_two_lines_of_header() -> None:
    document = drawn(
        [[TEXT, ("", "Year ended", "30 June"), ("Depot", "Sales", "Staff", "Growth"), *ROWS, TEXT]]
    )
    ((header, rows),) = found(document)
    assert header == "Year ended 30 June\nDepot Sales Staff Growth"
    assert rows.split("\n") == [" ".join(row) for row in ROWS]


def test_years_over_the_columns_and_names_of_groups() -> None:
    rows = [("Current assets:",), *ROWS[:3], ("Others",), *ROWS[3:]]
    ((header, body),) = found(drawn([[TEXT, ("", "2022", "2021", "2020"), *rows, TEXT]]))
    assert header == "2022 2021 2020"
    assert body.split("\n")[0] == "Current assets:"
    assert body.split("\n")[-1] == " ".join(ROWS[-1])


def test_a_table_that_goes_on_overleaf_is_one() -> None:
    document = drawn([[TEXT, ("Depot", "Sales", "Staff", "Growth"), *ROWS[:3]], [*ROWS[3:], TEXT]])
    ((header, rows),) = found(document)
    assert header == "Depot Sales Staff Growth"
    assert len([row for row in rows.split("\n") if row]) == 6


def test_a_table_with_a_new_header_is_a_new_one() -> None:
    head = ("Depot", "Sales", "Staff", "Growth")
    document = drawn([[TEXT, head, *ROWS, TEXT, ("Shop", "Goods", "Rent", "Share"), *ROWS]])
    assert [header for header, _ in found(document)] == ["Depot Sales Staff Growth", "Shop Goods Rent Share"]


def test_what_only_has_figures_is_no_table() -> None:
    contents = [(f"Section {n}.{n} The rules of house {n} in short 1{n}",) for n in range(1, 8)]
    prose = [
        (f"In 2019 and 2020 about {n} of 4{n} depots were closed, more than in 2018.",) for n in range(8)
    ]
    references = [
        (f"[{n}] Okonkwo, A. Depots. Journal {n * 7} {n * 11}-{n * 12}, 20{n}1.",) for n in range(1, 9)
    ]
    for lines in (contents, prose, references):
        assert found(drawn([lines])) == []
    ragged = [(f"{'word ' * n}{n * 13} {n * 17}",) for n in range(1, 9)]
    assert found(drawn([ragged])) == []


def test_rows() -> None:
    assert is_row("Alabama 18,870 23,022 22,650")
    assert is_row("Loss on the sale of long term investments of the company (364.45) (143.11)")
    assert is_row("营业收入 1,234.5 2,345.6")
    assert not is_row("Section 1.01 Certain Defined Terms 1")
    assert not is_row("Contents … 3 4")
    assert not is_row("He was 12 years old.")


def test_without_places_there_are_no_tables() -> None:
    assert tables_of(["a 1 2\nb 3 4\nc 5 6"], [{}]) == ()
