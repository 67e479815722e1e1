"""Evidence as units that can be quoted: sentences, list items, rows of a table, headings."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from rag.answering.extractive.layout import Layout, LayoutOf, Row
from rag.answering.tables.borderless import columns_of
from rag.records import Evidence
from rag.text.scripts import is_unspaced
from rag.text.sentences import sentences

Kind = Literal["sentence", "item", "row", "header", "heading", "lead", "head", "order", "fence"]

_ITEM = re.compile(
    r"[-*+•·●▪◦‣–]\s|\(?\d{1,2}[.)、](?!\d)|[（(][一二三四五六七八九十\d]{1,3}[）)]|[一二三四五六七八九十]{1,3}、|[①-⑳]"
    r"|(?i:step)\s*\d{1,2}\b|第[一二三四五六七八九十\d]{1,2}步|步骤\s*[一二三四五六七八九十\d]{1,2}"
)
_SECTION = re.compile(
    r"(?:[一二三四五六七八九十]{1,3}、|第[一二三四五六七八九十百\d]{1,4}[章节条])"
    r"(?:[^。！？；：]{1,24}|[^。！？；：，,]{1,40})"
)
_STOPPED = re.compile(r"[.。!！?？;；…][\"”’」』)）\]]*$")
_LEADS = re.compile(
    r"[:：]\s*$|(?:下列|以下|如下)[^。]{0,16}$|\bfollowing\b[^.]{0,30}$|^(?:Table|表)\s*\d+[^.。]*$"
)
_MARK = re.compile(r"\*{1,3}(?!\S)|_{1,3}(?!\S)")
_FENCE = re.compile(r"(?:```+|~~~+)[\w+#.-]*")
_WORD = re.compile(r"[A-Z]{4,}")
_NUMBERED = re.compile(
    r"\d{1,2}(?:\.\d{1,2}){0,3}\s+[A-Z][A-Za-z ,/&'’-]{2,45}|\d{1,2}(?:\.\d{1,2}){0,3}\s*[一-鿿]{2,12}"
)
_CAPTION = re.compile(r"(?:Table|表)\s*\d+")
_ADDRESS = re.compile(
    r"(?:dear|hello|hi|hey|good (?:morning|afternoon|evening)|to whom it may concern)\b[^.!?;\n]{0,60}[,:!]"
    r"|(?:(?:with )?(?:kind|best|warm|many) (?:regards|wishes|thanks)|regards"
    r"|yours (?:sincerely|faithfully|truly)"
    r"|sincerely(?: yours)?)[,.]?"
    r"|(?:尊敬的|亲爱的|敬爱的|各位)[^。！？；\n]{1,30}[，,：:！!]|[^。！？；，\n]{1,12}(?:女士|先生|小姐)(?:您?好)?[，,：:！!]"
    r"|(?:您|你们?|大家)好[，,：:！!。]?|此致|敬礼[！!]?",
    re.IGNORECASE,
)
"""How a letter begins and ends: to whom, and with which wishes."""
_HEADING_LENGTH = 70
_HEADER_LENGTH = 120
_FULL_LINE = 0.7
_WIDE = 55


@dataclass(frozen=True, slots=True)
class Unit:
    """[start, end) of evidence n's text. place: its number among the units of that evidence.

    kind "lead": announces what follows ("in these steps:"); "header": titles of a table's columns; "head":
    the head of a page or the address of a letter, which is none of the text; "order": speaks to a machine
    that reads it; "fence": begins or ends code.
    row: of a row whose columns have titles.
    """

    n: int
    place: int
    start: int
    end: int
    text: str
    kind: Kind
    row: Row | None = None


def units(evidence: Sequence[Evidence], layout_of: LayoutOf | None = None) -> list[Unit]:
    """The units of each evidence, in order. layout_of: what is known of its document."""
    found: list[Unit] = []
    for item in evidence:
        layout = layout_of(item) if layout_of else Layout()
        rows = {row.start: row for row in layout.rows_within(item.start, item.start + len(item.text))}
        headers = {row.header for row in rows.values()}
        spans = [part for span in _with_marks(item.text) for part in _lines(item.text, *span)]
        spans = _around(item, spans, [*headers, *((row.start, row.end) for row in rows.values())])
        spans = _whole_titles(item, spans, layout)
        before: Kind | None = None
        for place, (start, end) in enumerate(spans):
            kind = _kind(item.text, start, end)
            first, last = item.start + start, item.start + end
            if first in rows:
                kind = "row"
            elif first in layout.heads:
                kind = "head"
            elif (
                first in layout.headings
                and kind in ("row", "sentence", "item")
                and "\n" not in item.text[start:end]
            ):
                kind = "heading"
            elif any(a <= first and last <= b for a, b in headers) or (
                kind in ("row", "sentence")
                and before == "lead"
                and _CAPTION.match(found[-1].text)
                and len(item.text[start:end]) < _HEADER_LENGTH
            ):
                kind = "header"
            found.append(Unit(item.n, place, start, end, item.text[start:end], kind, rows.get(first)))
            before = kind
    starts = {item.n: item.start for item in evidence}
    return _with_columns(_with_seen_titles(_with_titles_of_lists(found), starts))


def _with_titles_of_lists(everything: Sequence[Unit]) -> list[Unit]:
    """A short line of words directly above a list announces it, a numbered one titles the sentence below."""
    told = list(everything)
    for index, unit in enumerate(everything):
        after = everything[index + 1] if index + 1 < len(everything) else unit
        if unit.kind in ("row", "sentence") and unit.row is None and _NUMBERED.fullmatch(unit.text):
            # "3 Payment" above what is said of it
            if (
                after.n == unit.n
                and after.kind == "sentence"
                and after is not unit
                and _STOPPED.search(after.text)
            ):
                told[index] = replace(unit, kind="heading")
            continue
        below = [other.kind for other in everything[index + 1 : index + 3] if other.n == unit.n]
        words = unit.row is None and "|" not in unit.text and not any(map(str.isdigit, unit.text))
        if unit.kind == "row" and words and below == ["item", "item"]:
            told[index] = replace(unit, kind="lead")
    return told


def _with_marks(text: str) -> list[tuple[int, int]]:
    """The sentences of a text, each with the asterisks that end its bold type."""
    spans: list[tuple[int, int]] = []
    for start, end in sentences(text):
        mark = _MARK.match(text, start, end)
        if mark is not None and spans and spans[-1][1] == start:
            spans[-1] = (spans[-1][0], mark.end())
            start = mark.end() + len(text[mark.end() : end]) - len(text[mark.end() : end].lstrip())
        if start < end:
            spans.append((start, end))
    return spans


def _with_seen_titles(everything: Sequence[Unit], starts: Mapping[int, int]) -> list[Unit]:
    """Rows of which the document does not tell that they are a table, under a line of words without a number,
    get that line as the title of their one column. starts: where each evidence begins in its document."""
    told = list(everything)
    top: int | None = None
    for index, unit in enumerate(everything):
        if unit.kind not in ("row", "header") or unit.row is not None or "|" in unit.text:
            top = None
        elif top is None or everything[top].n != unit.n:
            few = len(unit.text.split()) > 1 and not any(map(str.isdigit, unit.text))
            top = index if few or unit.kind == "header" else None
        elif unit.kind == "row" and any(map(str.isdigit, unit.text)):
            title, at = everything[top], starts[unit.n]
            before = everything[top - 1] if top and everything[top - 1].n == unit.n else None
            told[index] = replace(
                unit,
                row=Row(
                    at + unit.start,
                    at + unit.end,
                    (unit.text,),
                    (title.text,),
                    (at + title.start, at + title.end),
                    at + title.start,
                    before.text if before is not None and before.kind in ("lead", "heading") else "",
                ),
            )
    return told


def _with_columns(everything: Sequence[Unit]) -> list[Unit]:
    """The rows under a title that only looks like a table's, with columns where they can be told."""
    tables: dict[tuple[int, int], list[int]] = {}
    for index, unit in enumerate(everything):
        if unit.row is not None and len(unit.row.titles) == 1:
            tables.setdefault((unit.n, unit.row.table), []).append(index)
    told = list(everything)
    for places in tables.values():
        rows = [row for index in places if (row := everything[index].row) is not None]
        titles, found = columns_of(rows[0].titles[0], [row.cells[0] for row in rows])
        for index, row, cells in zip(places, rows, found, strict=False):
            if cells is not None:
                told[index] = replace(everything[index], row=replace(row, cells=cells, titles=titles))
    return told


