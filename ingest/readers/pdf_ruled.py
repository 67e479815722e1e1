"""Tables with drawn lines: where a cell's text is broken over lines of its own, each row becomes one line.

pdfium ends lines by their heights. In a row whose cells are of different heights, that tears the row apart
and puts the end of one row before the beginning of the next. The drawn lines tell which letters share a cell.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any

from ingest.readers.pdf_figures import FIGURE
from ingest.readers.pdf_grids import FEWEST, Cell, Grid, grids_of, strokes_of

_LONGEST_CELL = 400
"""Characters: longer cells hold paragraphs and lists, whose lines mean something."""
_PADDING = 24.0
"""Points that a cell may keep free at its sides, and between two words."""
_LOWERED = 4.0
_ABOVE = 2.0
"""Points by which the body of a letter stands above its line at least."""
_RAISED = 4.0
"""Points by which the next column begins above the last line of the one before."""
_NONE: frozenset[str] = frozenset()
_HYPHENS = ("-", "\u2010", "\x02", "\ufffe")
_BLANK = re.compile(r"\s+")
_CJK = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\u3041-\u30ff\uff01-\uff5e\u3001-\u303f]")


@dataclass(frozen=True, slots=True)
class Placed:
    """A letter in a table: the number of the table, row and column; its sides, the height of its line, and
    how wide its cell is, in points."""

    table: int
    cell: Cell
    left: float
    right: float
    y: float
    room: float


_Letter = tuple[int, Placed]
"""Where a letter stands in the text, and on the page."""


def in_cells(raw: Any, page: Any, textpage: Any, counted: str, text: str) -> tuple[str, frozenset[str]]:
    """The text with one line for each row of ruled tables that have broken cells, and these lines.

    counted: one character for each that pdfium counts; text: the same letters in the order of reading, else
    it is returned as it is.
    """
    if len(counted) != textpage.count_chars():
        return text, _NONE
    grids = grids_of(list(strokes_of(raw, page)))
    if not grids or _letters(text) != _letters(counted):
        return text, _NONE
    letters = [place for place, character in enumerate(counted) if not character.isspace()]
    return rows_as_lines(text, list(_places(raw, textpage, grids, letters)))


def _places(
    raw: Any, textpage: Any, grids: Sequence[Grid], letters: Sequence[int]
) -> Iterator[Placed | None]:
    """Where each of these letters stands in the tables; None outside of them."""
    left, right, bottom, top, x, y = (ctypes.c_double() for _ in range(6))
    for letter in letters:
        placed = None
        # Most letters of a page stand above or below its tables: only of the others is more asked.
        if raw.FPDFText_GetCharOrigin(textpage, letter, x, y):
            height = y.value + _ABOVE
            near = [(number, grid) for number, grid in enumerate(grids) if grid.reaches(height)]
            if near and raw.FPDFText_GetCharBox(textpage, letter, left, right, bottom, top):
                middle = (left.value + right.value) / 2
                for number, grid in near:
                    found = grid.cell(middle, height)
                    if found is not None:
                        placed = Placed(number, found[0], left.value, right.value, y.value, found[1])
                        break
        yield placed


def rows_as_lines(text: str, places: Sequence[Placed | None]) -> tuple[str, frozenset[str]]:
    """The text, and the lines in it that are rows. places: of each letter of the text that is no blank."""
    positions = [place for place, character in enumerate(text) if not character.isspace()]
    if len(positions) != len(places):
        return text, _NONE
    runs = [
        (table, [number for number, _ in run])
        for table, run in groupby(enumerate(places), key=lambda item: item[1].table if item[1] else None)
    ]
    tables = [table for table, _ in runs if table is not None]
    out: list[str] = []
    written: set[str] = set()
    copied = 0
    for table, numbers in runs:
        if table is None or tables.count(table) != 1:
            continue  # outside, or a table whose letters do not stand together
        found = _rows(text, positions, [(number, placed) for number in numbers if (placed := places[number])])
        if found is None:
            continue
        rows, whole = found
        first, last = positions[numbers[0]], positions[numbers[-1]] + 1
        written.update(whole)
        before = text[copied:first].rstrip(" \t")
        out += [before, "" if not before or before.endswith("\n") else "\n", "\n".join(rows)]
        behind = text[last:].lstrip(" \t")
        copied = len(text) - len(behind)
        if behind and behind[0] not in "\r\n":
            out.append("\n")
    return "".join([*out, text[copied:]]), frozenset(written)


def _rows(
    text: str, positions: Sequence[int], letters: Sequence[tuple[int, Placed]]
) -> tuple[list[str], list[str]] | None:
    """The rows of a table, and those of them that are one line each; None if there is nothing to put right,
    or if the lines drawn are not those of the rows.

    Where no lines divide the columns, letters that go on higher up, to the right, tell that there are any.
    """
    cells: dict[Cell, list[list[_Letter]]] = {}
    of_row: dict[int, list[int]] = {}
    raised: set[int] = set()
    last: Placed | None = None
    for number, placed in letters:
        position = positions[number]
        row = placed.cell[0]
        lines = cells.setdefault(placed.cell, [])
        if last and last.cell != placed.cell and _is_inside_a_word(text, position):
            return None
        before = lines[-1][-1][1] if lines else None
        higher = before is not None and placed.y > before.y + _RAISED and placed.left > before.left
        if higher:
            raised.add(row)
        if before is None or higher or (placed.y < before.y - _LOWERED and placed.left < before.right):
            lines.append([])
        lines[-1].append((position, placed))
        of_row.setdefault(row, []).append(position)
        last = placed
    if len(of_row) < FEWEST or not _is_torn(text, of_row) or _holds_rows(text, cells):
        return None
    if len({column for _, column in cells}) < FEWEST:
        # Names of columns may be broken without that.
        broken = {row for (row, _), lines in cells.items() if len(lines) > 1 and row != min(of_row)}
        if len(raised) < FEWEST or not raised >= broken:
            return None
        loose: set[int] = set()
    else:
        loose = {cell[0] for cell, lines in cells.items() if not _is_wrapped(text, lines)}
    return _written(text, cells, of_row, loose)


def _written(
    text: str,
    cells: Mapping[Cell, Sequence[Sequence[_Letter]]],
    of_row: Mapping[int, Sequence[int]],
    loose: Set[int],
) -> tuple[list[str], list[str]] | None:
    """loose: rows with lines of their own in a cell, which they keep."""
    rows: list[str] = []
    whole: list[str] = []
    for row in sorted(of_row):
        inside = of_row[row]
        parts = [
            _in_one_line([_with_blanks(text, [position for position, _ in line]) for line in cells[cell]])
            for cell in sorted(cells)
            if cell[0] == row
        ]
        if row not in loose and max(map(len, parts)) <= _LONGEST_CELL:
            rows.append(" ".join(parts))
            whole.append(rows[-1])
            continue
        shown = text[inside[0] : inside[-1] + 1]
        if len(inside) != sum(not character.isspace() for character in shown):
            return None  # letters of other rows stand between
        rows.append(shown)
    return rows, whole


def _is_wrapped(text: str, lines: Sequence[Sequence[_Letter]]) -> bool:
    """Whether each line of a cell ends where the next word had no room, or in the middle of a word."""
    for line, following in pairwise(lines):
        if len(line) > 1 and text[line[-1][0]] in _HYPHENS and text[line[-2][0]].isalpha():
            continue
        wide = line[-1][1].right - line[0][1].left
        word = following[0]
        for letter, (position, placed) in pairwise(following):
            if position != letter[0] + 1 or _CJK.match(text[position]) or _CJK.match(text[letter[0]]):
                break
            word = position, placed
        if wide + (word[1].right - following[0][1].left) + _PADDING < line[0][1].room:
            return False
    return True


def _is_torn(text: str, of_row: Mapping[int, Sequence[int]]) -> bool:
    """Whether a row is on several lines of the text, or two rows on one."""
    row_at = {position: row for row, inside in of_row.items() for position in inside}
    return any(
        ("\n" in text[before:position]) == (row_at[before] == row_at[position])
        for before, position in pairwise(sorted(row_at))
        if "\n" in text[before:position] or row_at[before] != row_at[position]
    )


def _is_inside_a_word(text: str, position: int) -> bool:
    """Whether a drawn line that stands before this letter would cut a word."""
    before = text[position - 1]
    return before.isascii() and before.isalnum() and text[position].isascii() and text[position].isalnum()


def _holds_rows(text: str, cells: Mapping[Cell, Sequence[Sequence[_Letter]]]) -> bool:
    """Whether lines are drawn between groups of rows only: a cell then holds figures under each other."""
    for lines in cells.values():
        shown = [text[line[0][0] : line[-1][0] + 1].strip() for line in lines]
        if sum(FIGURE.fullmatch(line) is not None for line in shown) > 1:
            return True
    return False


def _with_blanks(text: str, positions: Sequence[int]) -> str:
    """These letters, with a blank where the text has any between two of them."""
    parts = [text[positions[0]]]
    for before, position in pairwise(positions):
        parts.append(" " if _BLANK.search(text, before + 1, position) else "")
        parts.append(text[position])
    return "".join(parts)


def _in_one_line(lines: Sequence[str]) -> str:
    """Lines of a cell one behind the other; whether a hyphen at a line's end goes is decided later."""
    whole = lines[0]
    for line in lines[1:]:
        if whole.endswith(_HYPHENS) and whole[-2:-1].isalpha() and line[0].isalpha():
            whole = whole[:-1] + "\x02" + line
        elif _CJK.match(whole[-1]) and _CJK.match(line[0]):
            whole += line
        else:
            whole += f" {line}"
    return whole


def _letters(text: str) -> str:
    """Without blanks, and with every mark of a hyphen as one."""
    return "".join(text.translate({0x02: "-", 0xFFFE: "-"}).split())
