"""Which calculations over the columns of a table a question may ask for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rag.answering.tables.cells import of_span
from rag.answering.tables.columns import Columns
from rag.answering.tables.concepts import concepts, is_known
from rag.answering.tables.grouping import asks_figure, asks_flow, asks_worth, each_of, sums_up
from rag.answering.tables.operations import (
    Operation,
    adds_up,
    asks_commonest,
    asks_of_all,
    asks_of_many,
    asks_rows,
    counted,
    in_time,
    listed,
    lists_by_plural,
    of_which,
    operations_in,
    preferred,
    span_asked,
)
from rag.answering.tables.questioned import of_a_cell
from rag.answering.tables.ways import As
from rag.answering.tables.worth import priced

_OF_A_TIME = re.compile(r"(?i)year|month|quarter|week|date|day|年份?|年度|月份?|季度|日期|周")
"""Titles of columns whose rows tell of the same things at other times: they do not add up."""
_OF_ONE = re.compile(r"\bunit\b|\bper\b|\beach\b|单价|每")


@dataclass(frozen=True, slots=True)
class Asking:
    """asked: the question, folded. words: its concepts. columns: those of the table. conditional: rows are
    chosen by conditions. meeting: how many rows meet them. of_time: some conditions are times. among: the
    column of which several cells are named. more: the question has words that neither the table nor its name
    knows and none of its name, so it may speak of something else. understood: it has no such words at all.
    known: concepts of the table's name and titles. about: those that the question says to name
    the table."""

    asked: str
    words: set[str]
    columns: Columns
    conditional: bool
    meeting: int
    of_time: bool
    among: int | None
    more: bool
    understood: bool
    known: frozenset[str]
    about: frozenset[str]

    def ways(self, operations: Sequence[Operation]) -> Iterator[As]:
        """The calculations that may be asked for, the likeliest first."""
        by_each = None if {"max", "min"} & {*operations} else self._by_each(operations)
        by_span = self._by_span(operations)
        yield from (found for found in (by_each, by_span) if found is not None)
        for operation in operations:
            found = self._read_as(operation)
            if found is not None:
                yield found
        of_two = self._of_named_ones() if not operations else None
        if of_two is not None:
            yield of_two
        elif not operations:
            flow = self._flow()
            if flow is not None:
                yield flow

    def _read_as(self, operation: Operation) -> As | None:
        """None if the table does not answer such a question."""
        if operation in ("max", "min"):
            return self._extreme(operation)
        if operation in ("sum", "average"):
            return self._worth(operation) or self._of_a_column(operation)
        if operation == "count":
            return self._count()
        if lists_by_plural(self.asked) and not self.conditional:
            return None  # "which pumps …" is told by the rows that say so
        words = [index for index in self.columns.by_name if index not in self.columns.numeric]
        meant = self.columns.titled(listed(self.asked))
        words.sort(key=lambda index: index not in meant)
        if words:
            return As("list", words[0])
        of_rows = self._rows_named or (bool(self.about) and self.conditional)
        return As("list", 0, rows=1) if of_rows and not self.more else None

    @property
    def _rows_named(self) -> bool:
        return asks_rows(self.asked) and not (self.more and not self.conditional)

    def _by_each(self, operations: Sequence[Operation]) -> As | None:
        """A figure for each thing of a kind, if each of them may have several rows."""
        group = next(
            (index for each in each_of(self.asked) if (index := self.columns.repeated(each)) is not None),
            None,
        )
        if group is None:
            return None
        average = "average" in operations
        told = "sum" in operations or sums_up(self.asked)
        worth = None if average else self._worth("sum")
        if worth is not None:
            return As("sum", worth.column, group, meant=1, times=worth.times)
        columns = self.columns.named_figures(but=group)
        if not average and not told:
            columns = [index for index in columns if index in self.columns.adding_up]
        if columns:
            return As("average" if average else "sum", columns[0], group, meant=1)
        if self.more:
            return None
        if "count" in operations:
            return As("count", None, group, meant=1)
        lone = self.columns.adding_up if len(self.columns.adding_up) == 1 else []
        return As("sum", lone[0], group) if lone and (told or asks_flow(self.asked)) else None

    def _of_named_ones(self) -> As | None:
        """Which of several things that are named has more or less of a figure."""
        operation = preferred(self.asked)
        if operation is None or self.among is None or not self.understood:
            return None
        columns = self.columns.named_figures(but=self.among)
        columns = columns or (self.columns.adding_up if len(self.columns.adding_up) == 1 else [])
        return As(operation, columns[0], self.among, meant=1) if columns else None

    def _by_span(self, operations: Sequence[Operation]) -> As | None:
        """A figure for each year or month of the one column of days."""
        span = span_asked(self.asked)
        dated = self.columns.dated if span else []
        if span is None or len(dated) != 1 or self.more:
            return None
        days = [of_span(cell, span) for cell in self.columns.table.column(dated[0])]
        if len({*days}) == len(days) or len({*days}) == 1:
            return None
        told = [each for each in operations if each in ("max", "min", "average")]
        operation: Operation = told[0] if told else "sum"
        worth = self._worth("sum")
        columns = self.columns.named_sums(but=dated[0])
        if worth is not None and operation != "average":
            return As(operation, worth.column, dated[0], meant=1, times=worth.times, span=span)
        if columns:
            return As(operation, columns[0], dated[0], meant=1, span=span)
        counts = "count" in operations or asks_of_many(self.asked)
        if not self.understood:
            return None
        if len(self.columns.adding_up) == 1 and "count" not in operations:
            return As(operation, self.columns.adding_up[0], dated[0], span=span)
        if not counts or operation == "average":
            return None
        return As("count" if operation == "sum" else operation, None, dated[0], span=span)

    def _flow(self) -> As | None:
        """How much was spent, sold, used of something; what it is worth."""
        worth = self._worth("sum") if asks_worth(self.asked) else None
        if worth is not None:
            return worth if self.conditional or not self.more else None
        timed = any(_OF_A_TIME.search(title) for title in self.columns.table.header)
        figure = asks_figure(self.asked) and (self.of_time or not timed)
        known = self.conditional and self.understood  # a name that no condition uses may choose other rows
        if not (asks_flow(self.asked) or figure) or not known or self.meeting < 2:
            return None
        columns = self.columns.named_sums()
        return As("sum", columns[0], meant=1) if columns else None

    def _worth(self, operation: Operation) -> As | None:
        """The value of a quantity at its price, where no column states it."""
        said = asks_worth(self.asked)
        of_prices = bool(self.words & concepts("price"))
        if operation == "sum":
            wanted = said or (of_prices and not _OF_ONE.search(self.asked))
        else:
            wanted = said and not of_prices
        columns = priced(self.columns.table, self.columns.numeric, self.columns.named) if wanted else None
        if columns is None or not (self.conditional or not self.more):
            return None
        return As(operation, columns[0], meant=1, times=columns[1])

    def _of_a_column(self, operation: Operation) -> As | None:
        best = self.columns.named_figures()
        if best:
            of_these = best[0] in self.columns.titled(counted(self.asked))
            return As(operation, best[0], meant=int(of_these))
        # "How many orders in total" counts rows unless the words name a column of numbers.
        if operation == "sum" and "count" in operations_in(self.asked):
            return self._added_up()
        lone = self.columns.summable if len(self.columns.summable) == 1 and not self.more else []
        return As(operation, lone[0]) if lone else None

    def _added_up(self) -> As | None:
        """What the rows add up to, if that is said and one column alone can be meant."""
        if self.more or not adds_up(self.asked):
            return None
        adding_up = self.columns.adding_up
        columns = adding_up if len(adding_up) == 1 else self.columns.money(adding_up)
        return As("sum", columns[0]) if len(columns) == 1 else None

    def _extreme(self, operation: Operation) -> As | None:
        of_time = in_time(self.asked)
        if of_time is not None:
            dated = self.columns.dated
            return As(operation, dated[0], meant=1) if len(dated) == 1 and self.understood else None
        if asks_commonest(self.asked):
            group = self.columns.group()
            group = self.columns.repeated(self.words) if group is None else group
            return As(operation, None, group, meant=1) if group is not None and not self.more else None
        meant = self.columns.meant(operation)
        group = self.columns.group()
        worth = self._worth(operation)
        if worth is not None and meant is None:
            return As(operation, worth.column, group, meant=1, times=worth.times)
        if group is not None and (asks_of_many(self.asked) or "sum" in operations_in(self.asked)):
            columns = self.columns.named_figures(but=group)
            amount = self.columns.amount()
            if columns or (amount is not None and self.understood):
                return As(operation, columns[0] if columns else amount, group)
            # "The most orders": rows are counted, unless something else may be meant.
            return As(operation, None, group) if asks_of_many(self.asked) and self.understood else None
        if meant is not None:
            return As(operation, meant)
        found = self._of_a_column(operation)
        if found is None and asks_of_many(self.asked) and self.understood:
            # "What do we have the most of": of what is counted there.
            amount = self.columns.amount()
            return None if amount is None else As(operation, amount, meant=1)
        if found is not None and not self.understood:
            # "Which employee spent the most": not where employees are counted.
            beside = self.columns.titled(self.words - of_which(self.asked))
            things = self.columns.titled(of_which(self.asked))
            return None if found.column in things and found.column not in beside else found
        return found

    def _count(self) -> As | None:
        what = counted(self.asked)
        rows_named = self._rows_named
        if is_known(what) and not what & self.known:
            return None  # people are counted, and these are rows of courses
        things = self.columns.titled(what)
        # "How many employees filed expenses": of the table of expenses, which has a column of employees.
        called = bool(self.about) and bool(things or what & self.about)
        all_of_them = (asks_of_all(self.asked) or called) and not self.more
        of_rows = self.conditional and any(index in self.columns.ids for index in things)
        if (self.conditional or all_of_them) and things and (of_rows or not of_a_cell(self.asked)):
            # "Nurses" comes before "Head nurse".
            column = max(things, key=lambda index: (things[index], index in self.columns.summable))
            if column in self.columns.summable and self.columns.counts(column):
                # How many people work in Lyon: its row says so, no rows are counted.
                timed = any(_OF_A_TIME.fullmatch(title.strip()) for title in self.columns.table.header)
                return None if timed and not self.conditional else As("sum", column, meant=1)
            cells = self.columns.table.column(column)
            if column not in self.columns.numeric and (len(set(cells)) < len(cells) or "" in cells):
                return As("count", column, meant=1)
            if column in self.columns.ids and self.conditional:
                return As("count", meant=1)  # "in how many weeks was it 400": of rows that are weeks
        best = [index for index in self.columns.named_figures() if self.columns.counts(index)]
        if (best or of_a_cell(self.asked)) and not rows_named:
            return None  # "how many days …" reads a cell
        if not (rows_named or self.conditional or all_of_them):
            return None
        return As("count", rows=int(rows_named), meant=int(bool(things) or called))
