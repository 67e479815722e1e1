"""The whole table that a chunk stands in: half a table gives wrong counts, sums and lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rag.library import Library
    from rag.records import Chunk, Table

_LONGEST = 40
"""Chunks on either side in which the table is looked for: a longer one fits no budget."""


class Tables:
    """Those of a library, the spans of each document read once."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._spans: dict[str, tuple[Table, ...]] = {}

    def around(self, chunk: Chunk) -> list[Chunk]:
        """The chunks that hold a part of the table in which `chunk` begins or ends, in order.

        [] if it stands in none, and if the table is too long to be had whole.
        """
        if chunk.document not in self._spans:
            self._spans[chunk.document] = self._library.tables(chunk.document)
        for table in self._spans[chunk.document]:
            if table.start < chunk.end and chunk.start < table.end:
                near = self._library.neighbours(
                    chunk.document, max(0, chunk.ordinal - _LONGEST), chunk.ordinal + _LONGEST
                )
                held = [one for one in near if table.start < one.end and one.start < table.end]
                whole = held[0].start <= table.start and table.end <= held[-1].end
                return held if whole else []
        return []

    def beside(self, chunk: Chunk) -> list[Chunk]:
        """The others of `around`, the nearest first: each joins the run of what stands beside it."""
        others = [one for one in self.around(chunk) if one.id != chunk.id]
        return sorted(others, key=lambda one: abs(one.ordinal - chunk.ordinal))
