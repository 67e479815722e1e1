"""Tables of figures on PDF pages: which lines are their rows, and which their header, by where words stand.

A PDF knows no tables, only words at places. Lines with several figures that stand under each other in at
least two columns are rows; the lines above them whose words stand over those columns, or that begin right
of the rows' own names, are the header. Tables of words are not found: their lines look like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from ingest.readers.pdf_figures import FIGURE, SUPPORT, YEAR, Words, figures_of
from ingest.readers.pdf_headings import page_starts
from ingest.readers.pdf_table_headers import MOST_HEADER_LINES, header_of
from rag.records import Table

_CELL = re.compile(r"[$€£¥(+−–-]*\d[\d,.'’]*[%)*†‡xX万亿元]*|[—–-]|N/?A|n\.?a\.?|nm|[$€£¥]|[%)]+")
_DIGITS = re.compile(r"\d+")
_SENTENCE_END = re.compile(r"[.;。；!?！？]$")
_LEADERS = " … "

_FEWEST_ROWS = 3
_MOST_BETWEEN = 2
"""Lines between two rows that are none themselves: names of groups, second lines of long names."""

_MOST_LINES_OF_A_GROUP = 12
"""Lines between two groups of rows of one table that hold one figure or none."""

_ALIGNED = 4.0
"""Points by which the edges of figures of one column may differ."""

_MOSTLY = 0.6
_NEARLY_ALL = 0.9
_LAST_ONES = 8
"""Figures of a row that are looked at, from its end."""


@dataclass(frozen=True, slots=True)
class _Found:
    """Lines [first, last] of a page; the first `header` of them name the columns.

    columns: of figures; right: where the last of them ends, in points.
    """

    first: int
    header: int
    last: int
    columns: int
    right: float


def is_row(line: str) -> bool:
    """Whether a line reads like a row of figures: at least two side by side, and no sentence around them."""
    if len(_DIGITS.findall(line)) < 2:
        return False
    words = line.split()
    cells = side_by_side = most = 0
    for word in words:
        if _CELL.fullmatch(word) is None:
            side_by_side = 0
            continue
        cells += 1
        side_by_side += FIGURE.fullmatch(word) is not None
        most = max(most, side_by_side)
    # At the end of a line figures side by side are cells even after a long name.
    return (side_by_side >= 2 or (most >= 2 and cells >= 0.4 * len(words))) and _LEADERS not in line


def interesting(lines: Sequence[str]) -> list[int]:
    """Which lines' words have to be located before `tables_of` can tell: rows and what stands above them."""
    wanted: set[int] = set()
    for first, last in _runs(lines):
        wanted.update(range(max(0, first - MOST_HEADER_LINES), last + 1))
    return sorted(wanted)


def tables_of(texts: Sequence[str], places: Sequence[Mapping[str, Words]]) -> tuple[Table, ...]:
    """The tables of a document. texts: of its pages; places: for each page the words of its lines, by the
    line's text. A table that goes on at the top of the next page without a header of its own is one table.
    """
    tables: list[Table] = []
    open_columns = 0
    for start, text, words in zip(page_starts(texts), texts, places, strict=True):
        lines = text.split("\n")
        offsets = [start]
        for line in lines:
            offsets.append(offsets[-1] + len(line) + 1)
        goes_on = open_columns
        if text:
            open_columns = 0
        for found in _on_page(lines, words) if words else ():
            end = offsets[found.last] + len(lines[found.last])
            if goes_on == found.columns and not found.header and found.first <= 1:
                tables[-1] = Table(tables[-1].start, end, tables[-1].header_end)
            else:
                begin = offsets[found.first]
                header_end = offsets[found.first + found.header] - 1 if found.header else begin
                tables.append(Table(begin, end, header_end))
            goes_on = 0
            open_columns = found.columns if found.last >= len(lines) - 2 else 0
    return tuple(tables)


