"""The figures of a text, comparable across their ways of writing, and how those of two texts compare."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import Decimal

_TELLING = 2
"""Digits that a number in a text may have by chance."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """value in the base unit of its kind ("time short", "money eur", …); kind "" for a bare number.

    written: the number as it stands there, before its unit; it does not decide about equality.
    """

    value: Decimal
    kind: str
    written: Decimal = field(default=Decimal(0), compare=False)


@dataclass(frozen=True, slots=True)
class Day:
    """A date as far as it is written; None for what is left out."""

    year: int | None
    month: int | None
    day: int | None

    def within(self, other: Day) -> bool:
        """Whether `other` says all that this one says."""
        mine, theirs = (self.year, self.month, self.day), (other.year, other.month, other.day)
        return all(one is None or one == two for one, two in zip(mine, theirs, strict=True))

    def meets(self, other: Day) -> bool:
        """Whether both say something in common and nothing apart."""
        mine, theirs = (self.year, self.month, self.day), (other.year, other.month, other.day)
        shared = [(a, b) for a, b in zip(mine, theirs, strict=True) if a is not None and b is not None]
        return bool(shared) and all(a == b for a, b in shared)


@dataclass(frozen=True, slots=True)
class Figures:
    quantities: frozenset[Quantity]
    days: frozenset[Day]
    codes: frozenset[str]
    rest: str
    """The text without them."""

    def __bool__(self) -> bool:
        return bool(self.quantities or self.days or self.codes)

    @property
    def telling(self) -> bool:
        """Whether one of them hardly stands in a text by chance: a whole date, or three digits and more."""
        return any(None not in (day.year, day.month, day.day) for day in self.days) or any(
            len(quantity.written.as_tuple().digits) > _TELLING for quantity in self.quantities
        )


@dataclass(frozen=True, slots=True)
class Compared:
    """How many figures of a statement a text has, lacks, and has others of the same kind in place of."""

    found: int
    missing: int
    replaced: int


def compared(statement: Figures, text: Figures, known: Figures | None = None) -> Compared:
    """Every figure of `statement` looked for in `text`.

    known: figures of the question. Whether the text repeats them says nothing, so that they are neither
    found nor missing; another date, code or number with a unit in their place still is another.
    """
    found = missing = replaced = 0
    for quantity in statement.quantities:
        asked = known is not None and _stands_in(quantity, known)
        if _stands_in(quantity, text):
            found += not asked
        elif (quantity.kind or not asked) and any(
            _family(other) == _family(quantity) for other in text.quantities - statement.quantities
        ):
            replaced += 1
        else:
            missing += not asked
    for day in statement.days:
        asked = known is not None and any(day.within(other) for other in known.days)
        if any(day.within(other) for other in text.days):
            found += not asked
        elif any(day.meets(other) for other in text.days) or not text.days:
            missing += not asked
        else:
            replaced += 1
    for code in statement.codes:
        asked = known is not None and code in known.codes
        if code in text.codes:
            found += not asked
        elif any(re.sub(r"\d", "", other) == re.sub(r"\d", "", code) for other in text.codes):
            replaced += 1
        else:
            missing += not asked
    return Compared(found, missing, replaced)


def _family(quantity: Quantity) -> str:
    """Weeks in place of months, or dollars in place of euros, are other figures of the same kind."""
    return quantity.kind.partition(" ")[0]


def _stands_in(quantity: Quantity, text: Figures) -> bool:
    """Also without its unit: "25" answers "how many days", where the unit stands in the question."""
    return quantity in text.quantities or any(
        other.written == quantity.written and "" in (other.kind, quantity.kind) for other in text.quantities
    )
