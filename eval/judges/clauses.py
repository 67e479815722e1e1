"""A statement as its clauses, and the words of each that carry it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from eval.judges.figures import Figures
from eval.judges.quantities import figures
from rag.citations.wording import content_words
from rag.text.folding import fold
from rag.text.scripts import is_han

_JOINT = re.compile(
    r"[;；,，、。！!?？](?!\d)\s*|\.\s+|\n+"
    r"|\s+(?:and|but|while|whereas|although|because|so|except)\s+|(?<=[\u4e00-\u9fff])(?:但|而且|并且|以及|和|且|却)(?=[\u4e00-\u9fff])"
)
_LIGHT_HAN = frozenset(
    "的了是在和与为有及等将可以被把对于其该这那个们也都就还而或至由从向并者所之吗呢吧请么什哪怎须应需要到后前时"
)
_FEWEST = 1.5
"""Weight of words below which a part is no clause of its own but belongs to what is beside it."""


@dataclass(frozen=True, slots=True)
class Clause:
    """words: stems, and single Chinese characters; figures: numbers, dates, codes."""

    text: str
    words: frozenset[str]
    figures: Figures


@lru_cache(maxsize=50_000)
def clauses(text: str) -> tuple[Clause, ...]:
    """In order; parts that say next to nothing are joined to the one before them."""
    parts: list[str] = []
    place = 0
    cuts = [match.span() for match in _JOINT.finditer(text)] + [(len(text), len(text))]
    for start, end in cuts:
        part = text[place:start].strip()
        if part:
            small = len(significant(part)) < 2 and not figures(part)
            if parts and (small or (len(significant(parts[-1])) < 2 and not figures(parts[-1]))):
                parts[-1] = text[text.index(parts[-1]) : start].strip()
            else:
                parts.append(part)
        place = end
    return tuple(Clause(part, significant(part), figures(part)) for part in parts)


@lru_cache(maxsize=50_000)
def significant(text: str) -> frozenset[str]:
    """The words of `text` without its figures that carry meaning; of Chinese the single characters, since
    pairs across a word's edge change with every rewording."""
    rest = figures(text).rest
    latin = {word for word in content_words(rest) if not any(map(is_han, word))}
    return frozenset(latin | {char for char in fold(rest) if is_han(char) and char not in _LIGHT_HAN})
