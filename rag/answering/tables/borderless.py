"""Rows of a PDF whose cells have only white space between them: "Marlin 45 71 kg EUR 2,980".

The text of a page does not keep where columns begin. They are told apart only where nothing is left open: all
columns but the first hold figures, each with the same unit in every row, or every cell is one word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

_CURRENCY = re.compile(r"[$€£¥￥]|EUR|USD|CNY|RMB|GBP|CHF|JPY|HKD")
_FIGURE = re.compile(
    r"[-+−–]?\(?[$€£¥￥]?[-+−–]?\d[\d,.'’]*\)?(?P<unit>%|‰|[a-zµ°℃Ω一-鿿][\w/³²·一-鿿]{0,7})?\)?"
)
_UNIT = re.compile(r"%|‰|°C|℃|[A-Za-zµΩ][A-Za-z0-9/³²·]{0,6}|[一-鿿]{1,3}")
_NOTHING = frozenset(["-", "–", "—", "n/a", "N/A", "无", "/"])
_YEAR = re.compile(r"(?:19|20)\d\d年?")
_TITLE = re.compile(r"[A-ZÄÖÜ][^\s]*(?:\s+(?![A-ZÄÖÜ])(?!\d)\S+)*")
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*\.?"
_DATE = re.compile(
    rf"{_MONTH} \d{{1,2}}, (?:19|20)\d\d|\d{{1,2}} {_MONTH} (?:19|20)\d\d|{_MONTH} (?:19|20)\d\d"
)
_LIKE_THE_OTHERS = 0.7
"""Share of the rows that must be read alike, or none is."""

Cells = tuple[str, ...]


def columns_of(header: str, lines: Sequence[str]) -> tuple[Cells, list[Cells | None]]:
    """The titles of the columns and the cells of each row, None for a row that does not tell; ((), []) if the
    table as a whole does not. header: its titles, the last line counts. lines: its rows.

    >>> columns_of("Model Flow rate Weight", ["P 20 20 m3/h 38 kg", "P 45 45 m3/h 71 kg"])
    (('Model', 'Flow rate', 'Weight'), [('P 20', '20 m3/h', '38 kg'), ('P 45', '45 m3/h', '71 kg')])
    """
    above, _, last = header.strip().rpartition("\n")
    titles = _titles(last)
    if len(titles) < 2 or len(lines) < 2 or (above and titles[0]):
        return (), []  # of titles over several lines, only times are surely above one column each
    words = [tuple(line.split()) for line in lines]
    if titles[0] and all(len(each) == len(titles) for each in words):
        return titles, list(words)
    rows = [_from_the_right(each, len(titles) - 1) for each in words]
    rows = _alike(rows)
    known = sum(row is not None for row in rows)
    return (titles, rows) if known >= max(2, _LIKE_THE_OTHERS * len(rows)) else ((), [])


def _titles(line: str) -> Cells:
    words = line.split()
    dates = _DATE.findall(line)
    if dates and "".join(" ".join(dates).split()) == "".join(words):
        return ("", *dates)
    if words and all(_YEAR.fullmatch(word) for word in words):
        return ("", *words)
    if not line.isascii() and len(words) > 1:
        return tuple(words)
    found = [match.group() for match in _TITLE.finditer(line)]
    return tuple(found) if "".join("".join(found).split()) == "".join(words) else ()


def _from_the_right(words: Sequence[str], figures: int) -> Cells | None:
    """The name of a row and so many figures behind it; None if they are not there."""
    left = list(words)
    cells: list[str] = []
    while len(cells) < figures and left:
        taken = [left.pop()]
        if taken[0] not in _NOTHING and not _FIGURE.fullmatch(taken[0]):
            if not (_UNIT.fullmatch(taken[0]) and left and re.fullmatch(r"[-+−–]?\d[\d,.]*", left[-1])):
                return None
            taken.insert(0, left.pop())
        if left and _CURRENCY.fullmatch(left[-1]) and not _CURRENCY.fullmatch(taken[-1]):
            taken.insert(0, left.pop())
        cells.insert(0, " ".join(taken))
    return (" ".join(left), *cells) if left and len(cells) == figures else None


def _alike(rows: Sequence[Cells | None]) -> list[Cells | None]:
    """The rows without those that have another unit in a column than most, or a name of another shape: a cell
    that is empty moves all those before it."""
    told = [row for row in rows if row is not None]
    if not told:
        return list(rows)
    width = len(told[0])
    units = [
        Counter(_unit(row[at]) for row in told if row[at] not in _NOTHING).most_common(1)
        for at in range(1, width)
    ]
    shapes = {_ends_in_number(row[0]) for row in told}
    figures = sum(_FIGURE.fullmatch(row[0].split()[-1]) is not None for row in told)
    # Without a unit nothing but the name tells whether its number is the first figure.
    if not (units[0] and units[0][0][0]) and (len(shapes) > 1 or 2 * figures > len(told)):
        return [None] * len(rows)
    return [
        row
        if row is not None
        and all(
            row[at + 1] in _NOTHING or not unit or _unit(row[at + 1]) in (unit[0][0], "")
            for at, unit in enumerate(units)
        )
        else None
        for row in rows
    ]


def _unit(cell: str) -> str:
    return re.sub(r"[\d,.'’()+−–\s-]+", "", re.sub(r"(?<=[A-Za-z])\d", "", cell))


def _ends_in_number(name: str) -> bool:
    return name[-1:].isdigit()
