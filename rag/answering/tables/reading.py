"""Question + table → the calculation that is asked for, or None: a table that only holds the answer in one
of its cells is left to whoever reads."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from rag.answering.tables.concepts import concepts
from rag.answering.tables.conditions import (
    UNSUMMED,
    Condition,
    conditions_in,
    is_numeric,
    named_columns,
    title_of,
)
from rag.answering.tables.questioned import of_a_cell, unused
from rag.answering.tables.thresholds import without_threshold
from rag.answering.tables.whole import Whole
from rag.citations.wording import root
from rag.text.folding import fold

Operation = Literal["count", "sum", "average", "max", "min", "list"]

_ASKS: dict[Operation, re.Pattern[str]] = {
    "average": re.compile(r"\baverage|\bmean\b|on average|平均"),
    "max": re.compile(
        r"\b(?:highest|largest|biggest|greatest|maximum|most expensive|longest|heaviest|dearest)\b"
        r"|最[高大多贵长重]"
    ),
    "min": re.compile(
        r"\b(?:lowest|smallest|cheapest|minimum|fewest|shortest|lightest|least)\b|最[低小少短轻]|最便宜"
    ),
    "sum": re.compile(
        r"\b(?:total|sum|altogether|in all|overall|added up|combined)\b"
        r"|合计|总计|总和|总额|总共|共计|一共|总(?=[金数重价销产费成面])|加起来"
    ),
    "count": re.compile(
        r"\bhow many\b|\bnumber of\b|\bcount\b|\bhow often\b"
        r"|多少(?=[个行条项种家名份笔台件次人张]|$)|几(?=[个行条项种家名份笔台件次张])"
        r"|有多少|数量|[行条项]数|数目|个数"
    ),
    "list": re.compile(
        r"\blist\b|\bname all\b|\bwhich\b.*\b(?:all|every)\b|\ball (?:the )?\w+|\bevery\b"
        r"|列出|列举|所有|全部|哪些"
    ),
}
_PLAIN_TOTAL = re.compile(r"\btotal\b(?! of\b)|总(?=[金数重价销产费成面])|总额")
"""May be the name of something that a text states ("the total price is …"), not a wish to add up."""
_OF_ALL = re.compile(
    r"\b(?:are|is|were|was) (?:there|listed)\b|\bin (?:the |this )?(?:table|list|file|sheet)\b"
    r"|\b(?:in total|altogether|in all|overall)\b|一共|总共|共有|有多少|表[格中里]|文件[中里]"
)
_SAID_BY_ALL = frozenset(
    root(word)
    for word in [
        *("total", "sum", "altogether", "overall", "average", "mean", "highest", "largest", "biggest"),
        *(
            "greatest",
            "maximum",
            "longest",
            "lowest",
            "smallest",
            "cheapest",
            "minimum",
            "fewest",
            "shortest",
        ),
        *("least", "number", "count", "list", "name", "show", "table", "file", "sheet", "column", "row"),
        *("rows", "entry", "entries", "record", "records", "line", "lines", "value", "values", "listed"),
    ]
)
_HAN_SAID_BY_ALL = re.compile(
    r"合计|总计|总和|总额|总共|共计|一共|多少|平均|最[高大多低小少]|列出|所有|全部|哪[些个]|表格|数量|数目|请问"
    r"|[共有是为的在里中表几行条项个种家名份笔台件次人张呢吗总]"
)
_ROWS = re.compile(
    r"\b(?:rows?|entries|entry|records?|lines?|items?)\b|(?:多少|几|共)\s*[行条项]|[行条项]数|记录|数据行|条目"
)
_FEWEST_ROWS = 3


@dataclass(frozen=True, slots=True)
class Reading:
    """column: what is added up, compared or listed; None where rows are counted.

    said: how many words of the question name the table, its columns or its cells.
    """

    operation: Operation
    column: int | None
    conditions: tuple[Condition, ...]
    said: int


def read(question: str, table: Whole, names: str) -> Reading | None:
    """names: the table's title, headings and the path of its file."""
    table = replace(table, rows=tuple(row for row in table.rows if not row.is_total))
    if len(table.rows) < _FEWEST_ROWS:
        return None
    asked = fold(question)
    operations = [operation for operation, pattern in _ASKS.items() if pattern.search(asked)]
    if not operations:
        return None
    words = concepts(question)
    numeric = [index for index in range(table.width) if is_numeric(table.column(index))]
    conditions = conditions_in(asked, table, numeric, words)
    taken = {condition.column for condition in conditions}
    named = named_columns(words, table, taken)
    about = words & concepts(names)
    cells_said = sum(len(condition.words) or 1 for condition in conditions)
    said = len(about) + sum(named.values()) + 2 * cells_said
    known = concepts(" ".join([names, *table.header, *(w for each in conditions for w in each.words)]))
    rest = concepts(_HAN_SAID_BY_ALL.sub(" ", asked))
    unknown = {word for word in rest - known if not _is_said_by_all(word)}
    asking = _Asking(asked, table, numeric, named, bool(conditions), bool(unknown) and not about)
    for operation in operations:
        found = asking.read_as(operation)
        if found is not None:
            column, about_rows = found
            if said + about_rows and not _left_open(asked, table, conditions, names):
                return Reading(operation, column, tuple(conditions), said + about_rows)
    return None


