"""A document's chapters: by its headings at the right level, else equal stretches."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from rag.records import Document, Heading
from rag.text.language import Language

_CALLED_CHAPTER = re.compile(
    r"\s*(?:chapter\b|kapitel\b|第\s*[一二三四五六七八九十百零〇\d]+\s*章)", re.IGNORECASE
)
_PREFACE = 200
"""Characters before the first chapter from which on they are one of their own."""
_STRETCHES = 12
_STRETCH = 3000
"""Without headings: at most so many stretches, each of at least so many characters or one page."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """[start, end) of the document's text. title: its heading, or "pages 1–8"."""

    title: str
    start: int
    end: int


def chapters_of(document: Document, of: Language) -> list[Chapter]:
    """In order, without gaps: together they are the whole text. One only for a short text without headings.

    The level is the highest that has at least two headings beside the document's own title; headings that
    call themselves chapters go before.
    """
    headings = _chapter_headings(document)
    if len(headings) < 2:
        return _stretches(document, of)
    text = document.text
    starts = [heading.start for heading in headings]
    ends = [*starts[1:], len(text)]
    found = [Chapter(" ".join(h.title.split()), a, b) for h, a, b in zip(headings, starts, ends, strict=True)]
    if len(text[: starts[0]].strip()) >= _PREFACE:
        found.insert(0, Chapter("开头" if of == "zh" else "Beginning", 0, starts[0]))
    return found


def calls_itself_chapter(title: str) -> bool:
    """ "Chapter 4 Mounting", 第四章 休假"""
    return _CALLED_CHAPTER.match(title) is not None


def _chapter_headings(document: Document) -> list[Heading]:
    headings = sorted(document.headings, key=lambda heading: heading.start)
    called = [heading for heading in headings if calls_itself_chapter(heading.title)]
    if len(called) > 1:
        level = max(heading.level for heading in called)
        return [each for each in headings if each.start >= called[0].start and each.level <= level]
    if headings and not document.text[: headings[0].start].strip():
        first, rest = headings[0], headings[1:]
        # The title of the paper stands above all else and once.
        alone = all(heading.level > first.level for heading in rest)
        if alone or first.title.strip() == (document.title or "").strip():
            headings = rest
    for level in sorted({heading.level for heading in headings}):
        at = [heading for heading in headings if heading.level <= level]
        if len(at) > 1:
            return at
    return []


def _stretches(document: Document, of: Language) -> list[Chapter]:
    zh = of == "zh"
    pages = _page_spans(document)
    if len(pages) > 1:
        count = min(_STRETCHES, len(pages))
        found = []
        for group in _groups(pages, count):
            first, last = group[0][0], group[-1][0]
            if first == last:
                title = f"第 {first} 页" if zh else f"page {first}"
            else:
                title = f"第 {first}–{last} 页" if zh else f"pages {first}–{last}"
            found.append(Chapter(title, group[0][1], group[-1][2]))
        return found
    length = len(document.text)
    count = max(1, min(_STRETCHES, length // _STRETCH))
    cuts = [0, *(_joint(document.text, length * n // count) for n in range(1, count)), length]
    return [
        Chapter(f"第 {n} 部分，共 {count} 部分" if zh else f"part {n} of {count}", a, b)
        for n, (a, b) in enumerate(pairwise(cuts), start=1)
    ]


def _page_spans(document: Document) -> list[tuple[int, int, int]]:
    return [
        (page.number, at, at + len(page.text))
        for page, at in zip(document.pages, document.page_starts, strict=True)
        if page.number is not None
    ]


def _groups(pages: Sequence[tuple[int, int, int]], count: int) -> list[Sequence[tuple[int, int, int]]]:
    cuts = [len(pages) * n // count for n in range(count + 1)]
    return [pages[a:b] for a, b in pairwise(cuts)]


def _joint(text: str, near: int) -> int:
    """The beginning of the next line or sentence behind a place."""
    found = re.compile(r"\n|[。.!?！？]\s").search(text, near)
    return found.end() if found else near
