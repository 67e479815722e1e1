"""Question + table → which of the rows are meant: those of a place, above a limit, of a month."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from rag.answering.periods import periods
from rag.answering.tables.between import Within, within
from rag.answering.tables.cells import date, day, is_empty, quantity
from rag.answering.tables.concepts import concepts
from rag.answering.tables.negating import excluded
from rag.answering.tables.questioned import is_bare
from rag.answering.tables.thresholds import Comparison, compared_with
from rag.answering.tables.whole import Whole
from rag.text.folding import fold

UNSUMMED = re.compile(
    r"^(?:no\.?|nr\.?|#|id|number|year|month|day|date|code|row|rank|line)$|序号|编号|编码|代码|年份|月份|日期|行号|排名|电话",
    re.IGNORECASE,
)
UNITS = re.compile(r"(?i)units?|unit of measure|uom|(?:计[量价])?单位")
"""The title of a column that tells in what the others count."""
_PER_ONE = re.compile(r"(?i)\bunit (?=price|cost|rate)|\bper (?:unit|piece)\b")
"""In a title these tell of what the price is, not that units are counted."""
_MOSTLY = 0.7
_YEAR = re.compile(r"(?<!\d)((?:19|20)\d\d)(?!\d)")
_MONTHS = [
    *("january", "february", "march", "april", "may", "june", "july", "august", "september", "october"),
    *("november", "december"),
]
_MONTH_ZH = re.compile(r"(?<!\d)(1[0-2]|[1-9])\s*月(?!\d)")
_ISO_MONTH = re.compile(r"(?<!\d)(?:19|20)\d\d-(1[0-2]|0?[1-9])(?!\d)")


_EQUALS = re.compile(
    r"(?P<en>\b[a-z][a-z-]*)(?:\s+(?:is|was|are|were|equals?|number|no\.?|of exactly|=))?\s+"
    r"(?P<number>\d[\d,]*(?:\.\d+)?)(?![\d-])"
    r"|(?P<zh>[一-鿿]{2,6}?)(?:为|是|等于|=)?\s*(?P<zh_number>\d+(?:\.\d+)?)(?![\d-])"
)


@dataclass(frozen=True, slots=True)
class Condition:
    """Which rows count. words: one of these stands in the column's cell. Otherwise the cell's number is
    compared with limit, or its date with year, month and months (None, (): any) or with the time `within`
    which it is."""

    column: int
    words: tuple[str, ...] = ()
    limit: Comparison | None = None
    year: int | None = None
    month: int | None = None
    within: Within | None = None
    months: tuple[int, ...] = ()

    @property
    def is_of_time(self) -> bool:
        return bool(self.year or self.month or self.months or self.within)

    def holds(self, cell: str) -> bool:
        if self.words:
            return fold(cell).strip() in self.words
        if self.limit is not None:
            found = quantity(cell)
            if found is None:
                return False
            return self.limit.holds(found.value)
        if self.within is not None:
            told = day(cell)
            return told is not None and self.within.holds(told)
        when = date(cell)
        if when is None:
            return False
        of_months = not self.months or when[1] in self.months
        return of_months and self.year in (None, when[0]) and self.month in (None, when[1])


def title_of(table: Whole, index: int) -> str:
    return table.header[index].strip() if index < len(table.header) else ""


def is_numeric(cells: Sequence[str]) -> bool:
    full = [cell for cell in cells if not is_empty(cell)]
    return bool(full) and sum(quantity(cell) is not None for cell in full) >= _MOSTLY * len(full)


def is_dated(cells: Sequence[str]) -> bool:
    """Whether a column holds dates, or years and nothing else."""
    full = [cell for cell in cells if not is_empty(cell)]
    days = sum(day(cell) is not None for cell in full)
    return bool(full) and days >= _MOSTLY * len(full)


def named_columns(words: set[str], table: Whole, taken: set[int]) -> dict[int, int]:
    """How many words of the question stand in the title of each column that has some."""
    found = {
        index: len(words & concepts(_PER_ONE.sub(" ", title.replace("_", " "))))
        for index, title in enumerate(table.header)
        if index not in taken
    }
    return {index: count for index, count in found.items() if count}


def conditions_in(asked: str, table: Whole, numeric: Sequence[int], words: set[str]) -> list[Condition]:
    limit = within(asked)
    limited = _in_time(limit, table, words) if limit is not None else []
    found = [Condition(index, words=cells) for index, cells in excluded(asked, table, numeric)[0]]
    known = {each.column for each in found}
    equal = [each for each in _equal(asked, table, numeric) if each.column not in known]
    found += equal
    known |= {each.column for each in equal}
    for index in range(table.width):
        if index in known:
            continue
        cells = {fold(cell).strip() for cell in table.column(index) if not is_empty(cell)}
        if index in numeric:
            # "10 working days" as a whole names rows; a bare number may be a limit or anything else.
            cells = {cell for cell in cells if not is_bare(cell)}
            if compared_with(asked) is not None:
                continue
        dates = sum(date(cell) is not None for cell in cells)
        if dates and dates >= _MOSTLY * len(cells):
            # "After 2024" is no year 2024, also where it is not told of which days it is said.
            condition = None if limit is not None else _of_dates(asked, index)
            if condition is not None:
                found.append(condition)
            continue
        # The whole cell is said; a title of the table that repeats in a cell says nothing.
        said = tuple(sorted(cell for cell in cells if len(cell) > 1 and _stands_in(cell, asked)))
        if said and (len(said) < len(cells) or len(said) > 1):
            found.append(Condition(index, words=_longest(said)))
    return found + limited + _thresholds(asked, table, numeric, words)


def _equal(asked: str, table: Whole, numeric: Sequence[int]) -> Iterator[Condition]:
    """The rows whose number a question names with the title of its column ("on floor 2", 楼层为2)."""
    if compared_with(asked) is not None or within(asked) is not None:
        return
    for match in _EQUALS.finditer(asked):
        number = match["number"] or match["zh_number"]
        if _YEAR.fullmatch(number):
            continue
        said = concepts(match["zh"] or match["en"])
        for index in numeric:
            if not said & concepts(title_of(table, index).replace("_", " ")):
                continue
            values = {each.value for cell in table.column(index) if (each := quantity(cell)) is not None}
            wanted = quantity(number)
            if wanted is not None and wanted.value in values and len(values) < len(table.rows):
                cells = {fold(c).strip() for c in table.column(index) if _is(c, wanted.value)}
                yield Condition(index, words=tuple(sorted(cells)))
                break


def _is(cell: str, value: Decimal) -> bool:
    found = quantity(cell)
    return found is not None and found.value == value


def _in_time(limit: Within, table: Whole, words: set[str]) -> list[Condition]:
    """Rows limited in time, if the table has one column of days or one is named."""
    dated = [index for index in range(table.width) if is_dated(table.column(index))]
    named = [index for index in dated if index in named_columns(words, table, set())]
    meant = named if len(named) == 1 else dated
    return [Condition(meant[0], within=limit)] if len(meant) == 1 else []


def _longest(cells: Sequence[str]) -> tuple[str, ...]:
    """Without those that are part of a longer one ("north" in "north west")."""
    return tuple(cell for cell in cells if not any(cell != other and cell in other for other in cells))


def _stands_in(cell: str, asked: str) -> bool:
    place = asked.find(cell)
    while place >= 0:
        before, after = asked[place - 1 : place], asked[place + len(cell) : place + len(cell) + 1]
        plural = re.match(r"e?s(?![a-z0-9])", asked[place + len(cell) :]) if cell[-1].isalpha() else None
        if plural is not None and cell.isascii():
            after = ""
        if not (_latin(cell[0]) and _latin(before)) and not (_latin(cell[-1]) and _latin(after)):
            return True
        place = asked.find(cell, place + 1)
    return False


def _latin(char: str) -> bool:
    return char.isascii() and char.isalnum()


def _of_dates(asked: str, column: int) -> Condition | None:
    year = _YEAR.search(asked)
    month = next((n for n, name in enumerate(_MONTHS, 1) if re.search(rf"\b{name}\b", asked)), None)
    zh = _MONTH_ZH.search(asked) or _ISO_MONTH.search(asked)
    month = month or (int(zh[1]) if zh else None)
    of = next((each for each in periods(asked) if each.kind in ("quarter", "half")), None)
    months: tuple[int, ...] = ()
    if of is not None:
        length = 3 if of.kind == "quarter" else 6
        months = tuple(range((of.number - 1) * length + 1, of.number * length + 1))
    if year is None and month is None and not months:
        return None
    return Condition(column, year=int(year[1]) if year else None, month=month, months=months)


def _thresholds(asked: str, table: Whole, numeric: Sequence[int], words: set[str]) -> list[Condition]:
    limit = compared_with(asked)
    if limit is None:
        return []
    named = named_columns(words, table, set())
    columns = [index for index in sorted(numeric, key=lambda index: -named.get(index, 0)) if index in named]
    columns = columns or [index for index in numeric if not UNSUMMED.search(title_of(table, index))]
    if not columns or (len(columns) > 1 and not named):
        return []
    return [Condition(columns[0], limit=limit.in_column(title_of(table, columns[0])))]
