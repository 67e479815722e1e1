"""Tables of a document as wholes: over several pages, under their titles, with or without a header."""

from __future__ import annotations

from rag.answering.tables.calculating import calculate
from rag.answering.tables.reading import read
from rag.answering.tables.telling import number
from rag.answering.tables.whole import tables_of
from rag.records import Document, Heading, Page, Table


def test_a_table_over_two_pages_names_both() -> None:
    first, second = "Name | Age\nA | 1", "B | 2\n\nText."
    pages = (Page(7, first), Page(8, second))
    (found,) = tables_of(Document("0", "pdf", pages, tables=(Table(0, len(first) + 2 + 5, 10),)))
    assert found.header == ("Name", "Age")
    assert [row.cells for row in found.rows] == [("A", "1"), ("B", "2")]
    assert found.pages == ((7, 0, len(first)), (8, len(first) + 2, len(first) + 7))


def test_a_table_without_header_has_rows_only() -> None:
    text = "a | b\nc | d"
    (found,) = tables_of(Document("0", "html", (Page(None, text),), tables=(Table(0, len(text), 0),)))
    assert found.header == ()
    assert [row.cells for row in found.rows] == [("a", "b"), ("c", "d")]
    assert found.pages == ((None, 0, len(text)),)


def test_titles_above_a_table_name_it() -> None:
    text = "# Census\n\nBefore.\n\n## Towns\n\n| Town | People |\n|---|--:|\n" + "\n".join(
        f"| Town {n} | {n} |" for n in range(200)
    )
    start = text.index("| Town |")
    (found,) = tables_of(
        Document(
            "0",
            "markdown",
            (Page(None, text + "\n\nAfter."),),
            (Heading(0, 1, "Census"), Heading(text.index("## Towns"), 2, "Towns")),
            tables=(Table(start, len(text), text.index("\n|---")),),
        )
    )
    assert len(found.rows) == 200
    assert sum(int(cell) for cell in found.column(1)) == sum(range(200))
    assert found.title == "Towns"


def test_markdown_tables_and_text_without_known_tables() -> None:
    text = "Intro.\n\n| Town | People |\n|---|---|\n| A | 1,200 |\n| B | 3,400 |\n| C | 10 |\n\nOutro."
    (table,) = tables_of(Document("0", "markdown", (Page(None, text),)))
    assert table.header == ("Town", "People")
    reading = read("How many people are there in total?", table, "towns.md")
    assert reading is not None
    assert number(calculate(reading, table)) == "4,610"


def test_an_empty_page_within_a_table_is_none_of_its_pages() -> None:
    first, last = "Name | Age\nA | 1", "B | 2"
    pages = (Page(1, first), Page(2, ""), Page(3, last))
    length = len(first) + 2 + 2 + len(last)
    (found,) = tables_of(Document("0", "pdf", pages, tables=(Table(0, length, 10),)))
    assert [row.cells for row in found.rows] == [("A", "1"), ("B", "2")]
    assert [number for number, _, _ in found.pages] == [1, 3]


def test_a_row_that_is_too_short_has_empty_cells() -> None:
    text = "| Name | Age | Town |\n|---|---|---|\n| A | 1 |\n| B | 2 | C |\n| D | 3 | E |"
    (found,) = tables_of(Document("0", "markdown", (Page(None, text),)))
    assert found.width == 3
    assert found.column(2) == ["", "C", "E"]
    assert [found.rows[0].cell(column) for column in range(4)] == ["A", "1", "", ""]
