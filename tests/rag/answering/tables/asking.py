"""Tables of given rows, and what is calculated of them: for tests of tables."""

from __future__ import annotations

from rag.answering.tables.calculating import Result, calculate
from rag.answering.tables.reading import Reading, read
from rag.answering.tables.whole import Whole, tables_of
from rag.records import Document, Page


def table(header: str, *rows: str) -> Whole:
    """Of lines of Markdown."""
    text = "\n".join([header, "|---|---|", *rows])
    (found,) = tables_of(Document("0", "markdown", (Page(None, text),)))
    return found


def calculated(question: str, of: Whole, name: str) -> tuple[Reading, Result]:
    """What is asked of a table of that name, and what comes out; it must be a calculation."""
    reading = read(question, of, name)
    assert reading is not None, question
    return reading, calculate(reading, of)
