"""The header of a table of figures on a PDF page: the lines above its rows that stand over its columns."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import median

from ingest.readers.pdf_figures import FIGURE, YEAR, Words, column_places

MOST_HEADER_LINES = 16
_HEADER_END = re.compile(r"[.;:。；：!?！？]$")
_LONG_HEADER_LINES = 4
_LONGEST_HEADER_LINE = 160
_SHORT_HEADER_LINE = 60
"""Characters: names of columns that are broken in lines make many of them, each short."""

_UNITS = re.compile(
    r"[(（].*[)）]|.{0,8}单位[：:].{1,20}|(?:[\w ]{1,20} )?in (?:thousands|millions|billions)\b.{0,30}",
    re.I,
)
_EMPTY = frozenset({"-", "–", "—", "−"})
_FAR = 15.0
"""Points between two cells, more than between two words."""


def header_of(
    lines: Sequence[str], places: Mapping[str, Words], rows: Sequence[int], reached: int
) -> tuple[int, int]:
    """The line with which the table begins, and how many lines from there on name its columns.

    Between them and the first row there may be names of groups ("Current assets:").
    """
    names_at = median(places[lines[row]][0][0] for row in rows)
    columns = column_places(lines, places, rows)
    if not columns:
        return rows[0], 0
    begin, count = rows[0], 0
    for number in range(rows[0] - 1, max(reached, rows[0] - MOST_HEADER_LINES - 1), -1):
        line = lines[number]
        words = places.get(line, ())
        longest = _LONGEST_HEADER_LINE if count < _LONG_HEADER_LINES else _SHORT_HEADER_LINE
        if not words or len(line) > longest:
            break
        beside = words[-1][1] < columns[0][0] and words[0][0] < names_at + 20
        if not count and (beside or _has_dashes(line)):
            continue
        over = _over_columns(words, columns, names_at) or (count and _reaches_over(words, columns))
        if count and not over and len(line) <= _SHORT_HEADER_LINE and _UNITS.fullmatch(line):
            begin, count = number, count + 1
            break
        if _HEADER_END.search(line) or _has_values(line) or _has_dashes(line) or not over:
            break
        begin = number
        count += 1
    return begin, count


def _has_values(line: str) -> bool:
    """Whether a line has figures that no header has: several that are neither years nor days."""
    figures = [word for word in line.split() if FIGURE.fullmatch(word)]
    return sum(YEAR.fullmatch(word) is None and len(word) > 2 for word in figures) >= 2


def _has_dashes(line: str) -> bool:
    """Whether it is a row of which most cells are empty."""
    return sum(word in _EMPTY for word in line.split()) >= 2


def _over_columns(words: Words, columns: Sequence[tuple[float, float]], names_at: float) -> bool:
    """Whether a line stands over the columns: it names at least two of them, or all of it lies above them."""
    left, right = columns[0][0], columns[-1][1]
    beginning = words[0][0]
    if beginning > names_at + 20 and words[-1][1] > left - 10 and words[-1][1] < right + 60:
        return True
    starts = [column[0] - 8 for column in columns]
    named = set()
    for begin, end in words:
        middle = (begin + end) / 2
        number = bisect_right(starts, middle) - 1
        if number >= 0 and middle <= columns[number][1] + 8:
            named.add(number)
    # Of a line of running text, which is as wide as the table, words stand everywhere between as well.
    over = sum(begin >= left - 15 for begin, _ in words)
    return len(named) >= min(2, len(columns)) and over <= 3 * len(named) + 2


def _reaches_over(words: Words, columns: Sequence[tuple[float, float]]) -> bool:
    """Whether a line names the rows and, far from that, one column: the first of a broken header."""
    gap, begin = max(((b[0] - a[1], b[0]) for a, b in pairwise(words)), default=(0.0, 0.0))
    last = words[-1][1]
    return gap >= _FAR and begin >= columns[0][0] - _FAR and last <= columns[-1][1] + _FAR
