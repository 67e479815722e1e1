"""Question + table → the calculation that is asked for, or None: a table that only holds the answer in one
of its cells is left to whoever reads."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rag.answering.tables.concepts import concepts, is_known
from rag.answering.tables.conditions import (
    UNSUMMED,
    Condition,
    conditions_in,
    is_dated,
    is_numeric,
    named_columns,
    title_of,
)
from rag.answering.tables.operations import (
    Operation,
    asks_of_many,
    counted,
    implied,
    in_time,
    of_which,
    operations_in,
)
from rag.answering.tables.questioned import of_a_cell, unused
from rag.answering.tables.understood import unknown_words
from rag.answering.tables.whole import Whole
from rag.text.folding import fold

_OF_ALL = re.compile(
    r"\b(?:are|is|were|was) (?:there|listed)\b|\bin (?:the |this )?(?:table|list|file|sheet)\b"
    r"|\b(?:in total|altogether|in all|overall)\b"
    r"|\bdo(?:es)? (?:we|you|they|the \w+) (?:have|own|run|employ)\b"
    r"|\bwork for\b|\bhave we\b|一共|总共|共有|有多少|我们有|现有|有几|表[格中里]|文件[中里]"
)
_ROWS = re.compile(
    r"\b(?:rows?|entries|entry|records?|lines?|items?)\b|(?:多少|几|共)\s*[行条项]|[行条项]数|记录|数据行|条目"
)
_OF_A_TIME = re.compile(r"(?i)year|month|quarter|week|date|day|年份?|年度|月份?|季度|日期|周")
"""Titles of columns whose rows tell of the same things at other times: they do not add up."""
_MONEY = re.compile(r"(?i)\b(?:EUR|USD|RMB|CNY|GBP|CHF|JPY|HKD|amount|value)\b|[¥￥€$£₩₹元]|金额")
_FEWEST_ROWS = 3
_LEAST_KNOWN = 2


@dataclass(frozen=True, slots=True)
class Reading:
    """column: what is added up, compared, listed or, of a count, whose different values are counted; None
    where rows are counted. group: the column whose values are compared by the sum of `column`, or by the
    number of their rows.

    said: how many words of the question name the table, its columns or its cells. strange: those of which
    the table knows nothing. whole: there are none, and at least two that it knows.
    """

    operation: Operation
    column: int | None
    conditions: tuple[Condition, ...]
    said: int
    group: int | None = None
    strange: frozenset[str] = frozenset()
    whole: bool = False


def read(question: str, table: Whole, names: str) -> Reading | None:
    """names: the table's title, headings and the path of its file."""
    table = replace(table, rows=tuple(row for row in table.rows if not row.is_total))
    if len(table.rows) < _FEWEST_ROWS:
        return None
    asked = fold(question)
    operations = operations_in(asked)
    if not operations:
        return None
    words = concepts(question)
    numeric = [index for index in range(table.width) if is_numeric(table.column(index))]
    conditions = conditions_in(asked, table, numeric, words)
    taken = {condition.column for condition in conditions}
    about = words & concepts(names)
    named = named_columns(words, table, taken)
    cells_said = sum(len(condition.words) or 1 for condition in conditions)
    said = len(about) + sum(named.values()) + 2 * cells_said
    known = [names, *table.header, *(word for each in conditions for word in each.words)]
    strange = unknown_words(question, known)
    more = bool(strange) and not about
    of_table = concepts(" | ".join([names, *table.header]))
    asking = _Asking(
        asked,
        table,
        numeric,
        named,
        # "In the stock list" names the table rather than its column of stocks.
        less=frozenset(named) - frozenset(named_columns(words - about, table, taken)),
        # A year alone chooses no rows for a question that speaks of something else.
        conditional=any(each.words for each in conditions) or (bool(conditions) and not more),
        more=more,
        understood=not strange,
        known=frozenset(of_table),
    )
    known_words = len(words & of_table) + cells_said
    for operation in operations:
        found = asking.read_as(operation)
        if found is not None and said + found.rows and not _left_open(asked, table, conditions, names):
            return Reading(
                found.operation,
                found.column,
                tuple(conditions),
                said + found.rows,
                found.group,
                frozenset(strange),
                not strange and known_words + found.meant >= _LEAST_KNOWN,
            )
    return None


@dataclass(frozen=True, slots=True)
class _As:
    """rows: 1 if rows are spoken of, else 0. meant: 1 if the question's grammar says that it is
    this column, or what stands in it, that is asked for."""

    operation: Operation
    column: int | None = None
    group: int | None = None
    rows: int = 0
    meant: int = 0


