"""Figures in lines of a PDF page, and the columns in which they stand."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

Words = tuple[tuple[float, float], ...]
"""Left and right edge of each word of a line, in points."""

FIGURE = re.compile(r"[$€£¥(+−–-]*\d[\d,.'’]*[%)*†‡xX万亿元]*")
YEAR = re.compile(r"\d{1,2}[./]\d{1,2}[./]\d{2,4}|(?:19|20)\d\d,?|\d{1,2},|FY\d\d(?:\d\d)?|[1-4]?Q[1-4]?")
SUPPORT = 0.25
"""Share of the rows that must have a figure in a column for it to be one."""


def figures_of(line: str, words: Words) -> list[tuple[float, float]]:
    return [
        place for word, place in zip(line.split(), words, strict=True) if FIGURE.fullmatch(word) is not None
    ]


def column_places(
    lines: Sequence[str], places: Mapping[str, Words], rows: Sequence[int]
) -> list[tuple[float, float]]:
    """Where the columns of figures stand, from the left: what overlaps is one column, and one that few rows
    have is a figure in a name."""
    figures = sorted(
        (left, right, row) for row in rows for left, right in figures_of(lines[row], places[lines[row]])
    )
    columns: list[tuple[float, float, set[int]]] = []
    for left, right, row in figures:
        if columns and left < columns[-1][1]:
            begin, end, among = columns[-1]
            columns[-1] = begin, max(end, right), among | {row}
        else:
            columns.append((left, right, {row}))
    fewest = max(2, SUPPORT * len(rows))
    return [(left, right) for left, right, among in columns if len(among) >= fewest]
