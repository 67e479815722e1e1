"""What one of many documents says, on its way into their one table."""

from __future__ import annotations

from dataclasses import dataclass

from rag.answering.every.documents import Paper
from rag.records import Citation, Evidence


@dataclass(frozen=True, slots=True)
class Said:
    """What one document says. text: one line with its [n], "" if it does not say. evidence: what is cited,
    under the numbers of `text`. held, likeness: of a quotation, the share of the question's words that it
    holds, and its cosine to the question. nearness: of a quotation's document, by `every.abroad`. abroad: it
    is in another language than the question."""

    paper: Paper
    text: str = ""
    evidence: tuple[Evidence, ...] = ()
    citations: tuple[Citation, ...] = ()
    unsupported: tuple[str, ...] = ()
    held: float = 0.0
    likeness: float = 0.0
    nearness: float | None = None
    abroad: bool = False
