"""All chapters, one after the other, into one text that grows as they are read."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace

from rag.answering.asked import Asked
from rag.answering.by_model import shares_of
from rag.answering.chapters.choosing import Choice
from rag.answering.chapters.dividing import Chapter, chapters_of
from rag.answering.chapters.reading import evidence_of
from rag.answering.chapters.summing import ANSWER_TOKENS, by_quotation
from rag.answering.chapters.telling import below, opening, title, to_choose
from rag.answering.events import Event, Finished, Progress, Retrieved
from rag.answering.every.asking import by_model
from rag.answering.every.documents import Paper
from rag.answering.every.said import Said
from rag.errors import LibraryError, PromptTooLong, RagError
from rag.prompting import Plan
from rag.records import Answer, Citation, Document, Evidence

MOST = 120
"""Chapters that are read for one question; those beyond are named as not covered."""


@dataclass
class Read:
    """covered, partly, missed: titles of chapters; partly is part of covered. total: all there are."""

    total: int = 0
    covered: list[str] = field(default_factory=list)
    partly: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    papers: list[str] = field(default_factory=list)
    evidence: list[Evidence] = field(default_factory=list)
    citations: list[Citation] = field(default_factory=list)
    unsupported: list[str] = field(default_factory=list)


def chapters(asked: Asked, choice: Choice) -> Iterator[Event]:
    """What has been read stays shown if the engine fails or the reader stops."""
    if not choice.papers:
        yield Retrieved(())
        yield asked.show(to_choose([paper.name or paper.path for paper in choice.candidates], asked.language))
        yield Finished(asked.answer((), found=False))
        return
    divided = list(_divided(asked, choice.papers))
    read = Read(total=sum(len(found) for _, _, found in divided))
    read.papers = [paper.name or paper.path for paper, _, _ in divided]
    demo = asked.engine.info().demo
    shares = None if demo else _short(shares_of(asked, [asked.phrases.chapter.format(title="x" * 80)]))
    _tell(asked, read)
    try:
        done = 0
        for paper, document, found in divided:
            yield asked.show(opening(paper.name or paper.path, len(found), asked.language, first=not done))
            for chapter in found:
                yield Progress("chapter", done, read.total, chapter.title)
                yield from _one(asked, paper, document, chapter, shares, read, done)
                done += 1
    except RagError:
        if read.evidence:
            yield Finished(_answer(asked, read, demo=demo, stopped=True))
        raise
    yield Progress("chapter", read.total, read.total)
    yield asked.show(below(read.covered, read.partly, read.missed, read.total, asked.language))
    yield Finished(_answer(asked, read, demo=demo))


def _divided(asked: Asked, papers: Sequence[Paper]) -> Iterator[tuple[Paper, Document, list[Chapter]]]:
    for paper in papers:
        try:
            document = asked.library.document(paper.document)
        except LibraryError:
            continue  # it went since it was listed
        yield paper, document, chapters_of(document, asked.language)


def _one(
    asked: Asked,
    paper: Paper,
    document: Document,
    chapter: Chapter,
    shares: Plan | None,
    read: Read,
    place: int,
) -> Iterator[Event]:
    room = asked.budget if shares is None else min(asked.budget, shares.evidence_tokens)
    said, whole = Said(paper), True
    if place < MOST:
        evidence, whole = evidence_of(asked, paper, document, chapter, room)
        if evidence and shares is None:
            said = by_quotation(asked, paper, evidence, len(read.evidence), alone=read.total == 1)
        elif evidence and shares is not None:
            said = yield from _modelled(asked, paper, chapter, evidence, shares, read, place)
    yield asked.show(title(chapter.title))
    if said.text:
        read.covered.append(chapter.title)
        read.partly += [] if whole else [chapter.title]
        read.evidence += said.evidence
        read.citations += said.citations
        read.unsupported += said.unsupported
        yield Retrieved(tuple(read.evidence))
        yield asked.show(f"{said.text}\n\n")
    else:
        read.missed.append(chapter.title)
        yield asked.show("（没有写出内容。）\n\n" if asked.language == "zh" else "(Not covered.)\n\n")
    _tell(asked, read)


def _modelled(
    asked: Asked,
    paper: Paper,
    chapter: Chapter,
    evidence: list[Evidence],
    shares: Plan,
    read: Read,
    place: int,
) -> Generator[Event, None, Said]:
    """One chapter's failure is its own, unless the engine is gone: then nothing more can be read."""
    then = asked.phrases.chapter.format(title=chapter.title)
    asking = by_model(asked, paper, evidence, shares, len(read.evidence), then=then, lines=True)
    try:
        while True:
            event = next(asking)
            yield event if event is not None else Progress("chapter", place, read.total, chapter.title)
    except StopIteration as end:
        said: Said = end.value
        return said
    except PromptTooLong:
        return Said(paper)
    finally:
        asking.close()


def _short(shares: Plan) -> Plan:
    """Chapters need no earlier turns: what they say depends on the document alone."""
    return replace(shares, history=(), answer_tokens=min(ANSWER_TOKENS, shares.answer_tokens))


def _tell(asked: Asked, read: Read) -> None:
    asked.coverage.update(
        mode="chapters",
        documents_read=list(read.papers),
        chapters=read.total,
        covered=len(read.covered),
        partly=list(read.partly),
        not_covered=list(read.missed),
    )


def _answer(asked: Asked, read: Read, *, demo: bool, stopped: bool = False) -> Answer:
    return asked.answer(
        read.evidence,
        citations=list(dict.fromkeys(read.citations)),
        unsupported=read.unsupported,
        found=bool(read.covered),
        extractive=demo,
        stopped=stopped,
    )
