"""Which quotations only seem to answer: told by comparing what the documents say with each other.

A document that is silent still has a sentence nearest to the question. Beside documents that do answer, that
sentence stands out by how little of the question it holds, or by how far it is from it in meaning.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import median

from rag.answering.every.said import Said
from rag.answering.extractive import Rarity
from rag.citations import MARKER

_FEWEST = 5
_SPOKEN = 0.2
"""If half of the answers hold at least this share of the question's words, words tell;"""
_SHARE = 0.6
"""an answer that holds less than this part of what is usual is none."""
_FROM_AFAR = 0.5
"""A document in another language than the question that has none of its words comes at least this part as
near to it as the nearest of all."""
_BESIDE_WORDS = 0.8
"""and this part as near as the nearest that has some."""
_SPREAD = 4.0
_LEAST_SPREAD = 0.012
"""Where words cannot tell (another language): how many times the usual deviation in cosine is too far."""
_COMMON = 1 / 3
"""A word that all documents have weighs at least this part of the rarest one that is asked for."""


def levelled(rarity: Rarity) -> Rarity:
    """For one question to many documents of a kind: what they all speak of is rare in none of them, and it is
    what is asked."""

    def weights(words: Iterable[str]) -> Mapping[str, float]:
        found = rarity(words)
        least = _COMMON * max(found.values(), default=0.0)
        return {word: max(weight, least) for word, weight in found.items()}

    return weights


def without_weak(said: Sequence[Said]) -> list[Said]:
    """The same documents; those whose answer is none by comparison say nothing now, numbers run on."""
    stated = [each for each in said if each.text]
    nearest = max((each.nearness or 0.0 for each in stated), default=0.0)
    spoken = max((each.nearness or 0.0 for each in stated if each.held >= _SPOKEN), default=0.0)
    least = max(_FROM_AFAR * nearest, _BESIDE_WORDS * spoken)
    said = [
        Said(each.paper)
        if each.text and each.abroad and not each.held and (each.nearness or 0.0) < least
        else each
        for each in said
    ]
    return _numbered(_without_outliers(said))


def _without_outliers(said: Sequence[Said]) -> list[Said]:
    stated = [each for each in said if each.text]
    if len(stated) < _FEWEST:
        return list(said)
    usual = median(each.held for each in stated)
    likeness = median(each.likeness for each in stated)
    spread = max(median(abs(each.likeness - likeness) for each in stated) * _SPREAD, _LEAST_SPREAD)

    def weak(each: Said) -> bool:
        if usual >= _SPOKEN:
            return each.held < _SHARE * usual
        return each.likeness < likeness - spread

    return [Said(each.paper) if each.text and weak(each) else each for each in said]


def _numbered(said: Sequence[Said]) -> list[Said]:
    numbered: list[Said] = []
    number = 0
    for each in said:
        numbered.append(_from(each, number))
        number += len(each.evidence)
    return numbered


def _from(said: Said, after: int) -> Said:
    """The same answer under the numbers behind `after`."""
    numbers = {item.n: after + place for place, item in enumerate(said.evidence, start=1)}
    return replace(
        said,
        text=MARKER.sub(lambda match: f"[{numbers[int(match[1])]}]", said.text),
        evidence=tuple(replace(item, n=numbers[item.n]) for item in said.evidence),
        citations=tuple(replace(each, n=numbers[each.n]) for each in said.citations),
    )
