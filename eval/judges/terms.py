"""Names that are written alike in both languages: the Latin words of a Chinese text (Windows, PDF), and of
a text in Latin script those with a capital behind their first letter (DOCX, macOS)."""

from __future__ import annotations

import re
from functools import lru_cache

from rag.text.scripts import is_han

_WORD = re.compile(r"[A-Za-z][A-Za-z]+")


@lru_cache(maxsize=50_000)
def terms(text: str) -> frozenset[str]:
    """In small letters."""
    words = _WORD.findall(text)
    if not any(map(is_han, text)):
        words = [word for word in words if any(map(str.isupper, word[1:]))]
    return frozenset(map(str.lower, words))


def mentioned(wanted: frozenset[str], text: str) -> int:
    """How many of the wanted names stand in `text`, in whatever capitals."""
    return len(wanted & frozenset(map(str.lower, _WORD.findall(text))))
