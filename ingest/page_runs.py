"""Which pages of a document a passage may cover together."""

from __future__ import annotations

from collections.abc import Iterator

from ingest.quality import POOR
from rag.records import Document

APART = frozenset({"xlsx", "xlsb", "xls", "ods", "pptx", "ppt", "odp"})
"""Kinds whose pages are things of their own: what stands on one does not go on on the next."""


def runs(document: Document) -> Iterator[tuple[int, int]]:
    """Runs of pages, as (first, last + 1), that a chunk may cover: those with text, and of slides and sheets
    each one by itself, with those before it that hold no more than a title."""
    for first, last in _trusted_runs(document):
        if document.kind not in APART:
            yield first, last
            continue
        begin = first
        for number in range(first, last):
            if number + 1 == last or "\n" in document.pages[number].text.strip():
                yield begin, number + 1
                begin = number + 1


def _trusted_runs(document: Document) -> Iterator[tuple[int, int]]:
    """Runs of pages, as (first, last + 1), between those that are reported as without text."""
    first = 0
    for number, page in enumerate(document.pages):
        if page.number is not None and page.quality < POOR:
            if number > first:
                yield first, number
            first = number + 1
    if first < len(document.pages):
        yield first, len(document.pages)
