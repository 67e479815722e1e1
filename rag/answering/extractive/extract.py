"""An answer in the documents' own words: the sentences of the evidence that answer the question best.

This is what a model too weak to be trusted is replaced by. Nothing is generated: every line is a
quotation with its place.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rag.answering.extractive.both_sides import of_both_sides
from rag.answering.extractive.completing import groups
from rag.answering.extractive.earlier import Earlier
from rag.answering.extractive.layout import LayoutOf
from rag.answering.extractive.meaning import VectorsOf, abroad
from rag.answering.extractive.no_such_row import asked_row, rows_only
from rag.answering.extractive.orders import marked
from rag.answering.extractive.scoring import Scorer
from rag.answering.extractive.shares import Rarity
from rag.answering.extractive.showing import Extract, written
from rag.answering.extractive.to_the_point import to_the_point
from rag.answering.extractive.units import Unit, units
from rag.answering.named_pages import without_file
from rag.answering.parts import parts_of
from rag.citations.cite import PageOf
from rag.citations.wording import content_words
from rag.embedding.protocol import Embedder
from rag.prompting.kinds import asks_steps
from rag.records import Evidence

if TYPE_CHECKING:
    from rag.glossary import Named

_NOTHING = Earlier()
_MOST = 5


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
    chosen = chosen or compared(scorer, question, everything, evidence)
    far = abroad(question, evidence, everything)
    chosen = chosen or [
        index
        for each in chosen_for(scorer, question, asks=earlier.asks)
        for index in to_the_point(each, everything, question, far, named)
    ]
    chosen = without_said(chosen, before)
    no_row = asked_row(question, chosen, everything, evidence, layout_of, named)
    if no_row:
        chosen = rows_only(chosen, everything)
    found = groups(everything, chosen, question, about=about_steps(question))
    shown = written(found, {item.n: item for item in evidence}, page_of, asked=question)
    return replace(shown, no_row=no_row)


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


def compared(
    scorer: Scorer, question: str, everything: Sequence[Unit], evidence: Sequence[Evidence]
) -> list[int]:
    """Indices of what is quoted of two documents that the question compares; [] if it compares none."""
    parts = parts_of(question)
    sides = parts[0].sides if len(parts) == 1 else ()
    return of_both_sides(scorer, sides, question, everything, evidence)


def about_steps(question: str) -> frozenset[str] | None:
    """What a question that asks for steps is about, None if it asks for none."""
    return frozenset(content_words(question)) if asks_steps(question) else None
