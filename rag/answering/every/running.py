"""All chosen documents, one after the other, into one table that grows as they are read."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from rag.answering.asked import Asked
from rag.answering.by_model import shares_of
from rag.answering.events import Event, Finished, Progress, Retrieved
from rag.answering.every.asking import ANSWER_TOKENS, by_model, by_quotation, instruction
from rag.answering.every.documents import Paper, papers_of
from rag.answering.every.merging import head, row, shown_rows, told
from rag.answering.every.reading import evidence_of
from rag.answering.every.said import Said
from rag.answering.every.weighing import levelled, without_weak
from rag.answering.rarity import rarity_in
from rag.answering.silence import not_found_text
from rag.answering.tables.operations import without_calculation
from rag.errors import RagError
from rag.prompting import Plan
from rag.records import Answer, Citation, Evidence

_DOCUMENT_TOKENS = 1536
"""Evidence of one document, at most: what is asked of many documents at once is short."""


@dataclass
class _Read:
    said: list[Said] = field(default_factory=list)
    evidence: list[Evidence] = field(default_factory=list)
    citations: list[Citation] = field(default_factory=list)
    unsupported: list[str] = field(default_factory=list)


def every(asked: Asked, form: Sequence[Paper] = ()) -> Generator[Event, None, bool]:
    """Asks each document, or only those of one form. What has been read stays shown if the engine fails or
    the reader stops.

    Whether it has answered: False, without any Finished, only if those of the form say nothing.
    """
    papers, total = (list(form), len(form)) if form else papers_of(asked)
    demo = asked.engine.info().demo
    read = _Read()
    _tell(asked, read, total)
    try:
        yield from _table(asked, papers, total, read, demo=demo)
    except RagError:
        if read.evidence:
            yield Finished(_answer(asked, read, demo=demo, stopped=True))
        raise
    if demo:
        yield from _weighed(asked, read, total)
    if not read.evidence and form:
        asked.coverage.clear()
        return False
    if not read.evidence:
        nearest = [paper.path for paper in papers[:3]]
        yield asked.replace(not_found_text(asked.language, nearest, empty=not papers))
        yield Finished(asked.answer((), found=False, extractive=demo))
        return True
    limit = len(papers) if len(papers) < total else None
    stated = [each for each in read.said if each.text]
    rows = shown_rows(read.said, asked.search)
    if len(rows) < len(stated):
        yield asked.replace(head(asked.language) + "".join(map(row, rows)) if rows else "")
    below = told(read.said, asked.search, asked.language, total=total, limit=limit, form=bool(form))
    yield asked.show(f"\n{below}")
    yield Finished(_answer(asked, read, demo=demo))
    return True


def _weighed(asked: Asked, read: _Read, total: int) -> Iterator[Event]:
    """The table without quotations that, beside the others, answer nothing."""
    said = without_weak(read.said)
    if said == read.said:
        return
    read.said = said
    read.evidence = [item for each in said for item in each.evidence]
    read.citations = [citation for each in said for citation in each.citations]
    _tell(asked, read, total)
    yield Retrieved(tuple(read.evidence))
    yield asked.replace(head(asked.language) + "".join(row(each) for each in said if each.text))


def _table(asked: Asked, papers: list[Paper], total: int, read: _Read, *, demo: bool) -> Iterator[Event]:
    question = np.asarray(asked.embedder.embed_queries([without_calculation(asked.search)])[0])
    rarity = levelled(rarity_in(asked.library, asked.search))
    shares = None if demo else shares_of(asked, [instruction(asked)])
    room = min(_DOCUMENT_TOKENS, shares.evidence_tokens if shares else asked.budget)
    for place, paper in enumerate(papers):
        yield Progress("document", place, len(papers), paper.path)
        evidence = evidence_of(asked, paper, question, room)
        said = Said(paper)
        if evidence and shares is None:
            said = by_quotation(asked, paper, evidence, rarity, question, len(read.evidence))
        elif evidence and shares is not None:
            said = yield from _modelled(asked, paper, evidence, shares, (place, len(papers)), read)
        read.said.append(said)
        _tell(asked, read, total)
        if said.text:
            read.evidence += said.evidence
            read.citations += said.citations
            read.unsupported += said.unsupported
            yield Retrieved(tuple(read.evidence))
            yield asked.show(row(said) if asked.shown else head(asked.language) + row(said))
    yield Progress("document", len(papers), len(papers))


def _modelled(
    asked: Asked,
    paper: Paper,
    evidence: list[Evidence],
    shares: Plan,
    progress: tuple[int, int],
    read: _Read,
) -> Generator[Event, None, Said]:
    short = Plan(
        shares.history, shares.examples, shares.evidence_tokens, min(ANSWER_TOKENS, shares.answer_tokens)
    )
    asking = by_model(asked, paper, evidence, short, len(read.evidence))
    try:
        while True:
            event = next(asking)
            yield event if event is not None else Progress("document", *progress, paper.path)
    except StopIteration as end:
        said: Said = end.value
        return said
    finally:
        asking.close()


def _tell(asked: Asked, read: _Read, total: int) -> None:
    asked.coverage.update(
        mode="every",
        documents=len(read.said),
        of=total,
        silent=sum(not each.text for each in read.said),
        not_stated=[each.paper.path for each in read.said if not each.text],
    )


def _answer(asked: Asked, read: _Read, *, demo: bool, stopped: bool = False) -> Answer:
    return asked.answer(
        read.evidence,
        citations=list(dict.fromkeys(read.citations)),
        unsupported=read.unsupported,
        extractive=demo,
        stopped=stopped,
    )
