"""One chapter in a model's words, or in its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from rag.answering.every.asking import renumbered
from rag.answering.every.said import Said
from rag.answering.extractive.units import Unit, about_tokens, units
from rag.citations.markers import MARKER
from rag.citations.references import dropped
from rag.records import Citation, Evidence
from rag.text.normal import normalise

if TYPE_CHECKING:
    from rag.answering.asked import Asked
    from rag.answering.every.documents import Paper

ANSWER_TOKENS = 192
_QUOTED = 2
_QUOTED_ALONE = 5
_SAME = 0.5
"""What likeness to a sentence that is quoted already costs another one."""
_COMPARED = 24
"""Sentences of a chapter whose meaning is compared; of more, every second or third."""
_LONGEST = 160
_SHORTEST = 6
"""Tokens, about, of a unit that can speak for a chapter."""


def by_quotation(
    asked: Asked, paper: Paper, evidence: Sequence[Evidence], after: int, *, alone: bool
) -> Said:
    """The sentences that come nearest to the chapter as a whole, in order. alone: no other is."""
    everything = units(evidence, asked.pages.layout_of)
    speaking = [unit for unit in everything if _speaks(unit)] or [
        unit for unit in everything if unit.kind not in ("heading", "header", "head")
    ]
    if not speaking:
        return Said(paper)
    speaking = list({normalise(unit.text): unit for unit in reversed(speaking)}.values())[::-1]
    step = -(-len(speaking) // _COMPARED)
    picked = _central(asked, speaking[::step], _QUOTED_ALONE if alone else _QUOTED)
    by_number = {item.n: item for item in evidence}
    lines: list[str] = []
    citations: list[Citation] = []
    for unit in picked:
        item = by_number[unit.n]
        told = unit.row.told() if unit.row is not None else ""
        shown = " ".join(MARKER.sub("", dropped(told or unit.text)).replace("**", "").split()).lstrip(
            "#-*•| "
        )
        lines.append(f"{shown} [{unit.n}]" if told else f"“{shown}” [{unit.n}]")
        citations.append(
            Citation(
                n=unit.n,
                path=item.path,
                page=asked.pages.page_of(item, item.start + unit.start),
                quote=unit.text,
                verified=True,
                start=item.start + unit.start,
                end=item.start + unit.end,
            )
        )
    return renumbered(paper, " ".join(lines), evidence, citations, (), after)


def _speaks(unit: Unit) -> bool:
    size = about_tokens(unit.text)
    return unit.kind in ("sentence", "item") and _SHORTEST <= size <= _LONGEST and not _asks(unit)


def _asks(unit: Unit) -> bool:
    return unit.text.rstrip().endswith(("?", "？", ":", "："))


def _central(asked: Asked, among: Sequence[Unit], most: int) -> list[Unit]:
    if len(among) <= most:
        return list(among)
    vectors = asked.embedder.embed_passages([unit.text for unit in among])
    likeness = vectors @ np.mean(vectors, axis=0)
    # What a chapter begins with says more often than the rest what it is about.
    likeness[0] += float(np.std(likeness))
    best: list[int] = []
    for _ in range(most):
        # Two sentences that say the same tell half as much.
        said = np.max(vectors @ vectors[best].T, axis=1) if best else np.zeros(len(among))
        order = np.argsort(-(likeness - _SAME * said), kind="stable").tolist()
        best.append(next(place for place in order if place not in best))
    return [among[place] for place in sorted(best)]
