"""A question's passages → the answer that a calculation over a whole table gives, or None."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rag.answering.tables.calculating import Result, calculate
from rag.answering.tables.concepts import concepts
from rag.answering.tables.operations import says_plain_total
from rag.answering.tables.reading import Reading, read
from rag.answering.tables.telling import told
from rag.answering.tables.whole import Row, Whole, tables_of
from rag.errors import LibraryError
from rag.records import Citation, Document, Evidence, Passage
from rag.text.folding import fold
from rag.text.language import Language, language
from rag.text.sentences import sentences
from rag.text.words import words

if TYPE_CHECKING:
    from rag.glossary import Named
    from rag.library import Library

_DOCUMENTS = 5
"""Documents whose tables are looked at: those of the best passages."""
_NAMING = 8
"""Passages whose documents may be the one that a question names."""
_MOST_PAGES = 12
"""Pages of a table that are cited one by one."""
_STATED_IN = 5
_SHOWN = 6000
"""Characters of each page of a table that the evidence holds; the calculation has read all of it."""


@dataclass(frozen=True, slots=True)
class Calculated:
    """text: Markdown with its [n]. evidence: the pages of the table, those that were known left out.

    coverage: what was read, for `Answer.coverage`.
    """

    text: str
    evidence: tuple[Evidence, ...]
    citations: tuple[Citation, ...]
    coverage: dict[str, object]


@dataclass(frozen=True, slots=True)
class _Candidate:
    passage: Passage
    document: Document
    table: Whole
    reading: Reading


def calculated(
    library: Library,
    question: str,
    passages: Sequence[Passage],
    of: Language,
    *,
    known: Sequence[Evidence] = (),
    whole: bool = False,
    named: Sequence[Named] = (),
) -> Calculated | None:
    """known: evidence that has its numbers already; the same pages keep them, others get the next.
    whole: only by a table that knows every word of the question, for passages that may be no evidence.
    named: what the question names, with its other names: a table may call it by one of those.

    None if the question asks for no calculation, or if none of the tables that the passages touch is the
    one it speaks of.
    """
    candidates = [
        each
        for each in _candidates(library, question, passages, named)
        if (each.reading.whole if whole else not _is_of_another(each, passages))
    ]
    if not candidates:
        return None
    # The table that most words of the question name; of equals one in the question's language, then that of
    # the better passage.
    best = max(candidates, key=lambda each: (each.reading.said, _speaks(each.table, of)))
    result = calculate(best.reading, best.table)
    if result.value is None and not result.values:
        return None
    pieces = _pieces(best, result)
    numbers = {(item.document, item.start, item.end): item.n for item in known}
    evidence = []
    for page, start, end, _ in pieces:
        number = numbers.setdefault((best.passage.chunk.document, start, end), len(numbers) + 1)
        evidence.append(_evidence(best, number, page, start, end))
    marks = "".join(f"[{item.n}]" for item in evidence)
    name = best.passage.path.rsplit("/", 1)[-1]
    citations = tuple(
        Citation(
            n=item.n,
            path=item.path,
            page=page,
            quote=best.document.text[row.start : row.end],
            verified=True,
            start=row.start,
            end=row.end,
        )
        for item, (page, _, _, rows) in zip(evidence, pieces, strict=True)
        for row in rows
    )
    return Calculated(
        text=told(result, best.reading, best.table, name, of, marks),
        evidence=tuple(item for item in evidence if item.n > len(known)),
        citations=citations,
        coverage={
            "table": {
                "document": best.passage.path,
                "operation": result.operation,
                "rows": result.of,
                "rows_counted": len(result.rows),
                "pages": [page for page, _, _ in best.table.pages if page is not None],
            }
        },
    )


def _speaks(table: Whole, of: Language) -> bool:
    """Whether the titles of the columns are in a language."""
    return bool(table.header) and language(" ".join(table.header)) == of


def _candidates(
    library: Library, question: str, passages: Sequence[Passage], named_things: Sequence[Named]
) -> Iterator[_Candidate]:
    first: dict[str, Passage] = {}
    for passage in passages:
        first.setdefault(passage.chunk.document, passage)
    asked = fold(question)
    named = [p for p in first.values() if fold(p.path.rsplit("/", 1)[-1]) in asked]
    for passage in named or list(first.values())[:_DOCUMENTS]:
        try:
            document = library.document(passage.chunk.document)
        except LibraryError:
            continue  # it went since the search
        touched = [each.chunk for each in passages if each.chunk.document == passage.chunk.document]
        for table in tables_of(document):
            if not named and not any(c.start < table.end and table.start < c.end for c in touched):
                continue
            # "incidents_2026.csv" is called "incidents", too.
            names = f"{table.title} {passage.path} {re.sub(r'[_.-]+', ' ', passage.path)}"
            text = f"{names} {document.text[table.start : table.end]}"
            spoken = _as_called(_without(question, passage.path), text, named_things)
            reading = read(spoken, table, names)
            if reading is not None and not _stated(question, reading, table, document, passages):
                reading = replace(reading, said=reading.said + bool(named))
                yield _Candidate(passage, document, table, reading)


def _is_of_another(found: _Candidate, passages: Sequence[Passage]) -> bool:
    """Whether the question has a word that names another document and of which this table knows nothing."""
    strange = {part for word in found.reading.strange for part in words(word)}
    if not strange:
        return False
    own = found.passage.chunk.document
    others = [p for p in passages[:_NAMING] if p.chunk.document != own]
    return any(strange & set(words(_names_of(p))) for p in others)


def _names_of(passage: Passage) -> str:
    """What a passage's document and table are called, and the columns there."""
    rows = (line for line in (passage.chunk.table_header or passage.chunk.text).split("\n") if "|" in line)
    return " ".join([*passage.chunk.heading, passage.path, next(rows, "")])


