"""Text → words, the same for documents and questions: what the keyword index stores and is asked for.

Scripts without spaces give overlapping pairs of characters (FACTS: the measured compromise between
single characters and a segmenter), a run of one character gives that character.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from rag.text.folding import fold, fold_with_origin
from rag.text.scripts import UNSPACED

_MARKS = "".join(
    chr(code)
    for first, last in (
        (0x0483, 0x0E00),
        (0x0F00, 0x1000),
        (0x1700, 0x1780),
        (0x1800, 0x2000),
        (0xA600, 0xAC00),
    )
    for code in range(first, last)
    if unicodedata.category(chr(code)).startswith("M")
)
"""Vowel signs and the like, which Python's \\w leaves out: without them Hindi falls into single letters."""
_NOTES = "⁰¹²³⁴-⁹₀-₉①-⓿❶-➓¼-¾⅐-⅞"
"""Footnote marks and fractions: never part of the word that they stand behind."""
_LETTER = rf"(?:[^\W_{UNSPACED}{_NOTES}]|[{_MARKS}])"
_TOKEN = re.compile(
    rf"(?P<unspaced>[{UNSPACED}]+)"
    rf"|(?P<chain>{_LETTER}+(?:(?:(?<=\d)[,:](?=\d)|['._-]){_LETTER}+)*)"
)
_PART = re.compile(rf"(?:{_LETTER}|')+")
_SEPARATOR = re.compile(r"[-_',]")
_MAX_PARTS = 5


class Word(NamedTuple):
    """A word and the span of the original text that it comes from."""

    word: str
    start: int
    end: int


def words(text: str) -> list[str]:
    """The words of `text` in order, folded (case, width, accents; see rag.text.folding).

    A compound gives its parts and itself: "ERR-4031" → err, 4031, err4031; "v2.3" → v2, 3, v2.3. A
    grouped number gives itself without its commas, and its parts. Apostrophes join ("don't" → dont), a
    possessive 's is dropped.
    """
    return [word for word, _, _ in _found(fold(text))]


def word_spans(text: str) -> list[Word]:
    """As `words`, with where each stands in `text` (for marking matches)."""
    folded = fold_with_origin(text)
    return [Word(word, *folded.span(start, end)) for word, start, end in _found(folded.text)]


def _found(folded: str) -> list[tuple[str, int, int]]:
    found: list[tuple[str, int, int]] = []
    for match in _TOKEN.finditer(folded):
        start, end = match.span()
        if match.lastgroup == "chain":
            found.extend(_chain(match.group(), start))
        elif end - start == 1:
            found.append((match.group(), start, end))
        else:
            found.extend([(folded[place : place + 2], place, place + 2) for place in range(start, end - 1)])
    return found


def _chain(chain: str, start: int) -> list[tuple[str, int, int]]:
    if chain.isalnum():
        return [(chain, start, start + len(chain))]
    if "'" in chain:
        chain = chain.removesuffix("'s")
    parts = [
        (part.group().replace("'", ""), start + part.start(), start + part.end())
        for part in _PART.finditer(chain)
    ]
    if len(parts) == 1 or len(parts) > _MAX_PARTS:
        return parts
    whole = (_whole(chain, [part for part, _, _ in parts]), start, start + len(chain))
    if all(len(part) == 1 and part.isalpha() for part, _, _ in parts):
        return [whole]  # U.S., a-b
    return [*parts, whole]


def _whole(chain: str, parts: list[str]) -> str:
    if all(part.isalpha() for part in parts):
        return "".join(parts)
    return _SEPARATOR.sub("", chain)