def _on_page(lines: Sequence[str], places: Mapping[str, Words]) -> list[_Found]:
    found: list[_Found] = []
    for first, last in _runs(lines):
        rows = [
            number
            for number in range(first, last + 1)
            if is_row(lines[number]) and len(places.get(lines[number], ())) == len(lines[number].split())
        ]
        for group in _under_years(lines, rows):
            if len(group) < _FEWEST_ROWS or not _in_columns(lines, places, group):
                continue
            before = found[-1] if found else None
            begin, header = header_of(lines, places, group, before.last if before else -1)
            right = median(places[lines[row]][-1][1] for row in group)
            one = _Found(begin, header, group[-1], _columns(lines, group), right)
            if before and not header and _goes_on(before, one):
                found[-1] = replace(before, last=one.last)
            else:
                found.append(one)
    return found


def _under_years(lines: Sequence[str], rows: Sequence[int]) -> list[list[int]]:
    """Rows in groups, each under years of its own: these look like a row of figures themselves."""
    groups: list[list[int]] = [[]]
    for row in rows:
        if not _only_years(lines[row]):
            groups[-1].append(row)
        elif groups[-1]:
            groups.append([])
    return groups


def _goes_on(before: _Found, after: _Found) -> bool:
    """Whether rows without a header are more rows of the table above them on the page."""
    near = after.first - before.last <= _MOST_LINES_OF_A_GROUP
    return near and before.columns == after.columns and abs(before.right - after.right) <= _ALIGNED


def _runs(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """First and last row of each stretch of rows."""
    rows = [number for number, line in enumerate(lines) if is_row(line)]
    begin = 0
    for place, (row, following) in enumerate(pairwise([*rows, len(lines)])):
        between = lines[row + 1 : following]
        near = following < len(lines) and len(between) <= _MOST_BETWEEN
        if near and not any(_ends_table(line) for line in between):
            continue
        if place + 1 - begin >= _FEWEST_ROWS:
            yield rows[begin], row
        begin = place + 1


def _ends_table(line: str) -> bool:
    return not line.strip() or len(line) > 100 or bool(_SENTENCE_END.search(line))


def _in_columns(lines: Sequence[str], places: Mapping[str, Words], rows: Sequence[int]) -> bool:
    """Whether the last two figures of most rows end, or have their middle, under those of the row above."""
    edges = [_last_figures(lines[row], places[lines[row]]) for row in rows]
    under = sum(
        all(
            abs(a[1] - b[1]) <= _ALIGNED or abs(a[0] + a[1] - b[0] - b[1]) <= 2 * _ALIGNED
            for a, b in zip(upper, lower, strict=True)
        )
        for upper, lower in pairwise(edges)
    )
    return under >= _MOSTLY * (len(rows) - 1) or _in_shared_columns(lines, places, rows)


def _in_shared_columns(lines: Sequence[str], places: Mapping[str, Words], rows: Sequence[int]) -> bool:
    """Whether nearly all figures stand in columns that many of the rows have: some cells may be empty."""
    figures = [figures_of(lines[row], places[lines[row]]) for row in rows]
    ends = [sorted(right for _, right in row) for row in figures]
    supported = counted = 0
    for row in figures:
        for _, right in row[-_LAST_ONES:]:
            others = sum(any(abs(end - right) <= _ALIGNED for end in row_ends) for row_ends in ends)
            supported += others >= max(_FEWEST_ROWS, SUPPORT * len(rows))
            counted += 1
    return supported >= _NEARLY_ALL * counted


def _last_figures(line: str, words: Words) -> list[tuple[float, float]]:
    return figures_of(line, words)[-2:]


def _columns(lines: Sequence[str], rows: Sequence[int]) -> int:
    counts = [sum(FIGURE.fullmatch(word) is not None for word in lines[row].split()) for row in rows]
    return max(set(counts), key=lambda count: (counts.count(count), count))


def _only_years(line: str) -> bool:
    """Whether all figures of a line are years or days: a header, not a row."""
    figures = [word for word in line.split() if any(map(str.isdigit, word))]
    return all(YEAR.fullmatch(word) for word in figures)