def _without(question: str, path: str) -> str:
    """The question without the file's name: a year in it is no condition."""
    return re.sub(re.escape(path.rsplit("/", 1)[-1]), " ", question, flags=re.IGNORECASE)


def _as_called(question: str, text: str, named: Sequence[Named]) -> str:
    """The question with the names that a table has for what it calls otherwise. text: the table's."""
    said = fold(text) if named else ""
    spoken = concepts(text) if named else set()
    for thing in named:
        own = concepts(thing.name)  # "employees" stands there as "Employee", too
        if thing.worked_out or _stands_in(thing.name, said) or (own and own <= spoken):
            continue
        other = next((other for other in thing.others if _stands_in(other, said)), None)
        if other is not None:
            question = re.sub(re.escape(thing.name), f" {other} ", question, flags=re.IGNORECASE)
    return question


def _stands_in(name: str, said: str) -> bool:
    return re.search(rf"(?<![a-z0-9]){re.escape(fold(name))}(?![a-z0-9])", said) is not None


def _stated(
    question: str, reading: Reading, table: Whole, document: Document, passages: Sequence[Passage]
) -> bool:
    """Whether a text beside the table states the total that is asked for ("The total price is …")."""
    if reading.operation != "sum" or reading.column is None or not says_plain_total(question):
        return False
    asked = concepts(question)
    for passage in passages[:_STATED_IN]:
        for start, end in sentences(passage.chunk.text):
            at = passage.chunk.start + start
            if passage.chunk.document == document.sha256 and table.start <= at < table.end:
                continue
            said = passage.chunk.text[start:end]
            known = says_plain_total(said) and any(map(str.isdigit, said)) and asked & concepts(said)
            if known and "|" not in said:
                return True
    return False


def _pieces(found: _Candidate, result: Result) -> list[tuple[int | None, int, int, list[Row]]]:
    """The pages of the table as evidence: (page, start, end, rows that are cited there).

    Cited are the rows that hold a maximum or minimum, else the first that counts on each page.
    """
    shown: Sequence[Row] = result.at or result.rows or found.table.rows
    pieces = []
    for page, start, end in found.table.pages:
        rows = [row for row in shown if start <= row.start and row.end <= end]
        if not rows:
            continue
        cited = rows[:5] if result.at else rows[:1]
        first = start if cited[-1].end - start <= _SHOWN else cited[0].start
        last = end
        if last - first > _SHOWN:
            last = max(
                [row.end for row in found.table.rows if row.start >= first and row.end - first <= _SHOWN],
                default=cited[-1].end,
            )
        inside = [row for row in cited if first <= row.start and row.end <= last]
        pieces.append((page, first, last, inside))
    return pieces[:_MOST_PAGES]


def _evidence(found: _Candidate, number: int, page: int | None, start: int, end: int) -> Evidence:
    passage = found.passage
    return Evidence(
        n=number,
        document=passage.chunk.document,
        path=passage.path,
        collection=passage.collection,
        text=found.document.text[start:end],
        start=start,
        end=end,
        pages=() if page is None else (page,),
        heading=(found.table.title,) if found.table.title else (),
        score=passage.score,
        tokens=0,
        scores=passage.scores,
    )
