"""A question's passages → the number of lines of a log that it asks for, or None."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rag.answering.tables.calculated import Calculated
from rag.answering.tables.lines import Counted, counted_lines, counts_lines, told
from rag.errors import LibraryError
from rag.records import Citation, Document, Evidence, Passage
from rag.text.language import Language
from rag.text.words import words

if TYPE_CHECKING:
    from rag.library import Library

_DOCUMENTS = 12
_CITED = 3
_SHOWN = 6000
"""Characters of the log that the evidence holds; the count has read all of it."""


def log_counted(
    library: Library,
    question: str,
    passages: Sequence[Passage],
    of: Language,
    *,
    known: Sequence[Evidence] = (),
) -> Calculated | None:
    """known: evidence that has its numbers already. None if no log is asked about, or if it may be one of
    several."""
    if not counts_lines(question):
        return None
    first: dict[str, Passage] = {}
    for passage in passages:
        first.setdefault(passage.chunk.document, passage)
    found: list[tuple[int, Passage, Document, Counted]] = []
    asked = {*words(question)}
    for passage in list(first.values())[:_DOCUMENTS]:
        try:
            document = library.document(passage.chunk.document)
        except LibraryError:
            continue  # it went since the search
        result = counted_lines(question, document, passage.path)
        if result is not None:
            found.append((len(asked & {*words(passage.path)}), passage, document, result))
    best = max((named for named, *_ in found), default=0)
    of_best = [each for each in found if each[0] == best]
    if len(of_best) != 1:
        return None
    _, passage, document, result = of_best[0]
    return _answer(passage, document, result, of, known)


def _answer(
    passage: Passage, document: Document, result: Counted, of: Language, known: Sequence[Evidence]
) -> Calculated:
    start = result.spans[0][0]
    cited = [span for span in result.spans[:_CITED] if span[1] - start <= _SHOWN] or [result.spans[0]]
    end = max(min(cited[-1][1], start + _SHOWN), start + 1)
    same = next(
        (e for e in known if (e.document, e.start, e.end) == (passage.chunk.document, start, end)), None
    )
    n = same.n if same is not None else len(known) + 1
    page = next(iter(document.pages_between(start, start + 1)), None)
    evidence = Evidence(
        n=n,
        document=passage.chunk.document,
        path=passage.path,
        collection=passage.collection,
        text=document.text[start:end],
        start=start,
        end=end,
        pages=() if page is None else (page,),
        heading=(),
        score=passage.score,
        tokens=0,
        scores=passage.scores,
    )
    citations = tuple(
        Citation(
            n=n,
            path=passage.path,
            page=page,
            quote=document.text[first:last],
            verified=True,
            start=first,
            end=last,
        )
        for first, last in cited
        if last <= end
    )
    return Calculated(
        text=told(result, passage.path.rsplit("/", 1)[-1], of, f"[{n}]"),
        evidence=() if same is not None else (evidence,),
        citations=citations,
        coverage={"lines": {"document": passage.path, "lines": result.of, "counted": len(result.spans)}},
    )
