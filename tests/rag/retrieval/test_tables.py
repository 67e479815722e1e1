from __future__ import annotations

from rag.records import Document, Heading, Page, Table
from rag.retrieval.tables import cells, tables_of, tables_within


def test_a_table_of_two_hundred_rows_can_be_counted_and_added_up() -> None:
    lines = ["| Town | People |", "|---|--:|", *(f"| Town {n} | {n} |" for n in range(200))]
    table = "\n".join(lines)
    text = "# Census\n\nBefore.\n\n## Towns\n\n" + table + "\n\nAfter."
    start = text.index("| Town |")
    header_end = text.index("\n| Town 0")
    document = Document(
        "0" * 64,
        "markdown",
        (Page(None, text),),
        (Heading(0, 1, "Census"), Heading(text.index("## Towns"), 2, "Towns")),
        tables=(Table(start, start + len(table), header_end),),
    )
    (found,) = tables_of(document)
    assert found.header == ("| Town | People |",)
    assert len(found.rows) == 200
    assert sum(int(cells(row)[1]) for row in found.rows) == sum(range(200))
    assert found.heading == ("Census", "Towns")
    assert found.pages == ()
    middle = text.index("Town 100")
    assert tables_within(document, middle, middle + 20) == [found]
    assert tables_within(document, 0, start) == []
    assert tables_within(document, found.end, len(text)) == []


def test_a_table_over_two_pages_names_both() -> None:
    first, second = "Name | Age\nA | 1", "B | 2\n\nText."
    document = Document(
        "0" * 64, "pdf", (Page(7, first), Page(8, second)), tables=(Table(0, len(first) + 2 + 5, 10),)
    )
    (found,) = tables_of(document)
    assert found.header == ("Name | Age",)
    assert found.rows == ("A | 1", "B | 2")
    assert found.pages == (7, 8)


def test_cells() -> None:
    assert cells("| a | | c |") == ["a", "", "c"]
    assert cells(r"| a \| b | c |") == ["a | b", "c"]
    assert cells("a | b") == ["a", "b"]
    assert cells("a\tb\t") == ["a", "b", ""]
    assert cells("Alabama 18,870 23,022") == ["Alabama 18,870 23,022"]


def test_a_table_without_header_has_rows_only() -> None:
    text = "a | b\nc | d"
    (found,) = tables_of(Document("0" * 64, "html", (Page(None, text),), tables=(Table(0, len(text), 0),)))
    assert found.header == ()
    assert found.rows == ("a | b", "c | d")
