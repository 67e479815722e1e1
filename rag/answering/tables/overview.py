"""A whole table summed up: its rows, and of each column the sum, the range or the values.

Calculated over all rows: a few rows that are quoted say nothing of the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from rag.answering.tables.calculating import calculate
from rag.answering.tables.cells import day, is_empty
from rag.answering.tables.columns import NO_SUM
from rag.answering.tables.concepts import concepts
from rag.answering.tables.conditions import UNSUMMED, is_dated, is_numeric, named_columns, title_of
from rag.answering.tables.identifiers import identifiers
from rag.answering.tables.operations import Operation
from rag.answering.tables.reading import Reading
from rag.answering.tables.telling import CALCULATED, number
from rag.answering.tables.whole import Whole
from rag.text.language import Language

_FEW = 8
"""So many different values of a column are all named, with how often they stand there."""
_MOST_COLUMNS = 40
_LONGEST = 60


def overview(table: Whole, name: str, of: Language, marks: str) -> str:
    """Markdown. name: the file's."""
    zh = of == "zh"
    table = replace(table, rows=tuple(row for row in table.rows if not row.is_total))
    titles = [title_of(table, index) or str(index + 1) for index in range(table.width)]
    titled = f"（{table.title}）" if zh and table.title else f" ({table.title})" if table.title else ""
    if zh:
        lines = [f"{name} 中的表格{titled}共有 **{len(table.rows)}** 行、{table.width} 列{marks}："]
    else:
        lines = [
            f"The table of {name}{titled} has **{len(table.rows)}** rows and {table.width} columns {marks}:"
        ]
    numeric = [index for index in range(table.width) if is_numeric(table.column(index))]
    ids = identifiers(table, numeric)
    prices = set(named_columns(concepts("price"), table, set())) - set(
        named_columns(concepts("amount"), table, set())
    )
    for index in range(min(table.width, _MOST_COLUMNS)):
        cells = [cell.strip() for cell in table.column(index) if not is_empty(cell)]
        title = titles[index]
        if not cells:
            told = "全部为空" if zh else "empty"
        elif is_dated(cells):
            told = _range_of_days(cells, of)
        elif index in numeric and index not in ids and not UNSUMMED.search(title):
            told = _numbers(table, index, of, sums=index not in prices and not NO_SUM.search(title))
        else:
            told = _values(cells, of)
        lines.append(f"- {title}：{told}" if zh else f"- {title}: {told}")
    more = table.width - _MOST_COLUMNS
    if more > 0:
        lines.append(f"（还有 {more} 列未列出。）" if zh else f"({more} more columns are not listed.)")
    return "\n".join(lines) + f"\n\n{CALCULATED[of]}"


def _numbers(table: Whole, index: int, of: Language, *, sums: bool) -> str:
    zh = of == "zh"
    said = {
        operation: number(calculate(Reading(operation, index, (), 0), table))
        for operation in _operations(sums)
    }
    unread = calculate(Reading("sum", index, (), 0), table)
    parts = []
    if sums:
        parts.append(f"合计 {said['sum']}" if zh else f"sum {said['sum']}")
    parts.append(f"平均 {said['average']}" if zh else f"average {said['average']}")
    parts.append(f"从 {said['min']} 到 {said['max']}" if zh else f"from {said['min']} to {said['max']}")
    n = len(unread.unread)
    if n:
        parts.append(f"{n} 行不是数字，未计入" if zh else f"{n} rows have no number there")
    if len(unread.units) > 1:
        parts.append("单位不一致" if zh else "mind that the units differ")
    return ("，" if zh else ", ").join(parts)


def _operations(sums: bool) -> tuple[Operation, ...]:
    return ("sum", "average", "min", "max") if sums else ("average", "min", "max")


def _range_of_days(cells: Sequence[str], of: Language) -> str:
    days = sorted((found, cell) for cell in cells if (found := day(cell)) is not None)
    first, last = days[0][1], days[-1][1]
    return f"从 {first} 到 {last}" if of == "zh" else f"from {first} to {last}"


def _values(cells: Sequence[str], of: Language) -> str:
    times = Counter(cells)
    zh = of == "zh"
    n = len(times)
    if n == len(cells):
        first, last = _cut(cells[0]), _cut(cells[-1])
        return (
            f"{n} 个不同的值，从“{first}”到“{last}”（按行序）"
            if zh
            else f"{n} different values, “{first}” in the first row to “{last}” in the last"
        )
    if n == 1:
        return (
            f"都是 {_cut(cells[0])}（{len(cells)}）" if zh else f"{_cut(cells[0])} in all {len(cells)} rows"
        )
    most = times.most_common(_FEW)
    listed = ("、" if zh else ", ").join(
        f"{_cut(value)}（{count}）" if zh else f"{_cut(value)} ({count})" for value, count in most
    )
    if n <= _FEW:
        return f"{n} 个不同的值：{listed}" if zh else f"{n} different values: {listed}"
    return f"{n} 个不同的值，最多的是 {listed}" if zh else f"{n} different values, most often {listed}"


def _cut(cell: str) -> str:
    return cell if len(cell) <= _LONGEST else cell[: _LONGEST - 1] + "…"
