"""A document's text → small pieces in order, each knowing how good a place its beginning is to cut at.

Pieces are lines; a line that is too long for one piece is cut into its sentences, and a sentence that is
still too long by langchain's splitter at the ends of clauses, then of words, at last between characters.
Pieces follow each other without a gap, so offsets are sums of lengths.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from rag.records import Document, Table
from rag.text.sentences import sentences

if TYPE_CHECKING:
    from langchain_text_splitters import RecursiveCharacterTextSplitter


class Cut(IntEnum):
    """What lies before a piece, from the worst place for a cut to the best."""

    CHARACTER = 0
    WORD = 1
    CLAUSE = 2
    UNDER_HEADING = 3
    ROW = 4
    BROKEN_LINE = 5
    SENTENCE = 6
    LINE = 7
    PAGE = 8
    PARAGRAPH = 9
    HEADING = 10


@dataclass(slots=True)
class Piece:
    """document.text[start:end], white space after it included. before: what lies before it."""

    start: int
    end: int
    before: Cut


_LINE = re.compile(r"[^\n]*\n+|[^\n]+\Z")
_WIDE = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U000323af]")
_SENTENCE_END = re.compile(r"[。！？!?…]+[”’」』）】》\"')\]]*\s*\Z|[.;:][\"'”’)\]]*\s+\Z")
_CLAUSE_END = re.compile(r"[，、；：,;:)）—-]\s*\Z")
_ROW = re.compile(r" \| |^\||\t")
_STRUCTURE = (
    # The best place first: langchain takes the first separator that occurs.
    r"[，、；：]+|[,;:|]\s+",
    r"\s+",
    "",
)
_LONGEST = 140
_LONGEST_WIDE = 56
"""Characters of a piece: about a fortieth of a page, in scripts of letters and in Chinese."""


def pieces(document: Document, first_page: int, last_page: int) -> Iterator[Piece]:
    """The pieces of document.pages[first_page:last_page]; page breaks belong to the piece before them."""
    text = document.text
    headings = {heading.start: len(heading.title) for heading in document.headings}
    rows = _Rows(document.tables)
    position = sum(len(page.text) + 2 for page in document.pages[:first_page])
    under_heading_until = -1
    for number in range(first_page, last_page):
        length = len(document.pages[number].text)
        end = position + length + (2 if number + 1 < len(document.pages) else 0)
        before = Cut.PAGE if number > first_page else Cut.PARAGRAPH
        for match in _LINE.finditer(text, position, end):
            for start, stop, cut in _parts(text, match.start(), match.end(), before):
                if start in headings:
                    cut = Cut.HEADING
                elif cut > Cut.UNDER_HEADING and (start == under_heading_until or rows.first_at(start)):
                    cut = Cut.UNDER_HEADING
                elif cut in (Cut.LINE, Cut.BROKEN_LINE) and rows.inside(start):
                    cut = Cut.ROW
                yield Piece(start, stop, cut)
            if match.start() in headings:
                under_heading_until = match.end()
            before = _line_cut(text, match.start(), match.end())
        position = end


class _Rows:
    """Which lines are rows of a table, asked for in the order of the text."""

    def __init__(self, tables: Sequence[Table]) -> None:
        self._tables = sorted(tables, key=lambda table: table.start)
        self._next = 0

    def inside(self, position: int) -> bool:
        """Whether a row other than the first of a table begins at or goes over `position`."""
        table = self._at(position)
        return table is not None and position > table.start

    def first_at(self, position: int) -> bool:
        """Whether `position` follows on a header directly: a header that ends a chunk is lost."""
        table = self._at(position)
        return table is not None and table.start < table.header_end and position == table.header_end + 1

    def _at(self, position: int) -> Table | None:
        while self._next < len(self._tables) and self._tables[self._next].end <= position:
            self._next += 1
        if self._next < len(self._tables) and self._tables[self._next].start <= position:
            return self._tables[self._next]
        return None


def _parts(text: str, start: int, end: int, before: Cut) -> Iterator[tuple[int, int, Cut]]:
    line = text[start:end]
    wide = len(_WIDE.findall(line[:400])) > min(len(line), 400) / 4
    longest = _LONGEST_WIDE if wide else _LONGEST
    if end - start <= longest:
        yield start, end, before
        return
    begins = [start, *(start + begin for begin, _ in sentences(line)[1:]), end]
    for begin, stop in pairwise(begins):
        cut = before if begin == start else Cut.SENTENCE
        if stop - begin <= longest:
            yield begin, stop, cut
        else:
            yield from _parts_of_sentence(text, begin, stop, cut, longest)


def _parts_of_sentence(
    text: str, start: int, end: int, before: Cut, longest: int
) -> Iterator[tuple[int, int, Cut]]:
    position = stop = start
    cut = before
    for part in _splitter(longest).split_text(text[start:end]):
        stop += len(part)
        whole = whole_character(text, stop, end)
        if whole > position:
            yield position, whole, cut
            cut = _inner_cut(text[max(position, whole - 8) : whole])
            position = whole
    if stop != end:
        raise AssertionError(f"the splitter lost characters of the line at {start}")


@lru_cache(maxsize=4)
def _splitter(longest: int) -> RecursiveCharacterTextSplitter:
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    return RecursiveCharacterTextSplitter(
        separators=list(_STRUCTURE),
        is_separator_regex=True,
        keep_separator="end",
        chunk_size=longest,
        chunk_overlap=0,
        strip_whitespace=False,
    )


def _inner_cut(end: str) -> Cut:
    """What kind of place lies between two parts of one sentence, by the end of the first."""
    if _CLAUSE_END.search(end):
        return Cut.CLAUSE
    return Cut.WORD if end[-1:].isspace() else Cut.CHARACTER


def _line_cut(text: str, start: int, end: int) -> Cut:
    """What kind of place the end of a line is."""
    line = text[start:end]
    body = line.rstrip("\n")
    if len(line) - len(body) > 1 or not body.strip():
        return Cut.PARAGRAPH
    if _ROW.search(body):
        return Cut.ROW
    return Cut.LINE if _SENTENCE_END.search(body[-40:] + "\n") else Cut.BROKEN_LINE


def whole_character(text: str, position: int, limit: int) -> int:
    """`position` or the next place, before `limit`, where a cut divides no accent or emoji from its base."""
    while position < limit and _continues(text[position - 1], text[position]):
        position += 1
    return position


def _continues(before: str, character: str) -> bool:
    if before == "\u200d" or character in "\u200d\ufe0e\ufe0f":
        return True
    code = ord(character)
    if code < 0x300:
        return before == "\r" and character == "\n"
    return 0x1F3FB <= code <= 0x1F3FF or unicodedata.combining(character) != 0
