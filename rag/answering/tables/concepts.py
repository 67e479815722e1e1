"""Words for what columns hold, in both languages (rag/glossary/terms/columns.toml): a Chinese question may
be asked of an English table."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from rag.citations.wording import content_words, root
from rag.glossary import columns
from rag.text.words import words


@cache
def _known() -> dict[str, str]:
    found: dict[str, str] = {}
    for number, column in enumerate(columns().column):
        for text in column.words:
            for word in words(text):
                found.setdefault(root(word), f"#{number}")
                if word.isascii():
                    # "employees" has another root than "employee".
                    found.setdefault(root(f"{word}s"), f"#{number}")
    return found


def concepts(text: str) -> set[str]:
    """The content words of a text, those of a known concept as that concept."""
    return as_concepts(content_words(text))


def as_concepts(found: Iterable[str]) -> set[str]:
    return {_known().get(word, word) for word in found}


def concept_of(word: str) -> str | None:
    """The known concept of a word as `rag.citations.wording.content_words` gives it, None if it has none."""
    return _known().get(word)


def is_known(found: Iterable[str]) -> bool:
    """Whether one of what `concepts` gave is a known concept, not a word of its own."""
    return any(word.startswith("#") for word in found)
