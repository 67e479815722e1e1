"""How chosen units are shown: quotations with their marks, rows with the titles of their columns."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rag.answering.extractive.completing import Group
from rag.answering.extractive.titles import titled
from rag.answering.extractive.units import Unit
from rag.citations.cite import PageOf
from rag.citations.markers import MARKER
from rag.citations.references import dropped
from rag.records import Citation, Evidence
from rag.text.language import language

_MOST_CHARACTERS = 1200
_SIGNS = re.compile(r"^(?:(?:```+|~~~+)[\w+#.-]*$|[-*+•·●▪◦‣–]\s+|#+\s+|\|\s*)|\s*\|$")
"""What makes a line a list item, a heading, a row or the border of code: not shown in a quotation."""
_POINT = re.compile(r"\s*[-*+•·●▪◦‣–]\s+\S")
_ENDS = (*".!?;:,。！？；：，、",)
"""What a point of a list may end with; where none does, the sign of the next one stays: else two points would
read as one sentence."""


@dataclass(frozen=True, slots=True)
class Extract:
    """text: quotations with their [n], one a paragraph.

    spans: (evidence number, start, end) of each, in the document's text.
    no_row: what the question asks for, if the quotations are rows of a table that has none for it.
    """

    text: str
    citations: tuple[Citation, ...]
    spans: tuple[tuple[int, int, int], ...]
    no_row: str = ""


def written(
    groups: Sequence[Group],
    evidence: Mapping[int, Evidence],
    page_of: PageOf,
    most: int = _MOST_CHARACTERS,
    *,
    asked: str = "",
) -> Extract:
    """The groups as they are shown. What two documents say in the same words is shown once, with the marks of
    both. most: characters; what would be more is left out, but never the first. asked: the question: titles
    that tell what it asks stand before what stands under them."""
    titles = titled(groups, evidence, asked)
    marks: dict[str, list[int]] = {}
    citations: list[Citation] = []
    spans: list[tuple[int, int, int]] = []
    length = 0
    for group, title in zip(groups, titles, strict=True):
        item = evidence[group.first.n]
        shown = _shown_of(group, item.text)
        if title:
            shown = [f"{_name(title)}{shown[0]}", *shown[1:]]
        new = sum(len(line) for line in shown if line not in marks)
        if marks and new and length + new > most:
            continue
        length += new
        for line in shown:
            numbers = marks.setdefault(line, [])
            if item.n not in numbers:
                numbers.append(item.n)
        for a, b in _by_page(group, item, page_of):
            if (item.n, item.start + a, item.start + b) in spans:
                continue
            spans.append((item.n, item.start + a, item.start + b))
            citations.append(
                Citation(
                    n=item.n,
                    path=item.path,
                    page=page_of(item, item.start + a),
                    quote=item.text[a:b],
                    verified=True,
                    start=item.start + a,
                    end=item.start + b,
                )
            )
    lines = [f"{line} {' '.join(f'[{n}]' for n in numbers)}" for line, numbers in marks.items()]
    return Extract("\n\n".join(lines), tuple(citations), tuple(spans))


def _shown_of(group: Group, text: str) -> list[str]:
    """A group as it is shown: rows of a table with the titles of their columns, a line each."""
    told = [unit.row.told() if unit.row is not None else "" for unit in group.units]
    if not any(told):
        return [_quoted(group, text)]
    lines: list[str] = []
    words: list[Unit] = []
    for unit, line in zip(group.units, told, strict=True):
        if line:
            lines += _before_rows(words, text)
            words = []
            lines.append(_shown(line))
        elif unit.kind != "header":
            words.append(unit)
    lines += _before_rows(words, text)
    if len(lines) > 1 and group.first.kind == "heading" and lines[0].startswith("“"):
        return [f"{_name(group.first.text)}{lines[1]}", *lines[2:]]
    return lines


def _before_rows(words: Sequence[Unit], text: str) -> list[str]:
    return [f"“{_shown(text[words[0].start : words[-1].end])}”"] if words else []


def _quoted(group: Group, text: str) -> str:
    pieces = [(group.first.start, group.last.end)]
    if group.header is not None:
        pieces.insert(0, group.header)
    title, shown = _title(group, text), " … ".join(_shown(text[a:b]) for a, b in pieces)
    return f"{title[1]}“{shown[len(title[0]) :].lstrip(' •')}”" if title else f"“{shown}”"


def _pieces(group: Group) -> list[tuple[int, int]]:
    """What the words of a quotation are, in offsets of the evidence: each row by itself."""
    pieces = [(group.first.start, group.last.end)]
    if all(unit.row is not None for unit in group.units):
        pieces = [(unit.start, unit.end) for unit in group.units]
    return pieces if group.header is None else [group.header, *pieces]


def _by_page(group: Group, item: Evidence, page_of: PageOf) -> list[tuple[int, int]]:
    """The pieces of a group, those that go over the end of a page in one piece for each page."""
    found: list[tuple[int, int]] = []
    for a, b in _pieces(group):
        pages: dict[int | None, tuple[int, int]] = {}
        for unit in group.units:
            if a <= unit.start and unit.end <= b:
                page = page_of(item, item.start + unit.start)
                first, _ = pages.get(page, (unit.start, unit.end))
                pages[page] = (first, unit.end)
        found += pages.values() if len(pages) > 1 else [(a, b)]
    return found


def _title(group: Group, text: str) -> tuple[str, str] | None:
    """The heading that a group begins with: as it is quoted, and as it stands before the quotation."""
    if group.first.kind != "heading" or group.first == group.last:
        return None
    return _shown(text[group.first.start : group.first.end]), _name(group.first.text)


def _name(heading: str) -> str:
    """A heading as it stands before what it names."""
    quoted = _shown(heading)
    # "5. " in front would make a list of it.
    title = re.sub(r"^\d{1,2}[.)、](?!\d)\s*", "", quoted).rstrip(":： ")
    if title.endswith(("?", "？")):
        return f"{title} "
    return f"{title}{'：' if language(quoted) == 'zh' else ': '}"


def _shown(text: str) -> str:
    """Quoted words as one line, without signs of list, heading and row, and without the text's references.

    Nothing in brackets that looks like a marker of ours is left, not even an index in code.
    """
    shown = ""
    for line in dropped(text).split("\n"):
        stripped = _SIGNS.sub("", line.strip())
        apart = _POINT.match(line) and shown.strip() and not shown.rstrip().endswith(_ENDS)
        shown += f" • {stripped}" if apart else f" {stripped}"
    return " ".join(MARKER.sub("", shown).replace("**", "").split())
