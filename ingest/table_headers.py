"""The header row that the rows of a cut table need again: a figure without its column's name says nothing."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence

from rag.records import Document, Table

_RULE = re.compile(r"[\s|:+=_─━-]*")
"""A line that only draws (the second line of a Markdown table)."""

_FEWEST_TOKENS = 8
"""A header that is to be shortened below this is left out."""

TokenPlaces = Callable[[str], Sequence[tuple[int, int]]]
"""(start, end) of each token of a text."""


class TableHeaders:
    """What of a document's table headers a chunk repeats. token_places: those of the embedder."""

    def __init__(self, document: Document, token_places: TokenPlaces) -> None:
        self._text = document.text
        self._tables = sorted(document.tables, key=lambda table: table.start)
        self._starts = [table.start for table in self._tables]
        self._token_places = token_places
        self._known: dict[tuple[int, int], tuple[str, int]] = {}

    def at(self, start: int, most_tokens: int) -> tuple[str, int]:
        """The header for a chunk that begins at `start`, in at most `most_tokens`, and its tokens.

        ("", 0) where the chunk begins in no table, or in the header itself.
        """
        number = bisect_right(self._starts, start) - 1
        if number < 0:
            return "", 0
        table = self._tables[number]
        if not table.start < table.header_end <= start < table.end:
            return "", 0
        key = number, most_tokens
        if key not in self._known:
            self._known[key] = self._fitting(table, most_tokens)
        return self._known[key]

    def _fitting(self, table: Table, most: int) -> tuple[str, int]:
        lines = [line.strip() for line in self._text[table.start : table.header_end].split("\n")]
        lines = [line for line in lines if not _RULE.fullmatch(line)]
        # Of several header rows the last one names the columns themselves.
        while len(lines) > 1 and len(self._token_places("\n".join(lines) + "\n")) > most:
            del lines[0]
        header = "\n".join(lines)
        places = self._token_places(header + "\n")
        if len(places) <= most:
            return header, len(places) if header else 0
        if most < _FEWEST_TOKENS:
            return "", 0
        header = header[: places[most - 2][0]].rstrip(" |") + "…"
        return header, len(self._token_places(header + "\n"))
