"""Can this page's text be trusted? A figure from 0 (not text) to 1, from the characters alone."""

from __future__ import annotations

import unicodedata

from rag.records import Document

POOR = 0.5
"""Below this a page's text is not to be indexed as if it were fine."""


def quality(text: str) -> float:
    """0 for nothing but blanks, else the share of characters that can be a part of a text."""
    shown = [character for character in text if not character.isspace()]
    if not shown:
        return 0.0
    odd = sum(
        character == "\ufffd" or unicodedata.category(character) in {"Co", "Cn", "Cc"} for character in shown
    )
    return 1.0 - odd / len(shown)


def pages_without_text(document: Document) -> list[int]:
    """Physical numbers of the pages that give no trustworthy text: scans, broken fonts, empty pages."""
    return [page.number for page in document.pages if page.number is not None and page.quality < POOR]
