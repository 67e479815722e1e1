"""Complete answers in the documents' words: each part of the question gets its own quotations.

Whatever a quick answer would quote is quoted here too, in the part that it fits.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from rag.answering.asked import Asked
from rag.answering.by_model import silent
from rag.answering.by_quotation import with_own_words
from rag.answering.calculations import calculations
from rag.answering.events import Event, Finished, Progress, Retrieved
from rag.answering.extractive import Extract, Quotations, Sought, no_such_row_text
from rag.answering.parts import TITLED, Part
from rag.answering.planning import other_words, planned
from rag.answering.rarity import rarity_in
from rag.answering.retrieving import Found, by_turns, packed, searched, unread
from rag.answering.tables import Calculated
from rag.answering.unmentioned import unmentioned, unmentioned_text
from rag.citations.wording import content_words
from rag.records import Citation, Evidence, Passage
from rag.text.language import Language, language

_HELD, _HELD_WITH_THE_WHOLE = 0.5, 0.3
"""Share of a part's words that a quotation must hold if the search for that part alone found nothing; where
that for the whole question found something, a part is often asked in words that lean on the rest."""
_LEAST_HELD = 0.05
"""Less than that in the question's own language, and the passages speak of something else. Not more: a
question in other words shares a tenth of its words with its answer."""
_FEW_WORDS = 2
_ENDS = "?？.。!！;；:：\n"
_NEAREST: Mapping[Language, str] = {"en": "What comes nearest: ", "zh": "最接近的内容："}
_BUDGETS = 3
"""Nobody but the program reads the evidence, so it may be this many times what a model would get."""


@dataclass
class _Read:
    """What was read for the question. first: how many of the texts a quick answer would read too.

    again: of each part, whether the search for it alone found nothing.
    """

    again: list[bool]
    pages: list[Evidence] = field(default_factory=list)
    texts: list[Evidence] = field(default_factory=list)
    first: int = 0
    left_out: int = 0

    @property
    def evidence(self) -> list[Evidence]:
        return [*self.pages, *self.texts]


def complete_quotations(asked: Asked, passages: Sequence[Passage]) -> Iterator[Event]:
    """passages: of the search for the whole question; they may be none if those of its parts are some."""
    parts = yield from planned(asked)
    several = len(parts) > 1
    lists: list[list[Passage]] = [list(passages)]
    read = _Read(again=[])
    for part in parts:
        found = searched(asked, part.search) if several else list(passages)
        read.again.append(not found)
        if not found:
            yield Progress("again", about=part.text)
            words = yield from other_words(asked, part)
            found = searched(asked, words)
        lists += [found, *(searched(asked, search) for search in part.also)]
    everything = by_turns(lists)
    table_of, read.pages = calculations(asked, parts, everything)
    if len(table_of) < len(parts):
        _pack(asked, passages, everything, read, several=several)
    yield Retrieved(tuple(read.evidence), read.left_out)
    if several or table_of:
        yield from _several(asked, parts, table_of, read)
    else:
        yield from _one(asked, parts[0], read)


def _pack(
    asked: Asked, passages: Sequence[Passage], everything: Sequence[Passage], read: _Read, *, several: bool
) -> None:
    """First what a quick answer reads, packed as it is there, then the rest of what was found."""
    after = len(read.pages)
    if not passages or (several and asked.bounded):
        # Nothing to read first; or no more room than that, which the parts share.
        found = packed(asked, everything, asked.budget * (1 if asked.bounded else _BUDGETS), after=after)
        read.texts, read.left_out = list(found.evidence), found.left_out
        read.first = len(read.texts) if passages else 0
        return
    found = packed(asked, passages, asked.budget, after=after)
    read.texts, read.left_out, read.first = list(found.evidence), found.left_out, len(found.evidence)
    rest = unread(everything, read.texts)
    if rest and not asked.bounded:
        found = packed(asked, rest, asked.budget * (_BUDGETS - 1), after=after + read.first)
        read.texts += found.evidence
        read.left_out = found.left_out


def _one(asked: Asked, part: Part, read: _Read) -> Iterator[Event]:
    found = Found(tuple(read.texts), read.left_out)
    quotations = _quotations(asked, [part], read)
    missing = unmentioned_text(asked.search, read.texts, asked.language, asked.named(asked.search))
    said = {"part": part.text, "searched_again": read.again[0]}
    if quotations.held[0] < _LEAST_HELD and _spoken(asked, quotations.cited(0)):
        _tell(asked, [{**said, "answered": False}], 1)
        yield from silent(asked, found.evidence, found.left_out)
        return
    extract = quotations.write(0)
    no_row = quotations.no_row(0)
    missing = no_such_row_text(no_row, asked.language) if no_row else missing
    _tell(asked, [{**said, "answered": not missing}], 1)
    yield asked.show("\n\n".join(filter(None, [missing, extract.text])))
    yield from with_own_words(asked, found, extract, wanted=not missing)


def _several(
    asked: Asked, parts: Sequence[Part], table_of: Mapping[int, Calculated], read: _Read
) -> Iterator[Event]:
    quotations = _quotations(asked, parts, read, table_of) if read.texts else None
    said: list[dict[str, object]] = []
    citations: list[Citation] = []
    found = bool(table_of)
    for place, part in enumerate(parts):
        if place in table_of:
            table = table_of[place]
            asked.coverage.update(table.coverage)
            text, cited, answered = table.text, table.citations, True
        else:
            assert quotations is not None  # the parts without a table have texts
            state = _state(asked, place, parts, read, quotations)
            answered = state == "answered"
            found = found or state != "silent"
            extract = _extract(asked, place, parts, read, quotations, answered=answered)
            text, cited = extract.text, extract.citations
            no_row = quotations.no_row(place)
            if no_row:
                answered = False
                text = "\n\n".join(filter(None, [no_such_row_text(no_row, asked.language), text]))
            elif not answered:
                missing = unmentioned_text(part.search, read.texts, asked.language, asked.named(part.search))
                silence = " ".join(filter(None, [asked.phrases.unanswered.format(part=part.text), missing]))
                text = "\n\n".join([silence, *([f"{_NEAREST[asked.language]}{text}"] if text else [])])
        citations += cited
        said.append({"part": part.text, "answered": answered, "searched_again": read.again[place]})
        if text:
            gap = "\n\n" if asked.shown else ""
            title = f"**{part.text.replace('*', '')}**\n\n" if len(parts) >= TITLED else ""
            yield asked.show(f"{gap}{title}{text}")
        _tell(asked, said, len(parts))
    if not found:
        yield from silent(asked, read.evidence, read.left_out)
        return
    yield Finished(
        asked.answer(
            read.evidence,
            citations=list(dict.fromkeys(citations)),
            left_out=read.left_out,
            extractive=bool(read.texts),
        )
    )


def _state(
    asked: Asked, place: int, parts: Sequence[Part], read: _Read, quotations: Quotations
) -> Literal["answered", "unnamed", "silent"]:
    """Whether the quotations for a part answer it. "unnamed": they might, but what was read lacks a name."""
    held = quotations.held[place]
    least = _HELD_WITH_THE_WHOLE if read.first else _HELD
    if read.again[place] and held < least:
        return "silent"
    if _strange(asked, place, parts, quotations):
        return "silent"
    if unmentioned(parts[place].search, read.texts, asked.named(parts[place].search)):
        return "silent" if read.again[place] else "unnamed"
    # A name that tells this part from all the others ("and in Suzhou?") must stand in what is quoted.
    others = " ".join(part.text for at, part in enumerate(parts) if at != place)
    quoted = quotations.quoted(range(len(parts)))
    names = unmentioned(parts[place].text, quoted, asked.named(parts[place].text))
    lacking = any(name not in others for name in names)
    return "silent" if lacking and quotations.of_another(place) else "answered"


def _extract(
    asked: Asked,
    place: int,
    parts: Sequence[Part],
    read: _Read,
    quotations: Quotations,
    *,
    answered: bool,
) -> Extract:
    if answered:
        return quotations.write(place, repeats=len(parts) >= TITLED)
    # Beside a part that stands on its own and of which nothing was found, anything that is near is noise.
    own = parts[place].search == parts[place].text and not _joined(asked.search, parts[place].text)
    if own and read.again[place] and quotations.held[place] < _LEAST_HELD:
        return Extract("", (), ())
    return quotations.write(place, nearest=True)


def _strange(asked: Asked, place: int, parts: Sequence[Part], quotations: Quotations) -> bool:
    """Whether what is quoted speaks of something else than a part that stands on its own."""
    alone = parts[place].search == parts[place].text
    return alone and quotations.held[place] < _LEAST_HELD and _spoken(asked, quotations.cited(place))


def _joined(question: str, part: str) -> bool:
    """Whether a part goes on from the clause before it: then its own words tell little of what it asks."""
    at = question.lower().find(part.lower().rstrip("?？"))
    before = question[: max(at, 0)].rstrip()
    return bool(before) and before[-1] not in _ENDS


def _quotations(
    asked: Asked, parts: Sequence[Part], read: _Read, answered: Collection[int] = frozenset()
) -> Quotations:
    # A part of hardly any words of its own ("What does it mean?") is looked for with what it leans on.
    alone = [len(parts) > 1 and len(set(content_words(part.text))) >= _FEW_WORDS for part in parts]
    alone = [bool(asked.earlier.asks)] if asked.leans else alone
    return Quotations(
        asked.search if len(parts) > 1 else parts[0].search,
        [
            Sought(part.text if enough else part.search, part.sides)
            for part, enough in zip(parts, alone, strict=True)
        ],
        read.texts,
        first=read.first,
        rarity=rarity_in(asked.library, " ".join([asked.search, *(part.search for part in parts)])),
        embedder=asked.embedder,
        page_of=asked.pages.page_of,
        layout_of=asked.pages.layout_of,
        answered=answered,
        pages=asked.on_pages,
        earlier=asked.earlier,
        named=asked.named(" ".join([asked.search, *(part.search for part in parts)])),
    )


def _spoken(asked: Asked, cited: Sequence[Evidence]) -> bool:
    """Whether the evidence is in the question's language, so that their words can be compared. Who asks for a
    page asks for what stands there."""
    return not asked.on_pages and all(language(item.text) == asked.language for item in cited)


def _tell(asked: Asked, said: Sequence[dict[str, object]], parts: int) -> None:
    answered = sum(bool(part["answered"]) for part in said)
    asked.coverage.update(mode="complete", parts=list(said), answered=answered, of=parts)
