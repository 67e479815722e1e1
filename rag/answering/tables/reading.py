"""Question + table → the calculation that is asked for, or None: a table that only holds the answer in one
of its cells is left to whoever reads."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rag.answering.periods import covered, periods
from rag.answering.tables.asking import Asking
from rag.answering.tables.between import within
from rag.answering.tables.columns import Columns
from rag.answering.tables.concepts import concepts
from rag.answering.tables.conditions import Condition, conditions_in, is_numeric, named_columns
from rag.answering.tables.identifiers import identifiers
from rag.answering.tables.naming import without_names
from rag.answering.tables.negating import excluded
from rag.answering.tables.nouns import rows_of, things_unheld
from rag.answering.tables.operations import Operation, Span, may_be_calculated, operations_in
from rag.answering.tables.questioned import unused
from rag.answering.tables.thresholds import without_threshold
from rag.answering.tables.understood import unknown_words
from rag.answering.tables.whole import Whole
from rag.answering.tables.worth import NAMES, priced
from rag.citations.wording import content_words
from rag.text.folding import fold

_FEWEST_ROWS = 3
_LEAST_KNOWN = 2
_MONTH_NAME = re.compile(
    r"(?i)\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b"
)
_NEGATION = re.compile(r"(?i)\b(?:not|never|un(?=\w{4,}))\b|(?:还|尚)?(?:没有?|未)")


@dataclass(frozen=True, slots=True)
class Reading:
    """column: what is added up, compared, listed or, of a count, whose different values are counted; None
    where rows are counted. times: the column that each number of `column` is multiplied by. group: the column
    for whose values the sum (or average) of `column`, or the number of their rows, is told or compared; span:
    not for each of its days but for the years or months that they are in.

    said: how many words of the question name the table, its columns or its cells. strange: those of which
    the table knows nothing. whole: there are none, and at least two that it knows. things: the strange words
    that name what is counted.
    """

    operation: Operation
    column: int | None
    conditions: tuple[Condition, ...]
    said: int
    group: int | None = None
    strange: frozenset[str] = frozenset()
    whole: bool = False
    times: int | None = None
    span: Span | None = None
    things: frozenset[str] = frozenset()


def read(question: str, table: Whole, names: str) -> Reading | None:
    """names: the table's title, headings and the path of its file."""
    table = replace(table, rows=tuple(row for row in table.rows if not row.is_total))
    if len(table.rows) < _FEWEST_ROWS or not may_be_calculated(question):
        return None
    asked = fold(question)
    # Words that name the table ask for none of its columns.
    asks = without_names(asked, names)
    words, told = concepts(asks), concepts(question)
    numeric = [index for index in range(table.width) if is_numeric(table.column(index))]
    if not excluded(asked, table, numeric)[1]:
        return None  # all rows but some are meant, and it cannot be told which
    conditions = conditions_in(asked, table, numeric, words)
    taken = {condition.column for condition in conditions}
    among = next((each.column for each in conditions if len(each.words) > 1), None)
    about = told & concepts(names)
    named = named_columns(words, table, taken)
    cells_said = sum(len(condition.words) or 1 for condition in conditions)
    own = {*content_words(asks)}
    titles = concepts(" | ".join(title for index, title in enumerate(table.header) if index not in taken))
    said = len(about) + len(words & titles) + 2 * cells_said
    known = [names, *table.header, *(word for each in conditions for word in each.words)]
    known += [NAMES] if priced(table, numeric, named) else []
    strange = unknown_words(_without_times(question) if conditions else question, known)
    things = things_unheld(asked, strange)
    held = rows_of(things, table, taken, numeric) if things else []
    if held:
        conditions, cells_said, said = [*conditions, *held], cells_said + len(held), said + 2 * len(held)
        strange, things = strange - things, set()
    more = bool(strange) and not about
    of_table = concepts(" | ".join([names, *table.header]))
    columns = Columns(
        asked,
        table,
        numeric,
        named,
        exact={
            index: len(own & {*content_words(title.replace("_", " "))})
            for index, title in enumerate(table.header)
        },
        # "In the stock list" names the table rather than its column of stocks.
        less=frozenset(named) - frozenset(named_columns(words - about, table, taken)),
        ids=identifiers(table, numeric),
    )
    asking = Asking(
        asked,
        words,
        columns,
        # A year alone chooses no rows for a question that speaks of something else.
        conditional=any(each.words for each in conditions) or (bool(conditions) and not more),
        meeting=sum(all(each.holds(row.cell(each.column)) for each in conditions) for row in table.rows),
        of_time=any(each.is_of_time for each in conditions),
        among=among,
        more=more,
        understood=not strange,
        known=frozenset(of_table),
        about=frozenset(about),
    )
    known_words = len(told & of_table) + cells_said
    for found in asking.ways(operations_in(asked)):
        if things and found.operation != "count":
            continue  # a figure of what the table does not know
        if said + found.rows and not _left_open(question, table, conditions, names):
            return Reading(
                found.operation,
                found.column,
                tuple(conditions),
                said + found.rows,
                found.group,
                frozenset(strange),
                not strange and known_words + found.meant >= _LEAST_KNOWN,
                found.times,
                found.span,
                frozenset(things),
            )
    return None


def _without_times(question: str) -> str:
    """A question without the times, limits and negations that it names: conditions know them."""
    limit = within(question)
    text = fold(question).replace(limit.said, " ") if limit else question
    for each in reversed(periods(text)):
        text = f"{text[: each.start]} {text[each.end :]}"
    return _MONTH_NAME.sub(" ", _NEGATION.sub(" ", without_threshold(text, unit=True)))


def _left_open(question: str, table: Whole, conditions: Sequence[Condition], names: str) -> bool:
    """Whether the question names a number or a part of a year that no condition uses: then not all rows may
    be meant."""
    known = [names, *table.header]
    for each in conditions:
        known += [*each.words, f"{each.limit.limit:f}" if each.limit is not None else ""]
        known += [str(number) for number in (each.year, each.month) if number is not None]
        known += [each.within.said] if each.within is not None else []
        known += ["1 2 3 4"] if each.months else []
    said = covered([*known, fold(" ".join(known))])
    parts = [
        each for each in periods(question) if each.kind != "year" and (each.kind, each.number) not in said
    ]
    if parts and not any(each.month or each.months or each.within for each in conditions):
        return True
    return unused(fold(question), fold(" ".join(known)))
