"""Which parts of a question are answered by calculating over a whole table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rag.answering.asked import Asked
from rag.answering.events import Event, Finished, Retrieved
from rag.answering.parts import Part
from rag.answering.retrieving import untested
from rag.answering.tables import Calculated, asks_for_calculation, calculated, log_counted
from rag.records import Evidence, Passage


def calculations(
    asked: Asked, parts: Sequence[Part], passages: Sequence[Passage]
) -> tuple[dict[int, Calculated], list[Evidence]]:
    """(place of a part → its calculation, the pages of the tables, numbered from 1). None is there twice: a
    part that leans on another one must ask for a calculation itself."""
    found: dict[int, Calculated] = {}
    pages: list[Evidence] = []
    for place, part in enumerate(parts):
        if len(parts) > 1 and not asks_for_calculation(part.text):
            continue
        result = calculation(asked, part.search, passages, known=pages)
        if result is not None and all(result.text != other.text for other in found.values()):
            found[place] = result
            pages += result.evidence
    return found, pages


def calculation(
    asked: Asked, question: str, passages: Sequence[Passage], *, known: Sequence[Evidence] = ()
) -> Calculated | None:
    """What a table gives as the answer to one question. passages: the evidence found for it, maybe none.

    A table is asked in other words than its own ("staff" of its "Headcount"), so far from them that its rows
    may not pass for evidence. So other tables are looked at, too, but believed only if they know every word
    of the question.
    """
    named = asked.named(question)
    found = calculated(asked.library, question, passages, asked.language, known=known, named=named)
    if found is not None or not asks_for_calculation(question):
        return found
    nearest = untested(asked, question)
    lines = log_counted(asked.library, question, [*passages, *nearest], asked.language, known=known)
    if lines is not None:
        return lines
    return calculated(
        asked.library,
        question,
        nearest,
        asked.language,
        known=known,
        whole=True,
        named=named,
    )


def from_table(asked: Asked, result: Calculated) -> Iterator[Event]:
    """An answer that consists of one calculation: no model is asked."""
    yield Retrieved(result.evidence)
    yield asked.show(result.text)
    asked.coverage.update(result.coverage)
    yield Finished(asked.answer(result.evidence, citations=result.citations))
