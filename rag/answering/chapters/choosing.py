"""Which document a question for a whole summary speaks of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rag.answering.chapters.dividing import calls_itself_chapter
from rag.answering.chapters.wanting import by_chapters, named_words, sums_up
from rag.answering.every.documents import Paper, papers_of
from rag.citations.wording import content_words
from rag.errors import LibraryError
from rag.text.folding import fold

if TYPE_CHECKING:
    from rag.answering.asked import Asked

MOST = 3
"""Documents that are read chapter by chapter for one question."""
_ALL = 0.99
_MOSTLY = 0.6
"""Share of the naming words that a document's name must hold: all where only "summarise" tells that a whole
document is meant, most where the question says "chapter by chapter"."""
_SHORT_STEM = 3


@dataclass(frozen=True, slots=True)
class Choice:
    """papers: to be read. candidates: to choose from, if the question does not tell which is meant."""

    papers: tuple[Paper, ...] = ()
    candidates: tuple[Paper, ...] = ()


def choice(asked: Asked) -> Choice | None:
    """None if the question does not ask for a whole document."""
    explicit = by_chapters(asked.question)
    if not explicit and not sums_up(asked.question):
        return None
    papers, _ = papers_of(asked)
    by_file = [paper for paper in papers if _names_file(asked.search, paper.path)]
    words = named_words(asked.search)
    if by_file:
        # "… what the handbook.pdf says on leave" is a question like others.
        known = words - {word for paper in by_file for word in _name_words(asked, paper)}
        return Choice(tuple(by_file[:MOST])) if explicit or not known else None
    if not words:
        if len(papers) == 1 or (asked.where is not None and len(papers) <= MOST):
            return Choice(tuple(papers))
        return Choice(candidates=tuple(papers)) if explicit or _says_document(asked.question) else None
    best = _best(asked, papers, words, _MOSTLY if explicit else _ALL)
    if best:
        return Choice(tuple(best[:MOST]))
    if len(papers) == 1 and explicit:
        return Choice(tuple(papers))
    return Choice(candidates=tuple(papers)) if explicit else None


def _best(asked: Asked, papers: Sequence[Paper], words: frozenset[str], least: float) -> list[Paper]:
    """The documents whose names hold most of the words, all that hold as many."""
    held = [len(words & _name_words(asked, paper)) / len(words) for paper in papers]
    most = max(held, default=0.0)
    if most < least:
        return []
    found = [paper for paper, share in zip(papers, held, strict=True) if share == most]
    # Several versions of one paper are read one after the other; a word that many share names none.
    return found if len(found) <= MOST else []


def _name_words(asked: Asked, paper: Paper) -> frozenset[str]:
    """The words of a file's name, of its title and of the heading that it begins with."""
    name = paper.path.rsplit("/", 1)[-1]
    names = [re.sub(r"[_\-./\d]+", " ", name), name]
    try:
        document = asked.library.document(paper.document)
        top = [heading.title for heading in document.headings[:1] if not calls_itself_chapter(heading.title)]
        names += [document.title or "", *top]
    except LibraryError:
        pass  # it went this moment
    return frozenset(content_words(" ".join(names)))


def _names_file(question: str, path: str) -> bool:
    name = fold(path.rsplit("/", 1)[-1])
    stem = name.rpartition(".")[0] or name
    asked = fold(question)
    return name in asked or (
        len(stem) > _SHORT_STEM and re.search(rf"(?<!\w){re.escape(stem)}(?!\w)", asked) is not None
    )


def _says_document(question: str) -> bool:
    return (
        re.search(
            r"\b(?:document|file|pdf|book|manual|report|handbook|paper)\b"
            r"|全文|文档|文件|整[篇份本]|这[篇份本]|手册|报告|书",
            question,
            re.IGNORECASE,
        )
        is not None
    )
