"""An answer in the documents' own words: the sentences of the evidence that answer the question best.

This is what a model too weak to be trusted is replaced by. Nothing is generated: every line is a
quotation with its place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rag.answering.extractive.completing import Group, groups
from rag.answering.extractive.earlier import Earlier
from rag.answering.extractive.layout import LayoutOf
from rag.answering.extractive.meaning import VectorsOf, abroad
from rag.answering.extractive.orders import marked
from rag.answering.extractive.scoring import Scorer
from rag.answering.extractive.shares import Rarity
from rag.answering.extractive.titles import titled
from rag.answering.extractive.to_the_point import to_the_point
from rag.answering.extractive.units import Unit, units
from rag.answering.named_pages import without_file
from rag.answering.parts import parts_of
from rag.citations.cite import PageOf
from rag.citations.markers import MARKER
from rag.citations.references import dropped
from rag.citations.wording import content_words
from rag.embedding.protocol import Embedder
from rag.prompting.kinds import asks_steps
from rag.records import Citation, Evidence
from rag.text.language import language

if TYPE_CHECKING:
    from rag.glossary import Named

_NOTHING = Earlier()
_MOST = 5
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
    """

    text: str
    citations: tuple[Citation, ...]
    spans: tuple[tuple[int, int, int], ...]


def extract(
    question: str,
    evidence: Sequence[Evidence],
    *,
    rarity: Rarity,
    embedder: Embedder,
    page_of: PageOf,
    layout_of: LayoutOf | None = None,
    named: Sequence[Named] = (),
    pages: frozenset[int] = frozenset(),
    earlier: Earlier = _NOTHING,
) -> Extract:
    """The best quotations for the question, for each of its parts; evidence must not be empty. named: what
    the question names, with its other names. pages: those that it asks about, none: all. earlier: what the
    conversation has said."""
    everything = marked(units(evidence, layout_of), question)
    out = elsewhere(everything, evidence, page_of, pages)
    before = earlier.quoted(everything, evidence)
    scorer = Scorer(question, evidence, everything, rarity, embedder, named=named, out=out, before=before)
    chosen = all_asked(question, everything, evidence, out) if pages else []
    far = abroad(question, evidence, everything)
    chosen = chosen or [
        index
        for each in chosen_for(scorer, question, asks=earlier.asks)
        for index in to_the_point(each, everything, question, far, named)
    ]
    chosen = without_said(chosen, before)
    found = groups(everything, chosen, question, about=about_steps(question))
    return written(found, {item.n: item for item in evidence}, page_of, asked=question)


def extract_best(
    question: str,
    evidence: Sequence[Evidence],
    *,
    rarity: Rarity,
    embedder: Embedder,
    page_of: PageOf,
    layout_of: LayoutOf | None = None,
    told: str = "",
    vectors: VectorsOf | None = None,
    named: Sequence[Named] = (),
    fits: Callable[[str], bool] | None = None,
) -> tuple[Extract, float]:
    """The best quotation alone, and the share of the question's words, by weight, that it and the title it
    comes with hold (0 to 1).
    told: what of the question tells what it is about, "": all of it. vectors: those of the texts that were
    compared are added to it. fits: whether a text has what is wanted; of the best few it is the first that
    does, if one does."""
    everything = marked(units(evidence, layout_of), question)
    scorer = Scorer(told or question, evidence, everything, rarity, embedder, vectors, named)
    chosen = scorer.best(question, _MOST if fits else 1, [], widely=fits is not None)
    fitting = [index for index in chosen if fits and fits(_words_shown(everything[index]))]
    chosen = fitting[:1] or chosen[:1]
    shown = groups(everything, chosen, question, about=about_steps(question))
    places = {(unit.n, unit.place): index for index, unit in enumerate(everything)}
    titles = [places[unit.n, unit.place] for group in shown for unit in group.units if unit.kind == "heading"]
    held = scorer.held_together(told or question, [*chosen, *titles])
    return written(shown, {item.n: item for item in evidence}, page_of), held


def _words_shown(unit: Unit) -> str:
    return (unit.row.told() if unit.row is not None else "") or unit.text


def without_said(chosen: Sequence[int], before: Collection[int]) -> list[int]:
    """The units without those that were quoted before, if others are left."""
    return [index for index in chosen if index not in before] or list(chosen)


def elsewhere(
    everything: Sequence[Unit], evidence: Sequence[Evidence], page_of: PageOf, pages: frozenset[int]
) -> frozenset[int]:
    """Indices of the units that stand on none of the pages, if some do on one."""
    starts = {item.n: item for item in evidence}
    out = frozenset(
        index
        for index, unit in enumerate(everything)
        if pages and page_of(starts[unit.n], starts[unit.n].start + unit.start) not in pages
    )
    return out if len(out) < len(everything) else frozenset()


def all_asked(
    question: str, everything: Sequence[Unit], evidence: Sequence[Evidence], out: Collection[int]
) -> list[int]:
    """Indices of all units of the pages that are asked about, if nothing but their file is named beside them.
    For questions that name pages."""
    named = {word for item in evidence for word in content_words(item.path)}
    for path in {item.path for item in evidence}:
        question = without_file(question, path)
    if set(content_words(question)) - named:
        return []
    return [index for index in range(len(everything)) if index not in out]


def chosen_for(
    scorer: Scorer, question: str, answered: Collection[int] = frozenset(), asks: str = ""
) -> list[list[int]]:
    """The units that answer each part of the question best, in the order of the parts, none twice.
    answered: places of parts that need none. asks: what of the question is asked now, "": all of it."""
    parts = parts_of(asks or question)
    chosen: list[list[int]] = []
    for place, part in enumerate(parts):
        taken = [index for each in chosen for index in each]
        most = max(2, _MOST // len(parts))
        best = [] if place in answered else scorer.best(part.text, most, taken)
        for side in part.sides if best else ():
            best += scorer.best(side, 1, [*taken, *best])
        chosen.append(best)
    return chosen


def about_steps(question: str) -> frozenset[str] | None:
    """What a question that asks for steps is about, None if it asks for none."""
    return frozenset(content_words(question)) if asks_steps(question) else None


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
