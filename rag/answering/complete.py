"""Complete answers by a model: each part of the question is answered, checked, and searched for once more.

All parts see the same evidence in the same order, so their prompts differ at the end alone, and the prefix
cache spares the reading. What a second search finds is put behind it, under the next numbers.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rag.answering.asked import Asked
from rag.answering.by_model import shares_of, silent, stopped
from rag.answering.calculations import calculations
from rag.answering.drafting import Draft, drafted, fitting
from rag.answering.events import Event, Finished, Progress, Retrieved
from rag.answering.parts import TITLED, Part
from rag.answering.planning import other_words, planned
from rag.answering.retrieving import Found, by_turns, packed, searched, unread
from rag.answering.tables import Calculated
from rag.errors import RagError
from rag.prompting import Plan
from rag.records import Citation, Evidence, Passage

_BUDGETS = 2
"""What is read for several parts is at most this many times what a quick answer reads."""
_LEAST_MORE = 256
"""Tokens; less room than that behind what a quick answer reads holds hardly a passage."""
_AGAIN_SHARE = 2
"""A second search gets at most this fraction (one over it) of the room for evidence."""


@dataclass
class _Kept:
    """What has been found and said so far. of: parts in all."""

    of: int = 1
    evidence: list[Evidence] = field(default_factory=list)
    left_out: int = 0
    citations: list[Citation] = field(default_factory=list)
    unsupported: list[str] = field(default_factory=list)
    parts: list[dict[str, object]] = field(default_factory=list)


def complete(asked: Asked, passages: Sequence[Passage]) -> Iterator[Event]:
    """passages: of the search for the whole question; they may be none if those of its parts are some.

    Raises EngineError if the model says nothing at all.
    """
    kept = _Kept()
    try:
        parts = yield from planned(asked)
        kept.of = len(parts)
        yield from _answered(asked, parts, passages, kept)
    except RagError:
        _tell(asked, kept)
        yield from stopped(asked, kept.evidence, kept.left_out)
        raise
    _tell(asked, kept)
    if not any(part["answered"] for part in kept.parts):
        if not asked.shown.strip():
            raise asked.said_nothing()
        yield from silent(asked, kept.evidence, kept.left_out)
        return
    yield Finished(
        asked.answer(
            kept.evidence,
            citations=list(dict.fromkeys(kept.citations)),
            unsupported=kept.unsupported,
            left_out=kept.left_out,
        )
    )


def _answered(
    asked: Asked, parts: Sequence[Part], passages: Sequence[Passage], kept: _Kept
) -> Iterator[Event]:
    several = len(parts) > 1
    lists = [list(passages)]
    for part in parts:
        lists += [searched(asked, part.search)] if several else []
        lists += [searched(asked, search) for search in part.also]
    everything = by_turns(lists)
    table_of, pages = calculations(asked, parts, everything)
    kept.evidence += pages
    if len(table_of) == len(parts):
        yield Retrieved(tuple(kept.evidence))
        yield from _calculated(asked, parts, table_of, kept)
        return
    then = [asked.phrases.part.format(part=part.text) if several else "" for part in parts]
    more = several and bool(passages) and not asked.bounded
    shares = shares_of(asked, then, times=_BUDGETS if more else 1)
    found = _found(asked, passages if more else everything, everything, shares, after=len(pages))
    evidence, _ = fitting(asked, shares, found.evidence, max(then, key=len))
    kept.evidence += evidence
    kept.left_out = found.left_out + len(found.evidence) - len(evidence)
    yield Retrieved(tuple(kept.evidence), kept.left_out)
    for place, (part, instruction) in enumerate(zip(parts, then, strict=True)):
        if several:
            yield Progress("part", place, len(parts), part.text)
            yield asked.show(_opening(asked.shown, part, titled=len(parts) >= TITLED))
        if place in table_of:
            yield from _shown(asked, part, table_of[place], kept)
        else:
            yield from _one(asked, part, instruction, shares, kept, several=several)
    if several and not any(part["answered"] for part in kept.parts):
        yield from _as_a_whole(asked, shares, kept)


def _as_a_whole(asked: Asked, shares: Plan, kept: _Kept) -> Iterator[Event]:
    """Asked part by part, a model has answered none: the question once more as it stands, before that is
    said. A small model may understand it only so."""
    before = asked.shown
    yield asked.replace("")
    draft = yield from _draft(asked, "", shares, kept, [item for item in kept.evidence if item.tokens])
    if draft.silent:
        yield asked.replace(before)
        return
    kept.citations = list(draft.cited.citations)
    kept.unsupported = list(draft.cited.unsupported)
    again = any(part["searched_again"] for part in kept.parts)
    kept.parts = [{"part": asked.question, "answered": True, "searched_again": again}]
    kept.of = 1


def _found(
    asked: Asked, first: Sequence[Passage], everything: Sequence[Passage], shares: Plan, *, after: int
) -> Found:
    """What a quick answer would read, as it would be packed there, and behind it what else was found."""
    found = packed(asked, first, min(asked.budget, shares.evidence_tokens), after=after)
    room = shares.evidence_tokens - sum(item.tokens for item in found.evidence)
    rest = unread(everything, found.evidence)
    if not rest or room < _LEAST_MORE:
        return Found(found.evidence, max(found.left_out, len(rest)))
    more = packed(asked, rest, room, after=after + len(found.evidence))
    return Found((*found.evidence, *more.evidence), more.left_out)


def _calculated(
    asked: Asked, parts: Sequence[Part], table_of: Mapping[int, Calculated], kept: _Kept
) -> Iterator[Event]:
    """Every part is answered by a calculation: no model is asked."""
    for place, part in enumerate(parts):
        if place:
            yield asked.show("\n\n")
        yield from _shown(asked, part, table_of[place], kept)


def _shown(asked: Asked, part: Part, table: Calculated, kept: _Kept) -> Iterator[Event]:
    yield asked.show(table.text)
    kept.citations += table.citations
    kept.parts.append({"part": part.text, "answered": True, "searched_again": False})
    asked.coverage.update(table.coverage)


def _opening(shown: str, part: Part, *, titled: bool) -> str:
    gap = "\n\n" if shown.strip() else ""
    return f"{gap}**{part.text.replace('*', '')}**\n\n" if titled else gap


def _one(
    asked: Asked, part: Part, instruction: str, shares: Plan, kept: _Kept, *, several: bool
) -> Iterator[Event]:
    """Answer one part; if that finds no support, search again in other words and answer it anew."""
    before = asked.shown
    # The pages of tables that were calculated over (without a count of tokens) are not for the model.
    read = [item for item in kept.evidence if item.tokens]
    draft = yield from _draft(asked, instruction, shares, kept, read)
    again = False
    if not draft.holds:
        yield Progress("again", about=part.text)
        more = yield from _found_again(asked, part, shares, kept)
        if more:
            again = True
            yield asked.replace(before)
            second = yield from _draft(
                asked, instruction, shares, kept, [*kept.evidence[: -len(more)], *more]
            )
            if _worth(second) > _worth(draft):
                draft = second
            else:
                yield asked.replace(before + draft.cited.text)
    if draft.silent and several:
        yield asked.replace(before + asked.phrases.unanswered.format(part=part.text))
    if not draft.silent:
        kept.citations += draft.cited.citations
        kept.unsupported += draft.cited.unsupported
    kept.parts.append({"part": part.text, "answered": not draft.silent, "searched_again": again})


def _draft(
    asked: Asked, instruction: str, shares: Plan, kept: _Kept, evidence: Sequence[Evidence]
) -> Generator[Event, None, Draft]:
    _, messages = fitting(asked, shares, evidence, instruction)
    return (yield from drafted(asked, messages, shares.answer_tokens, kept.evidence))


def _found_again(
    asked: Asked, part: Part, shares: Plan, kept: _Kept
) -> Generator[Event, None, list[Evidence]]:
    """Evidence that a search in other words adds; [] if it adds none."""
    words = yield from other_words(asked, part)
    new = unread(searched(asked, words), kept.evidence)
    if not new:
        return []
    found = packed(asked, new, max(1, shares.evidence_tokens // _AGAIN_SHARE), after=len(kept.evidence))
    more = [replace(item, n=len(kept.evidence) + place) for place, item in enumerate(found.evidence, start=1)]
    kept.evidence += more
    yield Retrieved(tuple(kept.evidence), kept.left_out)
    return more


def _worth(draft: Draft) -> tuple[bool, int, int]:
    return not draft.silent, draft.proved - len(draft.cited.unsupported), draft.proved


def _tell(asked: Asked, kept: _Kept) -> None:
    answered = sum(bool(part["answered"]) for part in kept.parts)
    asked.coverage.update(mode="complete", parts=kept.parts, answered=answered, of=kept.of)