def _around(
    item: Evidence, spans: Sequence[tuple[int, int]], rows: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """The spans with each row of a table, and each header, as one piece of its own."""
    inside = sorted(
        (start - item.start, end - item.start)
        for start, end in rows
        if item.start <= start and end <= item.start + len(item.text)
    )
    if not inside:
        return list(spans)
    return sorted([*inside, *(part for span in spans for part in _outside(item.text, span, inside))])


def _outside(text: str, span: tuple[int, int], rows: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    at, end = span
    gaps = []
    for first, last in rows:
        if at < last and first < end:
            gaps.append((at, first))
            at = last
    for first, last in [*gaps, (at, end)]:
        piece = text[first:last]
        if piece.strip(" \n\r\t|-:+="):
            start = first + len(piece) - len(piece.lstrip())
            yield start, start + len(piece.strip())


def _whole_titles(item: Evidence, spans: list[tuple[int, int]], layout: Layout) -> list[tuple[int, int]]:
    """The spans with each heading's line in one piece ("Until when? And where?" has two sentences)."""
    whole: list[tuple[int, int]] = []
    for start, end in spans:
        title = bool(whole) and item.start + whole[-1][0] in layout.headings
        if title and "\n" not in item.text[whole[-1][0] : start]:
            whole[-1] = (whole[-1][0], end)
        else:
            whole.append((start, end))
    return whole


def asks(unit: Unit) -> bool:
    """Whether a unit is a question, in bold type or not."""
    return unit.text.rstrip(" *_\"'”’」』)）").endswith(("?", "？"))


def about_tokens(text: str) -> float:
    """About how many tokens a text has."""
    return sum(0.8 if is_unspaced(char) else 0.25 for char in text)


def _lines(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """A sentence as it is if it is running text; its lines if they look like a table's or a list's."""
    spans: list[tuple[int, int]] = []
    at = start
    for line in text[start:end].split("\n"):
        stripped = line.strip()
        if stripped:
            first = at + line.index(stripped)
            spans.append((first, first + len(stripped)))
        at += len(line) + 1
    if len(spans) < 2:
        return [(start, end)]
    lengths = [_width(text[a:b]) for a, b in spans]
    # A sentence that begins within a line is wrapped where the line ends.
    lengths[0] = _width(text[text.rfind("\n", 0, spans[0][0]) + 1 : spans[0][1]])
    wrapped = max(lengths) >= _WIDE and all(length >= _FULL_LINE * max(lengths) for length in lengths[:-1])
    wrapped = wrapped or (len(spans) == 2 and lengths[0] >= _WIDE)
    if wrapped and not any(" | " in text[a:b] for a, b in spans):
        return [(start, end)]
    return spans


def _width(line: str) -> int:
    """Columns that a line takes in print."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in line)


def _kind(text: str, start: int, end: int) -> Kind:
    unit = text[start:end]
    if _FENCE.fullmatch(unit):
        return "fence"
    if unit.startswith("#"):
        return "heading"
    if " | " in unit or unit.startswith("|"):
        return "row"
    if _ADDRESS.fullmatch(unit):
        return "head"
    if _LEADS.search(unit):
        return "lead"
    if _SECTION.fullmatch(unit):
        return "heading"
    if _ITEM.match(unit):
        capitals = len(unit) <= _HEADING_LENGTH and unit.isupper() and not _STOPPED.search(unit)
        return "heading" if capitals and _WORD.search(unit) else "item"
    alone = (start == 0 or "\n" in text[max(0, start - 2) : start]) and text[end : end + 1] in ("\n", "")
    if alone and len(unit) <= _HEADING_LENGTH and not _STOPPED.search(unit):
        # What ends in a comma titles nothing.
        titles = text[end : end + 2] == "\n\n" and not unit.endswith((",", "，", "、"))
        return "heading" if titles else "sentence" if unit.endswith((",", "，")) else "row"
    return "sentence"
