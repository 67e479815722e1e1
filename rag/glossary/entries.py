"""What a glossary's files hold."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from rag.data_files import Strict

Name = Annotated[str, StringConstraints(min_length=2, max_length=80, pattern=r"\w")]


class Same(Strict):
    """Names of one thing, in any language."""

    names: tuple[Name, ...] = Field(min_length=2)


class Measure(Strict):
    """A figure that is worked out from others. names: its own. parts: each with the names that state it."""

    names: tuple[Name, ...] = Field(min_length=1)
    parts: tuple[Annotated[tuple[Name, ...], Field(min_length=1)], ...] = Field(min_length=1)


class Column(Strict):
    """Words, in any language, that tell what a column of a table holds."""

    words: tuple[Annotated[str, StringConstraints(min_length=1, max_length=40, pattern=r"^\S+$")], ...] = (
        Field(min_length=2)
    )


class Entries(Strict):
    """A file, or several joined."""

    same: tuple[Same, ...] = ()
    measure: tuple[Measure, ...] = ()

    def __add__(self, other: Entries) -> Entries:
        return Entries(same=self.same + other.same, measure=self.measure + other.measure)


class Columns(Strict):
    """The file of such words."""

    column: tuple[Column, ...]
