"""Tables that a program has drawn column by column, put together row by row.

pdfium gives text in the order of drawing, so that all names of the rows come first and all figures of a
column after them, where nobody can tell which belongs to which. Such columns show by their places: runs of
short lines from the top down, each at the heights of the run before it and to its right, at least one of
figures only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ingest.readers.pdf_figures import FIGURE

_FEWEST_ROWS = 4
"""Lines of a column: fewer beside each other are those of broken cells."""

_FEWEST_FIGURES = 3
_LONGEST_CELL = 60
_MOSTLY = 0.6
_ON_ONE_HEIGHT = 2.0
"""Points."""

_CELL = re.compile(r"[—–-]|N/?A|[$€£¥]|[%)]+")


@dataclass(frozen=True, slots=True)
class Placed:
    """A line and its place, in points from the page's lower left corner."""

    text: str
    left: float
    right: float
    baseline: float


def may_be_columnwise(lines: Sequence[str]) -> bool:
    """Whether it is worth asking where the lines stand: a few in a row are single figures."""
    run = 0
    for line in lines:
        run = run + 1 if _is_figures(line) else 0
        if run >= _FEWEST_FIGURES:
            return True
    return False


def row_by_row(lines: Sequence[Placed]) -> list[str]:
    """The lines in their order, those of tables drawn by columns joined to rows."""
    out: list[str] = []
    place = 0
    while place < len(lines):
        columns = _columns(lines, place)
        if columns:
            out.extend(_rows(columns))
            place += sum(map(len, columns))
        else:
            out.append(lines[place].text)
            place += 1
    return out


def _columns(lines: Sequence[Placed], first: int) -> list[Sequence[Placed]]:
    """The columns of a table that begins with this line; [] if none does."""
    end = _descends(lines, first)
    names = lines[first:end]
    if len(names) < _FEWEST_ROWS or _share(names, _is_name) < _MOSTLY:
        return []
    columns = [names]
    while True:
        column = _beside(lines, end, columns)
        if not column:
            break
        columns.append(column)
        end += len(column)
    figures = any(_share(column, lambda line: _is_figures(line.text)) >= _MOSTLY for column in columns[1:])
    return columns if figures else []


def _beside(lines: Sequence[Placed], first: int, columns: Sequence[Sequence[Placed]]) -> Sequence[Placed]:
    """The run of lines from `first` on that stand at the heights of the first column, right of all others;
    [] if it is too short, or does not begin at the table's top."""
    names = columns[0]
    end = _descends(lines, first)
    run: list[Placed] = []
    for line in lines[first:end]:
        row = _at_height(names, line)
        if row is None or any(
            other.right > line.left for column in columns if (other := _at_height(column, line)) is not None
        ):
            break
        run.append(line)
    if len(run) < max(_FEWEST_FIGURES, _MOSTLY * len(names)):
        return []
    top = {id(names[0]), id(names[1])}
    return run if id(_at_height(names, run[0])) in top else []


def _descends(lines: Sequence[Placed], first: int) -> int:
    """Where a run of short lines, each below the one before it, ends."""
    end = first
    while (
        end < len(lines)
        and lines[end].text.strip()
        and len(lines[end].text) <= _LONGEST_CELL
        and (end == first or lines[end].baseline < lines[end - 1].baseline - _ON_ONE_HEIGHT)
    ):
        end += 1
    return end


def _rows(columns: Sequence[Sequence[Placed]]) -> list[str]:
    rows = []
    for name in columns[0]:
        cells = [cell.text.strip() for column in columns if (cell := _at_height(column, name)) is not None]
        rows.append(" ".join(cells))
    return rows


def _at_height(column: Sequence[Placed], line: Placed) -> Placed | None:
    for other in column:
        if abs(other.baseline - line.baseline) <= _ON_ONE_HEIGHT:
            return other
    return None


def _is_name(line: Placed) -> bool:
    return any(map(str.isalpha, line.text)) and not _is_figures(line.text)


def _is_figures(text: str) -> bool:
    words = text.split()
    return (
        bool(words)
        and any(map(str.isdigit, text))
        and all(FIGURE.fullmatch(word) or _CELL.fullmatch(word) for word in words)
    )


def _share(lines: Sequence[Placed], holds: Callable[[Placed], bool]) -> float:
    return sum(holds(line) for line in lines) / len(lines)
