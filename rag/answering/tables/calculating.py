"""Reading + table → its result, exact."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from decimal import Decimal

from rag.answering.tables.cells import is_empty, quantity
from rag.answering.tables.reading import Operation, Reading
from rag.answering.tables.whole import Row, Whole


@dataclass(frozen=True, slots=True)
class Result:
    """What a calculation gave.

    rows: those that met the conditions; of: all rows of the table without the ones that sum up. value: of a
    count, sum, average, maximum or minimum, None for a list. at: the rows that have the maximum or minimum.
    values: what is listed, in order, each once. unread: rows whose cell holds no number, so they are not in
    the value. stated: what the table's own total row says of the column, if it has one.
    units: how often each unit stands in the column.
    """

    operation: Operation
    column: int | None
    value: Decimal | None
    rows: tuple[Row, ...]
    of: int
    at: tuple[Row, ...] = ()
    values: tuple[str, ...] = ()
    unread: tuple[Row, ...] = ()
    stated: Decimal | None = None
    units: tuple[tuple[str, int], ...] = ()
    grouped: bool = False
    places: int = 0


def calculate(reading: Reading, table: Whole) -> Result:
    every = [row for row in table.rows if not row.is_total]
    rows = tuple(
        row for row in every if all(each.holds(_cell(row, each.column)) for each in reading.conditions)
    )
    if reading.column is None:
        return Result(reading.operation, None, Decimal(len(rows)), rows, len(every))
    column = reading.column
    if reading.operation == "list":
        values = tuple(dict.fromkeys(cell for row in rows if (cell := _cell(row, column))))
        return Result("list", column, None, rows, len(every), values=values)
    numbers = [(row, quantity(_cell(row, column))) for row in rows]
    read = [(row, found) for row, found in numbers if found is not None]
    units = Counter(found.unit for _, found in read)
    values_ = [found.value for _, found in read]
    value: Decimal | None = None
    at: tuple[Row, ...] = ()
    if values_:
        if reading.operation == "sum":
            value = sum(values_, Decimal(0))
        elif reading.operation == "average":
            value = sum(values_, Decimal(0)) / len(values_)
        else:
            value = max(values_) if reading.operation == "max" else min(values_)
            at = tuple(row for row, found in read if found.value == value)
    return Result(
        operation=reading.operation,
        column=column,
        value=value,
        rows=rows,
        of=len(every),
        at=at,
        unread=tuple(row for row, found in numbers if found is None and not is_empty(_cell(row, column))),
        stated=None if reading.conditions else _stated(table, column),
        units=tuple(units.most_common()),
        grouped=any(found.grouped for _, found in read),
        places=max((found.places for _, found in read), default=0),
    )


def _cell(row: Row, column: int) -> str:
    return row.cells[column] if column < len(row.cells) else ""


def _stated(table: Whole, column: int) -> Decimal | None:
    totals = [row for row in table.rows if row.is_total]
    # Of several (subtotals and a grand one) none can be told to be the right one.
    found = quantity(_cell(totals[0], column)) if len(totals) == 1 else None
    return found.value if found else None
