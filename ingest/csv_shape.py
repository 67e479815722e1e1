"""Is a text a table of separated values, and how is it written? Told by its rows, never by its name.

Python's own Sniffer takes prose with commas for a table and single quotes for quotation marks; here a
delimiter must give most rows the same number of cells.
"""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections import Counter
from dataclasses import dataclass

_DELIMITERS = ("\t", ",", ";", "|", "\x1f", "^")
_SAMPLE_CHARACTERS = 65_536
_SAMPLE_ROWS = 200
_AGREE = 0.6
_AGREE_SURELY = 0.9
_FEWEST_ROWS = 4
_LONGEST_FIELD = 1 << 30
"""Characters; a text is bounded before it is taken apart."""
_DECIMAL = re.compile(r"(?<=\d),(?=\d)")
_LOG_LINE = re.compile(
    r"\s*(?:\[?\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{1,4})?[T -]\d\d:\d\d"
    r"|\[?(?:[A-Z][a-z]{2} )?[A-Z][a-z]{2}\s+\d{1,2} \d\d:\d\d:\d\d |\d+\.\d+\.\d+\.\d+ - )"
)


@dataclass(frozen=True, slots=True)
class Shape:
    """delimiter: one character. columns: of most rows. agreement: the share of rows with that many."""

    delimiter: str
    columns: int
    agreement: float
    rows: int


def is_table(text: str, *, sure: bool, doubtful: bool) -> bool:
    """sure: its name says that it is a table. doubtful: its name says that it is a plain text or a log."""
    sample = text[:_SAMPLE_CHARACTERS]
    shape = shape_of(sample, notes=sure)
    if shape is None:
        return False
    if sure:
        return shape.rows > 1 or f"{shape.delimiter} " not in sample
    logged = sum(bool(_LOG_LINE.match(line)) for line in itertools.islice(sample.splitlines(), 20))
    if shape.rows < _FEWEST_ROWS or shape.agreement < _AGREE_SURELY or logged > 2:
        return False
    if shape.delimiter in ("\t", "|") and not doubtful:
        return True
    # Sentences have commas too: cells of a table are short and begin without a blank.
    cells = [cell for row in _rows(sample, shape.delimiter) for cell in row]
    short = sum(len(cell) <= 60 for cell in cells) >= 0.9 * len(cells)
    spaced = sum(cell.startswith(" ") for cell in cells) > 0.3 * len(cells)
    return shape.columns >= 3 and short and not spaced and shape.agreement == 1.0


def shape_of(text: str, *, notes: bool = False) -> Shape | None:
    """The delimiter under which the rows agree best; None if under none they have two cells or more.

    notes: rows of one cell above and below the others may be titles and notes, and do not count.
    """
    sample = text[:_SAMPLE_CHARACTERS]
    named = re.match(r"sep=(.)\r?\n", sample)
    if named:
        return Shape(named.group(1), 2, 1.0, _FEWEST_ROWS)
    best: Shape | None = None
    for delimiter in _DELIMITERS:
        if delimiter not in sample:
            continue
        sizes = [len(row) for row in _rows(sample, delimiter) if any(map(str.strip, row))]
        if notes:
            wide = [place for place, size in enumerate(sizes) if size > 1]
            sizes = sizes[wide[0] : wide[-1] + 1] if wide else []
        counts = Counter(sizes)
        several = {columns: rows for columns, rows in counts.items() if columns > 1}
        if not several:
            continue
        columns, rows = max(several.items(), key=lambda item: (item[1], item[0]))
        total = counts.total()
        agreement = rows / total
        # Ragged tables: whatever the number, nearly every row is divided.
        divided = sum(several.values()) / total
        if agreement < _AGREE and not (divided >= _AGREE_SURELY and total >= 3):
            continue
        found = Shape(delimiter, columns, agreement, total)
        if best is None or _is_better(found, best, sample):
            best = found
    return best


def _is_better(found: Shape, best: Shape, sample: str) -> bool:
    if best.delimiter == "," and found.agreement >= best.agreement and _are_decimals(sample):
        return True
    return (found.agreement, found.columns) > (best.agreement, best.columns)


def _are_decimals(sample: str) -> bool:
    """Whether most commas stand between figures, as the points of numbers do in much of Europe."""
    return len(_DECIMAL.findall(sample)) > 0.5 * sample.count(",")


def rows_of(text: str, delimiter: str) -> list[list[str]]:
    """Every row; quotation marks around cells are taken off, line breaks inside them kept."""
    return _parsed(text, delimiter)


def _rows(sample: str, delimiter: str) -> list[list[str]]:
    rows = _parsed(sample, delimiter)[:_SAMPLE_ROWS]
    # The last row may be cut off by the end of the sample.
    return rows[:-1] if len(sample) >= _SAMPLE_CHARACTERS and len(rows) > 1 else rows


def _parsed(text: str, delimiter: str) -> list[list[str]]:
    csv.field_size_limit(_LONGEST_FIELD)
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True))
        # A quotation mark that is never closed swallows the rest of the file.
        swallowed = any(cell.count("\n") > 50 for row in rows for cell in row)
    except csv.Error:
        swallowed = True
    if swallowed:
        rows = list(csv.reader(text.split("\n"), delimiter=delimiter, quoting=csv.QUOTE_NONE))
    return rows
