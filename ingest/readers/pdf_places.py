"""Where the words of a page stand: those of tables, and lines that are the rows of one."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator, Sequence
from typing import Any

from ingest.readers.pdf_columnwise import Placed, may_be_columnwise, row_by_row
from ingest.readers.pdf_figures import Words
from ingest.readers.pdf_tables import interesting
from ingest.readers.pdf_text import tidy

LINE_END = re.compile(r"\r?\n")

Line = tuple[str, int]
"""A line of a page and the place of its first character among those that pdfium counts."""


def by_rows(raw: Any, textpage: Any, counted: str, text: str) -> str:
    """The text with the rows of tables that were drawn by columns.

    counted: one character for each that pdfium counts.
    """
    lines = LINE_END.split(text)
    if not may_be_columnwise(lines) or len(counted) != textpage.count_chars():
        return text
    if _letters(text) != _letters(counted):
        return text
    places = [place for place, character in enumerate(counted) if not character.isspace()]
    letters = 0
    placed: list[Placed] = []
    for line in lines:
        begin, letters = letters, letters + len("".join(line.split()))
        if begin < letters:
            left, right = (
                _edge(raw, textpage, places[begin])[0],
                _edge(raw, textpage, places[letters - 1])[1],
            )
            placed.append(Placed(line, left, right, _baseline(raw, textpage, places[begin])))
        else:
            placed.append(Placed("", 0.0, 0.0, 0.0))
    return "\n".join(row_by_row(placed))


def words_of(raw: Any, textpage: Any, text: str, counted: str, lines: Sequence[Line]) -> dict[str, Words]:
    """The edges of the words of lines that may belong to tables, by the line's tidied text.

    text: as it is read; counted: one character for each that pdfium counts; lines: those of `counted`.
    """
    read = LINE_END.split(text)
    wanted = {read[number] for number in interesting(read)}
    if not wanted:
        return {}
    found = {
        tidy(line): tuple(_edges(raw, textpage, line, position)) for line, position in lines if line in wanted
    }
    missing = wanted.difference(line for line, _ in lines)
    if missing and lines and _letters(text) == _letters(counted):
        # The same letters in other lines: they are found by their number.
        places = [place for place, character in enumerate(counted) if not character.isspace()]
        letters = 0
        for line in read:
            if line in missing:
                found.setdefault(tidy(line), tuple(_ends(raw, textpage, line, places[letters:])))
            letters += sum(map(len, line.split()))
    return found


def _ends(raw: Any, textpage: Any, line: str, places: Sequence[int]) -> Iterator[tuple[float, float]]:
    """places: of the letters from the line's first one on."""
    end = 0
    for word in line.split():
        begin, end = end, end + len(word)
        yield _edge(raw, textpage, places[begin])[0], _edge(raw, textpage, places[end - 1])[1]


def _edges(raw: Any, textpage: Any, line: str, position: int) -> Iterator[tuple[float, float]]:
    end = 0
    for word in line.split():
        begin = line.index(word, end)
        end = begin + len(word)
        yield _edge(raw, textpage, position + begin)[0], _edge(raw, textpage, position + end - 1)[1]


def _baseline(raw: Any, textpage: Any, place: int) -> float:
    x, y = ctypes.c_double(), ctypes.c_double()
    raw.FPDFText_GetCharOrigin(textpage, place, x, y)
    return y.value


def _edge(raw: Any, textpage: Any, place: int) -> tuple[float, float]:
    """Left and right of a character."""
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    raw.FPDFText_GetCharBox(textpage, place, left, right, bottom, top)
    return left.value, right.value


def _letters(text: str) -> str:
    """Without blanks, and with every mark of a hyphen as one."""
    return "".join(text.translate({0x02: "-", 0xFFFE: "-"}).split())
