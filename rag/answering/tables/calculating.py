"""Reading + table → its result, exact."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from rag.answering.tables.cells import Quantity, day, is_empty, of_span, quantity
from rag.answering.tables.concepts import concepts
from rag.answering.tables.conditions import UNITS, is_dated, named_columns
from rag.answering.tables.operations import Operation
from rag.answering.tables.reading import Reading
from rag.answering.tables.whole import Row, Whole


@dataclass(frozen=True, slots=True)
class Result:
    """What a calculation gave.

    rows: those that met the conditions; of: all rows of the table without the ones that sum up. value: of
    a count, sum, average, maximum or minimum, None for a list. at: the rows that have the maximum or
    minimum, or the only one that is meant. values: what is listed, in order, each once. unread: rows
    whose cell holds no number, so they are not in the value. stated: what the table's own total row says
    of the column, if it has one. units: how often each unit stands in the column. day: of the last or
    first in time, as it is written. groups: of a comparison of groups, each with its sum, the best first.
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
    day: str = ""
    groups: tuple[tuple[str, Decimal], ...] = ()


def calculate(reading: Reading, table: Whole) -> Result:
    every = [row for row in table.rows if not row.is_total]
    rows = tuple(
        row for row in every if all(each.holds(row.cell(each.column)) for each in reading.conditions)
    )
    if reading.group is not None:
        return _by_group(reading, reading.group, rows, len(every))
    if reading.column is None:
        return Result(reading.operation, None, Decimal(len(rows)), rows, len(every))
    column = reading.column
    if reading.operation == "count":
        values = tuple(dict.fromkeys(cell for row in rows if not is_empty(cell := row.cell(column))))
        return Result("count", column, Decimal(len(values)), rows, len(every), values=values)
    if reading.operation == "list":
        values = tuple(dict.fromkeys(cell for row in rows if (cell := row.cell(column))))
        return Result("list", column, None, rows, len(every), values=values)
    if reading.operation in ("max", "min") and is_dated([row.cell(column) for row in every]):
        return _in_time(reading.operation, column, rows, len(every))
    numbers = [(row, _amount(row, reading)) for row in rows]
    read = [(row, found) for row, found in numbers if found is not None]
    units = Counter(found.unit for _, found in read)
    values_ = [found.value for _, found in read]
    value: Decimal | None = None
    at: tuple[Row, ...] = ()
    if values_:
        if reading.operation == "sum":
            value = sum(values_, Decimal(0))
            # Of one row that is named the rest is shown, too.
            at = rows if len(rows) == 1 and reading.conditions else ()
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
        unread=tuple(row for row, found in numbers if found is None and not is_empty(row.cell(column))),
        stated=None if reading.conditions or reading.times is not None else _stated(table, column),
        units=_units(units, reading, table, rows),
        grouped=any(found.grouped for _, found in read),
        places=max((found.places for row, found in read if not at or row in at), default=0),
    )


def _in_time(operation: Operation, column: int, rows: tuple[Row, ...], of: int) -> Result:
    read = [(row, found) for row in rows if (found := day(row.cell(column))) is not None]
    if not read:
        return Result(operation, column, None, rows, of)
    best = (max if operation == "max" else min)(found for _, found in read)
    at = tuple(row for row, found in read if found == best)
    value = Decimal(best[0] * 10_000 + best[1] * 100 + best[2])
    unread = tuple(row for row in rows if day(row.cell(column)) is None and row.cell(column).strip())
    return Result(operation, column, value, rows, of, at, unread=unread, day=at[0].cell(column).strip())


def _by_group(reading: Reading, group: int, rows: tuple[Row, ...], of: int) -> Result:
    """The sums or averages of a column, or the numbers of rows, of each value of the column `group`; the best
    first where the highest or lowest is asked for, else as they come, with what they are in all."""
    amounts: dict[str, list[Decimal]] = {}
    units: Counter[str] = Counter()
    unread: list[Row] = []
    grouped, places = False, 0
    for row in rows:
        key = row.cell(group).strip()
        if reading.span is not None:
            key = of_span(key, reading.span)
        if is_empty(key):
            continue
        amount = Decimal(1)
        if reading.column is not None:
            found = _amount(row, reading)
            if found is None:
                unread += [row] if not is_empty(row.cell(reading.column)) else []
                continue
            amount = found.value
            units[found.unit] += 1
            grouped, places = grouped or found.grouped, max(places, found.places)
        amounts.setdefault(key, []).append(amount)
    if not amounts:
        return Result(reading.operation, reading.column, None, rows, of)
    average = reading.operation == "average"
    told = [(key, sum(each, Decimal(0)) / (len(each) if average else 1)) for key, each in amounts.items()]
    values = [amount for _, amount in told]
    if reading.operation in ("max", "min"):
        best = (max if reading.operation == "max" else min)(values)
        told.sort(key=lambda each: each[1], reverse=reading.operation == "max")
    else:
        every = [amount for each in amounts.values() for amount in each]
        best = sum(every, Decimal(0)) / (len(every) if average else 1)
    return Result(
        reading.operation,
        reading.column,
        best,
        rows,
        of,
        groups=tuple(told),
        unread=tuple(unread),
        units=tuple(units.most_common()),
        grouped=grouped,
        places=places,
    )


def _amount(row: Row, reading: Reading) -> Quantity | None:
    """The number of a row that is added up or compared: of two columns their product."""
    found = quantity(row.cell(reading.column or 0))
    if found is None or reading.times is None:
        return found
    factor = quantity(row.cell(reading.times))
    if factor is None:
        return None
    places = max(found.places, factor.places)
    return Quantity(found.value * factor.value, factor.unit, found.grouped or factor.grouped, places)


def _units(
    units: Counter[str], reading: Reading, table: Whole, rows: Sequence[Row]
) -> tuple[tuple[str, int], ...]:
    """How often each unit stands in the cells; where none does, in a column of units beside quantities."""
    titles = table.header
    counted = named_columns(concepts("quantity stock"), table, set())
    if any(units) or reading.times is not None or reading.column not in counted:
        return tuple(units.most_common())
    beside = [index for index, title in enumerate(titles) if UNITS.fullmatch(title.strip())]
    if len(beside) != 1:
        return tuple(units.most_common())
    said = Counter(cell for row in rows if not is_empty(cell := row.cell(beside[0]).strip()))
    return tuple(said.most_common())


def _stated(table: Whole, column: int) -> Decimal | None:
    totals = [row for row in table.rows if row.is_total]
    # Of several (subtotals and a grand one) none can be told to be the right one.
    found = quantity(totals[0].cell(column)) if len(totals) == 1 else None
    return found.value if found else None
