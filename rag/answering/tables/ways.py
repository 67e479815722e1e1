"""A way to read a question as a calculation over one table."""

from __future__ import annotations

from dataclasses import dataclass

from rag.answering.tables.operations import Operation, Span


@dataclass(frozen=True, slots=True)
class As:
    """rows: 1 if rows are spoken of, else 0. meant: 1 if the question's grammar says that it is this column,
    or what stands in it, that is asked for. times, span: as in `tables.reading.Reading`."""

    operation: Operation
    column: int | None = None
    group: int | None = None
    rows: int = 0
    meant: int = 0
    times: int | None = None
    span: Span | None = None
