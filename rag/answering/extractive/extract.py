"""An answer in the documents' own words: the sentences of the evidence that answer the question best.

This is what a model too weak to be trusted is replaced by. Nothing is generated: every line is a
quotation with its place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rag.answering.extractive.completing import Group, groups
from rag.answering.extractive.scoring import Rarity, Scorer
from rag.answering.extractive.units import LayoutOf, units
from rag.answering.parts import parts_of
from rag.citations.cite import PageOf
from rag.citations.markers import MARKER
from rag.citations.references import dropped
from rag.citations.wording import content_words
from rag.embedding.protocol import Embedder
from rag.prompting.kinds import asks_steps
from rag.records import Citation, Evidence
from rag.text.language import language

_MOST = 4
_MOST_OF_A_PART = 2
_MOST_CHARACTERS = 1000
_SIGNS = re.compile(r"^(?:[-*+•·●▪◦‣–]\s+|#+\s+|\|\s*)|\s*\|$")
"""What makes a line a list item, a heading or a row: not shown in a quotation."""


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
) -> Extract:
    """The best quotations for the question, for each of its parts; evidence must not be empty."""
    everything = units(evidence, layout_of)
    scorer = Scorer(question, evidence, everything, rarity, embedder)
    chosen: list[int] = []
    parts = [part.text for part in parts_of(question)]
    for part in parts:
        chosen += scorer.best(part, max(2, _MOST // len(parts)), chosen)
    found = groups(everything, chosen, about=_about(question))
    return _written(found, {item.n: item for item in evidence}, page_of)


def extract_parts(
    question: str,
    parts: Sequence[str],
    evidence: Sequence[Evidence],
    *,
    rarity: Rarity,
    embedder: Embedder,
    page_of: PageOf,
    layout_of: LayoutOf | None = None,
    most: int | None = None,
) -> list[tuple[Extract, float]]:
    """The best quotations for each part on its own, in the order of the parts, and how much of the part's
    words the best of them holds (0 to 1, by weight); evidence must not be empty. most: for each part."""
    everything = units(evidence, layout_of)
    by_number = {item.n: item for item in evidence}
    most = most or (_MOST_OF_A_PART if len(parts) > 1 else _MOST)
    taken: list[int] = []
    found = []
    for part in parts:
        whole = question if part == question else f"{part} {question}"
        scorer = Scorer(whole, evidence, everything, rarity, embedder)
        chosen = scorer.best(part, most, [])
        # What an earlier part has quoted is not quoted again beside something new, unless it comes first.
        chosen = chosen[:1] + [index for index in chosen[1:] if index not in taken]
        taken += chosen
        shown = groups(everything, chosen, about=_about(part))
        found.append((_written(shown, by_number, page_of), max(map(scorer.held(part).__getitem__, chosen))))
    return found


def _about(question: str) -> frozenset[str] | None:
    """What a question that asks for steps is about, None if it asks for none."""
    return frozenset(content_words(question)) if asks_steps(question) else None


def _written(groups: Sequence[Group], evidence: Mapping[int, Evidence], page_of: PageOf) -> Extract:
    lines: list[str] = []
    citations: list[Citation] = []
    spans: list[tuple[int, int, int]] = []
    length = 0
    for group in groups:
        item = evidence[group.first.n]
        pieces = [(group.first.start, group.last.end)]
        if group.header is not None:
            pieces.insert(0, (group.header.start, group.header.end))
        title, shown = _title(group, item.text), " … ".join(_shown(item.text[a:b]) for a, b in pieces)
        shown = f"{title[1]}“{shown[len(title[0]) :].lstrip()}”" if title else f"“{shown}”"
        if lines and length + len(shown) > _MOST_CHARACTERS:
            continue
        length += len(shown)
        lines.append(f"{shown} [{item.n}]")
        spans.extend((item.n, item.start + a, item.start + b) for a, b in pieces)
        citations.extend(
            Citation(
                n=item.n,
                path=item.path,
                page=page_of(item, item.start + a),
                quote=item.text[a:b],
                verified=True,
                start=item.start + a,
                end=item.start + b,
            )
            for a, b in pieces
        )
    return Extract("\n\n".join(lines), tuple(citations), tuple(spans))


def _title(group: Group, text: str) -> tuple[str, str] | None:
    """The heading that a group begins with: as it is quoted, and as it stands before the quotation."""
    if group.first.kind != "heading" or group.first == group.last:
        return None
    quoted = _shown(text[group.first.start : group.first.end])
    # "5. " in front would make a list of it.
    title = re.sub(r"^\d{1,2}[.)、]\s*", "", quoted).rstrip(":： ")
    if title.endswith(("?", "？")):
        return quoted, f"{title} "
    return quoted, f"{title}{'：' if language(quoted) == 'zh' else ': '}"


def _shown(text: str) -> str:
    """Quoted words as one line, without signs of list, heading and row, and without the text's references.

    Nothing in brackets that looks like a marker of ours is left, not even an index in code.
    """
    lines = (_SIGNS.sub("", line.strip()) for line in dropped(text).split("\n"))
    return " ".join(MARKER.sub("", " ".join(lines)).replace("**", "").split())
