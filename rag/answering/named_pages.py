"""Pages that a question names: "on page 17", 第31页, "slides 3 to 5"."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from rag.citations.numbers import han_value
from rag.citations.wording import content_words
from rag.records import Chunk, Passage
from rag.text.folding import fold

if TYPE_CHECKING:
    from rag.library import Library

_NAMED = re.compile(
    r"(?:\b(?:on|of|from|in|at|see)\s+)?(?:the\s+)?(?:\b(?:pages?|slides?)|\bpp?\.)\s*(?:no\.\s*)?(?P<first>\d{1,5})"
    r"(?:\s*(?:-|–|to|and)\s*(?P<last>\d{1,5}))?(?![\d.]*\d)(?:\s+of(?:\s+the)?\b)?"
    r"|第\s*(?P<zh>\d{1,5}|[一二三四五六七八九十百零两]{1,6})\s*(?:[-–~至到]\s*第?\s*(?P<zh_last>\d{1,5})\s*)?(?:页|张幻灯片)(?:上|中|里)?",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"[a-z0-9]+|[一-鿿]+")
_TO_THE_END = 10**9
_DOCUMENTS = 3
_MOST_PAGES = 50


def pages_named(question: str) -> frozenset[int]:
    """The numbers of the pages that a question names.

    >>> sorted(pages_named("What is on pages 3 to 5?")), sorted(pages_named("第三十一页的温度"))
    ([3, 4, 5], [31])
    >>> pages_named("How many pages does it have?")
    frozenset()
    """
    found: set[int] = set()
    for match in _NAMED.finditer(question):
        said = match["first"] or match["zh"]
        value = int(said) if said.isdigit() else int(han_value(said) or 0)
        last = int(match["last"] or match["zh_last"] or value)
        found.update(range(value, min(last, value + _MOST_PAGES) + 1))
    return frozenset(found)


def without_pages(question: str) -> str:
    """The question without the pages that it names; as it is if nothing would be left.

    >>> without_pages("Who checked the hall on page 17 of log.pdf?")
    'Who checked the hall log.pdf?'
    """
    if not _NAMED.search(question):
        return question
    rest = " ".join(_NAMED.sub(" ", question).split()).replace(" ?", "?")
    return rest if content_words(rest) else question


def on_pages(
    library: Library, pages: Collection[int], question: str, passages: Sequence[Passage]
) -> list[Passage]:
    """What stands on these pages, in the documents that the question names or else in those that come
    nearest; [] if there are no such pages, or if they have none of the question's words.

    passages: best first.
    """
    documents = {passage.chunk.document: passage for passage in reversed(passages)}
    nearest = list(reversed(documents.values()))
    named = [passage for passage in nearest if _is_named(passage, question)]
    rest = question
    for passage in named:
        rest = without_file(rest, passage.path)
    wanted = set(content_words(rest)) - {word for each in named for word in content_words(each.path)}
    found: list[Passage] = []
    for passage in named or nearest[:_DOCUMENTS]:
        chunks = chunks_of(library, passage.chunk.document)
        there = [chunk for chunk in chunks if set(pages) & set(chunk.pages)]
        said = {word for chunk in there for word in content_words(chunk.text)}
        if there and (not wanted or wanted & said):
            found += [Passage(chunk, passage.path, passage.collection, passage.score) for chunk in there]
    return found


def without_file(question: str, path: str) -> str:
    """The question without the name of a file.

    >>> without_file("What is in plan-4b.pdf?", "2024/plan-4b.pdf")
    'What is in  ?'
    """
    name = path.rsplit("/", 1)[-1]
    stem = name.rpartition(".")[0] or name
    return re.sub(rf"{re.escape(stem)}(?:\.\w{{1,5}}\b)?", " ", question, flags=re.IGNORECASE)


def _is_named(passage: Passage, question: str) -> bool:
    """Whether the question names the file, with or without its ending."""
    name = passage.path.rsplit("/", 1)[-1]
    own = set(_TOKEN.findall(fold(name.rpartition(".")[0] or name)))
    return bool(own) and own <= set(_TOKEN.findall(fold(question)))


def chunks_of(library: Library, document: str) -> list[Chunk]:
    """All chunks of a document, by its hash, in order; [] if it has gone."""
    return library.neighbours(document, 0, _TO_THE_END)
