"""The columns of a table that a question may mean: by their titles, by a superlative, by what adds up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rag.answering.tables.concepts import concepts
from rag.answering.tables.conditions import UNITS, UNSUMMED, is_dated, named_columns, title_of
from rag.answering.tables.operations import Operation, implied, of_which
from rag.answering.tables.questioned import of_a_cell
from rag.answering.tables.whole import Whole
from rag.answering.tables.worth import MONEY

NO_SUM = re.compile(
    r"(?i)\b(?:rates?|ratio|share|percent(?:age)?|temperature|pressure|score|grade|age|speed|average|mean)\b|%|％"
    r"|率|温度|压力|评分|得分|年龄|平均|占比|比例"
)


@dataclass(frozen=True, slots=True)
class Columns:
    """asked: the question, folded. numeric: columns of numbers. named: how many words of the question stand
    in the title of each column; exact: how many as they are. less: columns named by words that name the
    table, too. ids: columns of numbers that only tell rows apart."""

    asked: str
    table: Whole
    numeric: Sequence[int]
    named: dict[int, int]
    exact: dict[int, int]
    less: frozenset[int]
    ids: frozenset[int]

    @property
    def by_name(self) -> list[int]:
        """Those that the question names, the likeliest first."""
        return sorted(self.named, key=self._rank)

    def _rank(self, index: int) -> tuple[bool, int, int]:
        """The column that is named by its own word comes before one that is named by a word for the same."""
        return index in self.less, -self.named[index], -self.exact.get(index, 0)

    def titled(self, words: set[str]) -> dict[int, int]:
        """How many of these concepts stand in the title of each column that has any."""
        return named_columns(words, self.table, set())

    @property
    def dated(self) -> list[int]:
        """Columns of days."""
        return [index for index in range(self.table.width) if is_dated(self.table.column(index))]

    @property
    def summable(self) -> list[int]:
        """Columns of numbers of which a sum means something."""
        return [
            index
            for index in self.numeric
            if index not in self.ids and not UNSUMMED.search(title_of(self.table, index))
        ]

    @property
    def adding_up(self) -> list[int]:
        """Columns whose numbers make sense as a sum without being told to be added."""
        prices = self.titled(concepts("price"))
        money = self.titled(concepts("amount"))
        return [
            index
            for index in self.summable
            if not NO_SUM.search(title_of(self.table, index)) and (index not in prices or index in money)
        ]

    def named_figures(self, but: int | None = None) -> list[int]:
        """Those whose numbers may be added and that the question names, the likeliest first."""
        return [index for index in self.by_name if index in self.summable and index != but]

    def named_sums(self, but: int | None = None) -> list[int]:
        """Those that add up and that the question names, the likeliest first."""
        return [index for index in self.by_name if index in self.adding_up and index != but]

    def money(self, among: Sequence[int]) -> list[int]:
        """Those whose titles name a currency."""
        return [index for index in among if MONEY.search(title_of(self.table, index))]

    def counts(self, index: int) -> bool:
        """Whether a column of numbers counts things: no money, and no length of time ("days requested")."""
        title = title_of(self.table, index)
        return not MONEY.search(title) and not of_a_cell(f"how many {title.lower()}")

    def amount(self) -> int | None:
        """The one column that tells how much there is of the thing in each row."""
        amounts = self.titled(concepts("quantity stock"))
        columns = [index for index in amounts if index in self.summable]
        return columns[0] if len(columns) == 1 else None

    def meant(self, operation: Operation) -> int | None:
        """The column that the superlative itself names: the most expensive has the highest price."""
        wanted = implied(self.asked, operation)
        if not wanted:
            return None
        found = self.titled(wanted)
        columns = [index for index in self.summable if index in found]
        money = self.money(self.summable)
        if not columns and wanted & concepts("price") and len(money) == 1:
            columns = money
        return max(columns, key=lambda index: self.named.get(index, 0), default=None)

    def group(self) -> int | None:
        """The column of things among which one is asked for, if each of them may have several rows."""
        return self.repeated(of_which(self.asked))

    def repeated(self, things: set[str]) -> int | None:
        """The column that these words name, if it holds words and some of them several times."""
        named = self.titled(things)
        for index in sorted(named, key=lambda index: -named[index]):
            cells = [cell for cell in self.table.column(index) if cell]
            unit = UNITS.fullmatch(title_of(self.table, index)) is not None
            if index not in self.numeric and not unit and len(set(cells)) < len(cells):
                return index
        return None
