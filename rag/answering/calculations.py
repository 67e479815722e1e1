"""Which parts of a question are answered by calculating over a whole table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rag.answering.asked import Asked
from rag.answering.events import Event, Finished, Retrieved
from rag.answering.parts import Part
from rag.answering.tables import Calculated, calculated
from rag.records import Evidence, Passage


def calculations(
    asked: Asked, parts: Sequence[Part], passages: Sequence[Passage]
) -> tuple[dict[int, Calculated], list[Evidence]]:
    """(place of a part → its calculation, the pages of the tables, numbered from 1)."""
    found: dict[int, Calculated] = {}
    pages: list[Evidence] = []
    for place, part in enumerate(parts):
        result = calculated(asked.library, part.search, passages, asked.language, known=pages)
        if result is not None:
            found[place] = result
            pages += result.evidence
    return found, pages


def from_table(asked: Asked, result: Calculated) -> Iterator[Event]:
    """An answer that consists of one calculation: no model is asked."""
    yield Retrieved(result.evidence)
    yield asked.show(result.text)
    asked.coverage.update(result.coverage)
    yield Finished(asked.answer(result.evidence, citations=result.citations))
