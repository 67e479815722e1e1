from __future__ import annotations

import io

import pytest

from ingest.readers import read_bytes
from ingest.readers.pdf_tables import is_row, tables_of
from rag.records import Document

COLUMNS = (60, 300, 400, 500)


def drawn(pages: list[list[tuple[str, ...]]], font: str = "Helvetica") -> Document:
    """Pages of lines; a line of several cells has them in columns, figures set flush right; one of a single
    cell is text, one that begins with an empty cell has no name at its left."""
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.pdfgen.canvas import Canvas

    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(595, 842), invariant=True)
    for lines in pages:
        canvas.setFont(font, 10)
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


def test_names_of_columns_that_are_broken_in_many_lines_and_the_unit_above_them() -> None:
    names = [("", "Amortized"), ("", "cost"), ("", "", "Unrealized"), ("", "", "gains"), ("", "", "", "Fair")]
    lines = [TEXT, ("(in millions)",), *names, ("", "", "", "value"), *ROWS, TEXT]
    ((header, rows),) = found(drawn([lines]))
    assert header == "(in millions)\nAmortized\ncost\nUnrealized\ngains\nFair\nvalue"
    assert rows.split("\n") == [" ".join(row) for row in ROWS]


def test_a_line_that_names_the_rows_and_the_first_column_only() -> None:
    lines = [TEXT, ("Obligations", "Total"), ("", "", "1 year", "5 years"), *ROWS, TEXT]
    ((header, _),) = found(drawn([lines]))
    assert header == "Obligations Total\n1 year 5 years"


def test_rows_of_which_cells_are_empty_are_rows_of_the_table() -> None:
    rows = [
        ("Net income", "", "805", "1,048"),
        ("Interest", "300", "", "193"),
        ("Earnings", "1,101", "265", ""),
        ("Impact", "10", "", "16"),
        ("Losses", "", "4", "13"),
        ("Taxes", "200", "8", ""),
        ("Others", "3", "", "8"),
        ("Sum", "1,517", "289", "1,608"),
    ]
    ((header, body),) = found(drawn([[TEXT, ("", "Paper", "Glass", "Total"), *rows, TEXT]]))
    assert header == "Paper Glass Total"
    assert body.split("\n") == [" ".join(filter(None, row)) for row in rows]


def test_years_between_rows_begin_a_table_of_their_own() -> None:
    def quarter(name: str) -> list[tuple[str, ...]]:
        return [("(in millions)", "", name), ("", "2023", "2022", "2021"), *ROWS[:4]]

    tables = found(drawn([[TEXT, *quarter("First quarter"), *quarter("Second quarter"), TEXT]]))
    assert [header for header, _ in tables] == [
        f"(in millions) {name} quarter\n2023 2022 2021" for name in ("First", "Second")
    ]
    assert [len(rows.split("\n")) for _, rows in tables] == [4, 4]


def test_a_row_without_figures_is_no_header() -> None:
    lines = [TEXT, ("", "Paper", "Glass", "Total"), ("Balance", "—", "—", "—"), *ROWS, TEXT]
    ((header, rows),) = found(drawn([lines]))
    assert header == "Paper Glass Total"
    assert rows.startswith("Balance — — —\n")


@pytest.mark.parametrize("unit", ["单位：人民币万元", "（单位：元）", "Amounts in thousands of euros"])
def test_the_unit_above_the_header_belongs_to_it(unit: str) -> None:
    lines = [(unit,), ("项目", "2023年", "2022年", "增减（%）"), *ROWS]
    ((header, rows),) = found(drawn([lines], font="STSong-Light"))
    assert header == f"{unit}\n项目 2023年 2022年 增减（%）"
    assert len(rows.split("\n")) == len(ROWS)


def test_figures_may_have_chinese_units() -> None:
    rows = [
        ("宁波店", "12万", "13万", "25万"),
        ("上海店", "2亿", "3亿", "5亿"),
        ("北京店", "98元", "1元", "99元"),
    ]
    ((header, _),) = found(drawn([[("分店", "一季度", "二季度", "合计"), *rows]], font="STSong-Light"))
    assert header == "分店 一季度 二季度 合计"
