"""Complete answers in the documents' words: each part of the question gets its own quotations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rag.answering.asked import Asked
from rag.answering.by_model import silent
from rag.answering.by_quotation import with_own_words
from rag.answering.calculations import calculations
from rag.answering.events import Event, Finished, Progress, Retrieved
from rag.answering.extractive import Extract, extract_parts
from rag.answering.parts import Part
from rag.answering.planning import other_words, planned
from rag.answering.rarity import rarity_in
from rag.answering.retrieving import Found, by_turns, packed, searched
from rag.answering.tables import Calculated
from rag.answering.unmentioned import unmentioned, unmentioned_text
from rag.citations.wording import content_words
from rag.records import Citation, Evidence, Passage
from rag.text.language import language

_TITLED = 3
"""From so many parts on each has its question as a title."""
_HELD, _HELD_WITH_THE_WHOLE = 0.5, 0.3
"""Share of a part's words that a quotation must hold if the search for that part alone found nothing; where
that for the whole question found something, a part is often asked in words that lean on the rest."""
_FEW_WORDS = 2
_BUDGETS = 3
"""Nobody but the program reads the evidence, so it may be this many times what a model would get."""
_LEAST_HELD = 0.05
"""Less than that in the question's own language, and the passages speak of something else. Not more: a
question in other words shares a tenth of its words with its answer."""


def complete_quotations(asked: Asked, passages: Sequence[Passage]) -> Iterator[Event]:
    """passages: of the search for the whole question; they may be none if those of its parts are some."""
    parts = yield from planned(asked)
    several = len(parts) > 1
    lists: list[list[Passage]] = [list(passages)]
    again: list[bool] = []
    for part in parts:
        found = searched(asked, part.search) if several else list(passages)
        again.append(not found)
        if not found:
            yield Progress("again", about=part.text)
            words = yield from other_words(asked, part)
            found = searched(asked, words)
        lists += [found, *(searched(asked, search) for search in part.also)]
    read = by_turns(lists)
    table_of, pages = calculations(asked, parts, read)
    evidence = list(pages)
    left_out = 0
    if len(table_of) < len(parts):
        room = asked.budget * (1 if asked.bounded else _BUDGETS)
        packing = packed(asked, read, room, after=len(pages))
        evidence += packing.evidence
        left_out = packing.left_out
    yield Retrieved(tuple(evidence), left_out)
    texts = evidence[len(pages) :]
    if not several and not table_of:
        yield from _one(asked, Found(tuple(texts), left_out), parts[0], again=again[0])
        return
    yield from _several(asked, parts, table_of, evidence, texts, left_out, again, whole=bool(passages))


def _one(asked: Asked, found: Found, part: Part, *, again: bool) -> Iterator[Event]:
    ((quotations, held),) = _quotations(asked, [part], found.evidence)
    missing = unmentioned_text(asked.search, found.evidence, asked.language)
    quoted = {citation.n for citation in quotations.citations}
    spoken = all(language(item.text) == asked.language for item in found.evidence if item.n in quoted)
    if held < _LEAST_HELD and spoken:
        _tell(asked, [{"part": part.text, "answered": False, "searched_again": again}], 1)
        yield from silent(asked, found.evidence, found.left_out)
        return
    _tell(asked, [{"part": part.text, "answered": not missing, "searched_again": again}], 1)
    yield asked.show("\n\n".join(filter(None, [missing, quotations.text])))
    yield from with_own_words(asked, found, quotations, wanted=not missing)


def _several(
    asked: Asked,
    parts: Sequence[Part],
    table_of: dict[int, Calculated],
    evidence: Sequence[Evidence],
    texts: Sequence[Evidence],
    left_out: int,
    again: Sequence[bool],
    *,
    whole: bool,
) -> Iterator[Event]:
    """whole: the search for the whole question has found something."""
    least = _HELD_WITH_THE_WHOLE if whole else _HELD
    quoted = _quotations(asked, [part for place, part in enumerate(parts) if place not in table_of], texts)
    said: list[dict[str, object]] = []
    citations: list[Citation] = []
    lines: set[str] = set()
    for place, part in enumerate(parts):
        titled = len(parts) >= _TITLED
        title = f"**{part.text.replace('*', '')}**\n\n" if titled else ""
        if place in table_of:
            table = table_of[place]
            text: str | None = table.text
            citations += table.citations
            asked.coverage.update(table.coverage)
        else:
            text = None
            quotations, held = next(quoted)
            known = held >= least or not again[place]
            if (
                known
                and not unmentioned(part.search, texts)
                and not _of_another(place, parts, quotations, texts)
            ):
                text = _new(quotations.text, set() if titled else lines)
                citations += quotations.citations
        said.append({"part": part.text, "answered": text is not None, "searched_again": again[place]})
        if text is None:
            text = asked.phrases.unanswered.format(part=part.text)
        if text:
            gap = "\n\n" if asked.shown else ""
            yield asked.show(f"{gap}{title}{text}")
        _tell(asked, said, len(parts))
    if not any(part["answered"] for part in said):
        yield from silent(asked, evidence, left_out)
        return
    yield Finished(
        asked.answer(
            evidence, citations=list(dict.fromkeys(citations)), left_out=left_out, extractive=bool(texts)
        )
    )


def _quotations(
    asked: Asked, parts: Sequence[Part], evidence: Sequence[Evidence]
) -> Iterator[tuple[Extract, float]]:
    if not parts:
        return iter(())
    # A part of hardly any words of its own ("What does it mean?") is looked for with what it leans on.
    few = [len(set(content_words(part.text))) < _FEW_WORDS for part in parts]
    whole = asked.search if len(parts) > 1 else parts[0].search
    return iter(
        extract_parts(
            whole,
            [
                part.search if short or len(parts) == 1 else part.text
                for part, short in zip(parts, few, strict=True)
            ],
            evidence,
            rarity=rarity_in(asked.library, " ".join([asked.search, *(part.search for part in parts)])),
            embedder=asked.embedder,
            page_of=asked.pages.page_of,
            layout_of=asked.pages.layout_of,
            sides=[part.sides for part in parts],
        )
    )


def _of_another(place: int, parts: Sequence[Part], quotations: Extract, evidence: Sequence[Evidence]) -> bool:
    """Whether the quotations lack a name that tells this part from all the others ("and in Suzhou?")."""
    cited = {citation.n for citation in quotations.citations}
    quoted = [
        replace(item, text=" ".join([quotations.text, item.table_header]))
        for item in evidence
        if item.n in cited
    ]
    others = " ".join(part.text for at, part in enumerate(parts) if at != place)
    return any(name not in others for name in unmentioned(parts[place].text, quoted))


def _new(text: str, shown: set[str]) -> str:
    """A part's quotations without those that stand above already."""
    lines = [line for line in text.split("\n\n") if line not in shown]
    shown.update(lines)
    return "\n\n".join(lines)


def _tell(asked: Asked, said: Sequence[dict[str, object]], parts: int) -> None:
    answered = sum(bool(part["answered"]) for part in said)
    asked.coverage.update(mode="complete", parts=list(said), answered=answered, of=parts)
