"""Answer and evidence → the answer with every claim's evidence beside it, checked or owned up to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from rag.citations.claims import Claim, claims, without_source_list
from rag.citations.markers import MARKER
from rag.citations.numbers import missing, stated, values
from rag.citations.references import blanked
from rag.citations.support import Embed, EvidenceIndex, Support
from rag.records import Citation, Evidence
from rag.text.normal import find_quote
from rag.text.scripts import is_unspaced
from rag.text.words import words

T = TypeVar("T")

PageOf = Callable[[Evidence, int], int | None]
"""(evidence, offset in its document's text) → the physical page of that place, None if there is none."""

NAMED = 0.4
"""Share of a claim's words that evidence must have which the answer itself names for it."""
UNNAMED = 0.6
"""The same for evidence that the answer does not name: we put the marker there, so we ask for more."""
ALIKE = 3.2
"""Standard deviations above other sentences from which another wording counts as the same meaning;"""
ALIKE_WITH_NUMBERS = 1.0
"""and where the claim states numbers, all of which the sentence holds."""

_QUOTATIONS = re.compile(r"“([^“”]+)”|\"([^\"\n]+)\"|「([^「」]+)」|『([^『』]+)』|«([^«»]+)»")
_ELLIPSIS = re.compile(r"\s*(?:…|\.{3})+\s*|\s*\[(?:…|\.{3})\]\s*")
"""Between the pieces of a quotation that leaves something out."""
_QUOTE_WORDS = 3
_FALSE_QUOTE_WORDS = 6
"""From this length on, quoted words that no evidence has are a false quotation, not a term."""
_FULL_STOP = re.compile(r"\s*[.。!！?？;；]*[\"”’」』)）*_]*\s*\|?\s*$")


@dataclass(frozen=True, slots=True)
class Cited:
    """text: the answer, with markers added or corrected where the evidence is clear."""

    text: str
    citations: tuple[Citation, ...]
    unsupported: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Place:
    """Words that back a claim: a span of evidence n's text, or None and the words that do not stand there."""

    n: int
    span: tuple[int, int] | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class _Found:
    """What one claim rests on. numbers: the markers it should have."""

    claim: Claim
    numbers: tuple[int, ...]
    places: tuple[_Place, ...]
    supported: bool


def cite(
    answer: str,
    evidence: Sequence[Evidence],
    *,
    page_of: PageOf,
    embed: Embed | None = None,
) -> Cited:
    """Check an answer against its evidence.

    answer: text whose markers are clean (rag.citations.markers). Each claim keeps the evidence that it
    names; where that does not support it and other evidence clearly does, or where it names none, the
    marker is put right. What nothing supports is listed in `unsupported`. embed: for claims that share
    too few words with the evidence they name (another language, other words).
    """
    answer = without_source_list(answer)
    index = EvidenceIndex(evidence, embed)
    found = [_evidence_for(claim, index) for claim in claims(answer)]
    text = _rewritten(answer, found)
    return Cited(
        text=text,
        citations=tuple(_citations(text, found, index, page_of)),
        unsupported=tuple(item.claim.text for item in found if not item.supported),
    )


def _evidence_for(claim: Claim, index: EvidenceIndex) -> _Found:
    named = tuple(n for n in claim.numbers if n in index)
    if not claim.stating:
        return _Found(claim, named, (), supported=True)
    quoted, false = _quotations(claim, named, index)
    if false:
        return _Found(
            claim, named, tuple(_Place(n, words=quote) for n in named for quote in false), supported=False
        )
    if quoted:
        # Evidence that is named but holds neither the quotation nor the rest of the claim is the wrong one.
        holding = _once(place.n for place in quoted)
        right = [n for n in named if n in holding or _support_among(claim, [n], index)]
        shown = _once([*right, *holding])
        # A true quotation proves nothing of a number beside it.
        beside = _QUOTATIONS.sub(" ", claim.text)
        known = set().union(*(values(index[n].text) for n in shown))
        return _Found(claim, shown, tuple(quoted), supported=not missing(beside, known))
    support = _support_among(claim, named, index)
    if support:
        return _Found(claim, named, tuple(_Place(s.n, (s.start, s.end)) for s in support), supported=True)
    other = _best_other(claim, named, index)
    if other is not None:
        return _Found(claim, (other.n,), (_Place(other.n, (other.start, other.end)),), supported=True)
    return _Found(claim, named, (), supported=False)


def _quotations(claim: Claim, named: Sequence[int], index: EvidenceIndex) -> tuple[list[_Place], list[str]]:
    """The claim's words in quotation marks: where they stand, and those that stand nowhere."""
    found: list[_Place] = []
    false: list[str] = []
    whole = [next(group for group in match.groups() if group) for match in _QUOTATIONS.finditer(claim.text)]
    # A sentence of a longer quotation has no quotation marks of its own.
    for quote in [piece for said in [*whole, claim.quoted] for piece in _ELLIPSIS.split(said)]:
        length = len(words(quote))
        if length < _QUOTE_WORDS:
            continue
        places = ((n, locate(quote, index[n].text)) for n in _once([*named, *index]))
        place = next((_Place(n, span) for n, span in places if span is not None), None)
        if place is not None:
            found.append(place)
        elif length >= _FALSE_QUOTE_WORDS:
            false.append(quote)
    return found, false


def locate(quote: str, text: str) -> tuple[int, int] | None:
    """Where a quotation stands in a text, with or without the text's own references."""
    return find_quote(quote, text) or find_quote(quote, blanked(text))


def _support_among(claim: Claim, named: Sequence[int], index: EvidenceIndex) -> list[Support]:
    """The support that the named evidence gives: one alone, several together, or one in other words."""
    best = [support for n in named if (support := index.best(claim.text, n)) is not None]
    alone = [support for support in best if support.holds(NAMED)]
    if alone or not (best or named):
        return alone
    if len(best) > 1 and all(support.agrees for support in best):
        together = frozenset().union(*(support.shared for support in best))
        lacking = frozenset.intersection(*(support.lacking for support in best))
        if not lacking and index.share(claim.text, together) >= NAMED:
            return best
    closest = index.closest(claim.text, named)
    if closest is None or not closest.agrees or closest.lacking or closest.likeness is None:
        return []
    return [closest] if closest.likeness >= (ALIKE_WITH_NUMBERS if stated(claim.text) else ALIKE) else []


def _best_other(claim: Claim, named: Sequence[int], index: EvidenceIndex) -> Support | None:
    others = [index.best(claim.text, n) for n in index if n not in named]
    good = [support for support in others if support is not None and support.holds(UNNAMED)]
    return max(good, key=lambda support: support.share, default=None)


def _rewritten(answer: str, found: Sequence[_Found]) -> str:
    """The answer with the markers of each claim as they should be."""
    numbers_at = {item.claim.start: item.numbers for item in found}
    for item in reversed(found):
        # What the end of its quotation says for it, or its own marks say.
        said = item.claim.numbers if item.claim.marked_at is None else numbers_at[item.claim.marked_at]
        if item.numbers == said:
            continue
        start, end = item.claim.start, item.claim.end
        raw = re.sub(rf"\s*{MARKER.pattern}", "", answer[start:end]).strip()
        stop = _FULL_STOP.search(raw)
        body, tail = (raw[: stop.start()], raw[stop.start() :]) if stop else (raw, "")
        gap = "" if any(is_unspaced(char) for char in body[-2:]) else " "
        marks = "".join(f"[{n}]" for n in item.numbers)
        answer = answer[:start] + body + (gap + marks if marks else "") + tail + answer[end:]
    return answer


def _citations(
    text: str, found: Sequence[_Found], index: EvidenceIndex, page_of: PageOf
) -> Iterator[Citation]:
    """One for each place that backs the text, in the order of the text; each [n] shown has at least one."""
    places = _once(place for item in found for place in item.places)
    shown = _once(int(n) for n in MARKER.findall(text))
    for n in shown:
        if n not in index:
            continue
        of_n = [place for place in places if place.n == n]
        spans = [place for place in of_n if place.span is not None]
        for place in spans or of_n or [_Place(n)]:
            yield _citation(place, index[n], page_of)


def _once(items: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(items))


def _citation(place: _Place, evidence: Evidence, page_of: PageOf) -> Citation:
    if place.span is None:
        return Citation(place.n, evidence.path, evidence.page, place.words, verified=False)
    start, end = place.span
    at = evidence.start + start
    return Citation(
        n=place.n,
        path=evidence.path,
        page=page_of(evidence, at),
        quote=evidence.text[start:end],
        verified=True,
        start=at,
        end=evidence.start + end,
    )
