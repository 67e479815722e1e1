"""The whole table around a chunk, or none of it."""

from __future__ import annotations

from rag.records import Table
from rag.retrieval.tables import Tables
from tests.rag.retrieval.shelf import Shelf

ROWS = ["Town People", "A 1", "B 2", "C 3", "D 4"]
TEXT = " ".join(ROWS)


def tables(shelf: Shelf) -> Tables:
    return Tables(shelf)  # type: ignore[arg-type]


def test_all_chunks_of_the_table_and_none_beside_it() -> None:
    end = TEXT.index("D 4")
    shelf = Shelf({"t": ROWS}, {"t": (Table(0, end - 1, len(ROWS[0])),)})
    chunks = shelf.by_document["t"]
    found = tables(shelf)
    assert found.around(chunks[2]) == chunks[:4]
    assert found.around(chunks[4]) == []
    assert found.beside(chunks[4]) == []


def test_the_nearest_come_first() -> None:
    shelf = Shelf({"t": ROWS}, {"t": (Table(0, len(TEXT), len(ROWS[0])),)})
    chunks = shelf.by_document["t"]
    assert [one.ordinal for one in tables(shelf).beside(chunks[3])] == [2, 4, 1, 0]


def test_of_a_table_that_is_too_long_there_is_nothing() -> None:
    rows = [f"row {number}" for number in range(200)]
    text = " ".join(rows)
    shelf = Shelf({"t": rows}, {"t": (Table(0, len(text), 5),)})
    assert tables(shelf).around(shelf.by_document["t"][100]) == []


def test_the_spans_of_a_document_are_read_once() -> None:
    class Counted(Shelf):
        reads = 0

        def tables(self, sha256: str) -> tuple[Table, ...]:
            self.reads += 1
            return super().tables(sha256)

    shelf = Counted({"t": ROWS})
    found = tables(shelf)
    for chunk in shelf.by_document["t"]:
        assert found.around(chunk) == []
    assert shelf.reads == 1
