"""Texts read as files of some name, and the headings found in them: for tests of readers of text."""

from __future__ import annotations

from ingest.readers import read_bytes
from rag.records import Document


def read(text: str | bytes, name: str) -> Document:
    return read_bytes(text.encode() if isinstance(text, str) else text, name)


def headings(document: Document) -> list[tuple[int, str]]:
    """Level and title; each title stands where its heading does."""
    for heading in document.headings:
        assert heading.title in document.text[heading.start : heading.start + 200]
    return [(heading.level, heading.title) for heading in document.headings]