@dataclass(frozen=True, slots=True)
class _Asking:
    """asked: the question, folded. numeric: columns of numbers. named: how many words of the question stand
    in the title of each column. less: columns named by words that name the table, too. conditional: rows are
    chosen by conditions. more: the question has words that neither the table nor its name knows and none of
    its name, so it may speak of something else. understood: it has no such words at all. known: concepts of
    the table's name and titles."""

    asked: str
    table: Whole
    numeric: Sequence[int]
    named: dict[int, int]
    less: frozenset[int]
    conditional: bool
    more: bool
    understood: bool
    known: frozenset[str]

    def read_as(self, operation: Operation) -> _As | None:
        """None if the table does not answer such a question."""
        if operation in ("max", "min"):
            return self._extreme(operation)
        if operation in ("sum", "average"):
            return self._of_a_column(operation)
        if operation == "count":
            return self._count()
        words = [index for index in self._by_name if index not in self.numeric]
        if words:
            return _As("list", words[0])
        return _As("list", 0, rows=1) if self._rows_named and not self.more else None

    @property
    def _by_name(self) -> list[int]:
        return sorted(self.named, key=lambda index: (index in self.less, -self.named[index]))

    @property
    def _summable(self) -> list[int]:
        return [index for index in self.numeric if not UNSUMMED.search(title_of(self.table, index))]

    @property
    def _rows_named(self) -> bool:
        return _ROWS.search(self.asked) is not None and not (self.more and not self.conditional)

    def _of_a_column(self, operation: Operation) -> _As | None:
        best = [index for index in self._by_name if index in self._summable]
        if best:
            of_these = best[0] in named_columns(counted(self.asked), self.table, set())
            return _As(operation, best[0], meant=int(of_these))
        # "How many orders in total" counts rows unless the words name a column of numbers.
        if operation == "sum" and "count" in operations_in(self.asked):
            return None
        lone = self._summable if len(self._summable) == 1 and not self.more else []
        return _As(operation, lone[0]) if lone else None

    def _extreme(self, operation: Operation) -> _As | None:
        of_time = in_time(self.asked)
        if of_time is not None:
            dated = [i for i in range(self.table.width) if is_dated(self.table.column(i))]
            return _As(operation, dated[0], meant=1) if len(dated) == 1 and self.understood else None
        meant = self._meant(operation)
        group = self._group()
        if group is not None and (asks_of_many(self.asked) or "sum" in operations_in(self.asked)):
            columns = [index for index in self._by_name if index in self._summable and index != group]
            amount = self._amount()
            if columns or (amount is not None and self.understood):
                return _As(operation, columns[0] if columns else amount, group)
            # "The most orders": rows are counted, unless something else may be meant.
            return _As(operation, None, group) if asks_of_many(self.asked) and self.understood else None
        if meant is not None:
            return _As(operation, meant)
        found = self._of_a_column(operation)
        if found is None and asks_of_many(self.asked) and self.understood:
            # "What do we have the most of": of what is counted there.
            amount = self._amount()
            return None if amount is None else _As(operation, amount, meant=1)
        return found

    def _amount(self) -> int | None:
        """The one column that tells how much there is of the thing in each row."""
        amounts = named_columns(concepts("quantity"), self.table, set())
        columns = [index for index in amounts if index in self._summable]
        return columns[0] if len(columns) == 1 else None

    def _meant(self, operation: Operation) -> int | None:
        """The column that the superlative itself names: the most expensive has the highest price."""
        wanted = implied(self.asked, operation)
        if not wanted:
            return None
        found = named_columns(wanted, self.table, set())
        columns = [index for index in self._summable if index in found]
        money = [i for i in self._summable if _MONEY.search(title_of(self.table, i))]
        if not columns and wanted & concepts("price") and len(money) == 1:
            columns = money
        return max(columns, key=lambda index: self.named.get(index, 0), default=None)

    def _group(self) -> int | None:
        """The column of things among which one is asked for, if each of them may have several rows."""
        named = named_columns(of_which(self.asked), self.table, set())
        for index in sorted(named, key=lambda index: -named[index]):
            cells = [cell for cell in self.table.column(index) if cell]
            if index not in self.numeric and len(set(cells)) < len(cells):
                return index
        return None

    def _count(self) -> _As | None:
        all_of_them = _OF_ALL.search(self.asked) is not None and not self.more
        rows_named = self._rows_named
        what = counted(self.asked)
        if is_known(what) and not what & self.known:
            return None  # people are counted, and these are rows of courses
        things = named_columns(what, self.table, set())
        if (self.conditional or all_of_them) and things and not of_a_cell(self.asked):
            column = max(things, key=lambda index: things[index])
            if column in self._summable:
                # How many people work in Lyon: its row says so, no rows are counted.
                timed = any(_OF_A_TIME.fullmatch(title.strip()) for title in self.table.header)
                return None if timed and not self.conditional else _As("sum", column, meant=1)
            cells = self.table.column(column)
            if column not in self.numeric and (len(set(cells)) < len(cells) or "" in cells):
                return _As("count", column, meant=1)
        best = [index for index in self._by_name if index in self._summable]
        if (best or of_a_cell(self.asked)) and not rows_named:
            return None  # "how many days …" reads a cell
        if not (rows_named or self.conditional or all_of_them):
            return None
        return _As("count", rows=int(rows_named), meant=int(bool(things)))


def _left_open(asked: str, table: Whole, conditions: Sequence[Condition], names: str) -> bool:
    """Whether the question names a number that no condition uses: then not all rows may be meant."""
    known = [names, *table.header]
    for each in conditions:
        known += [*each.words, f"{each.limit.limit:f}" if each.limit is not None else ""]
        known += [str(number) for number in (each.year, each.month) if number is not None]
    return unused(asked, fold(" ".join(known)))