def without_calculation(question: str) -> str:
    """What a question asks of each single thing: its words without those that only calculate over all.

    >>> without_calculation("What is the total measured flow of all pumps over 400 l/min?")
    'What is the measured flow of pumps l/min?'
    """
    text = without_threshold(question)
    for operation in ("sum", "average", "max", "min"):
        text = _ASKS[operation].sub(" ", text)
    text = re.sub(r"(?i)\b(?:all|every|each|list)\b|所有|全部|列出|每[一-龥]", " ", text)
    text = re.sub(r"\s+(?=[?.,])", "", " ".join(text.split()))
    return text if concepts(text) else question


def wanted(question: str) -> Operation | None:
    """Which calculation a question asks for by its words alone."""
    asked = fold(question)
    return next((operation for operation, pattern in _ASKS.items() if pattern.search(asked)), None)


def says_plain_total(question: str) -> bool:
    """Whether "total" may be part of a name that some text states."""
    return _PLAIN_TOTAL.search(fold(question)) is not None


def _is_said_by_all(word: str) -> bool:
    return word in _SAID_BY_ALL or word.isdigit()


@dataclass(frozen=True, slots=True)
class _Asking:
    """asked: the question, folded. numeric: columns of numbers. named: how many words of the question stand
    in the title of each column. conditional: rows are chosen by conditions. more: the question has words
    that neither the table nor its name knows and none of its name, so it may speak of something else."""

    asked: str
    table: Whole
    numeric: Sequence[int]
    named: dict[int, int]
    conditional: bool
    more: bool

    def read_as(self, operation: Operation) -> tuple[int | None, int] | None:
        """(column, 1 if rows are spoken of else 0), None if the table does not answer such a question."""
        rows_named = int(_ROWS.search(self.asked) is not None and not (self.more and not self.conditional))
        summable = [i for i in self.numeric if not UNSUMMED.search(title_of(self.table, i))]
        by_name = sorted(self.named, key=lambda index: -self.named[index])
        best = [index for index in by_name if index in summable]
        if operation in ("sum", "average", "max", "min"):
            if best:
                return best[0], 0
            # "How many orders in total" counts rows unless the words name a column of numbers.
            if operation == "sum" and _ASKS["count"].search(self.asked):
                return None
            return (summable[0], 0) if len(summable) == 1 and not self.more else None
        if operation == "count":
            if (best or of_a_cell(self.asked)) and not rows_named:
                return None  # "how many days …" reads a cell
            all_of_them = _OF_ALL.search(self.asked) is not None and not self.more
            return (None, rows_named) if rows_named or self.conditional or all_of_them else None
        words = [index for index in by_name if index not in self.numeric]
        if words:
            return words[0], 0
        return (0, 1) if rows_named and not self.more else None


def _left_open(asked: str, table: Whole, conditions: Sequence[Condition], names: str) -> bool:
    """Whether the question names a number that no condition uses: then not all rows may be meant."""
    known = [names, *table.header]
    for each in conditions:
        known += [*each.words, f"{each.limit.limit:f}" if each.limit is not None else ""]
        known += [str(number) for number in (each.year, each.month) if number is not None]
    return unused(asked, fold(" ".join(known)))
