"""How near the units of the evidence come to a question in meaning, in its own language and in another.

Within a language the words choose which units are compared at all: a reader is waiting. Across languages
there are hardly any common words, so the strongest evidence is compared from its beginning.

A cosine says first of all that two texts are in the same language, and some units are near to whatever is
asked. So a unit in another language is judged by how much nearer it is to this question than to questions
about anything else in the same language (`rag.retrieval.strangers`), as the evidence test judges passages.
Of 52 questions in the other language that the development sets answer, the nearest unit holds the answer for
40 % so, for 13 % by plain cosines; where the evidence is in both languages, for 5 of 9 instead of 1.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property

import numpy as np

from rag.answering.extractive.units import Unit, about_tokens
from rag.embedding.any_length import beginning
from rag.embedding.protocol import Embedder, Vectors
from rag.records import Evidence
from rag.retrieval.backgrounds import strangers_in
from rag.text.language import language
from rag.text.scripts import HAN

VectorsOf = dict[str, Vectors]
"""Text → its vector, of shape (dimension,)."""

_CHINESE = 0.05
"""Share of its letters from which on a text has Chinese in it."""
UNSEEN = -0.5
"""Standing of a unit that was not compared."""
_CANDIDATES = 20
_CANDIDATE_TOKENS = 600
"""Units in the question's language that are compared, and about how long they may be in all."""
_ABROAD_TOKENS = 1000
"""Likewise of units in another language; 600 miss a third of what 1,000 find, 1,600 find no more."""
_MOST_OF_ONE = 400
"""What a single unit counts at most: it is cut where the embedder ends."""


def abroad(question: str, evidence: Sequence[Evidence], everything: Sequence[Unit]) -> frozenset[int]:
    """Indices of the units in another language than the question: they and the evidence they stand in.

    A line of code or a foreign name in a text of the question's language is none, nor are figures alone. A
    Chinese text may be half code; what is Chinese in an English one is hardly ever there by chance.
    """
    asked_in = language(question)
    elsewhere = {
        item.n
        for item in evidence
        if language(item.text) != asked_in and not (asked_in == "zh" and _has_chinese(item.text))
    }
    return frozenset(
        index
        for index, unit in enumerate(everything)
        if unit.n in elsewhere and any(map(str.isalpha, unit.text)) and language(unit.text) != asked_in
    )


def _has_chinese(text: str) -> bool:
    return len(HAN.findall(text)) >= _CHINESE * sum(map(str.isalpha, text))


def _told(unit: Unit) -> str:
    """A row with the titles of its columns: what those say, no common word can lend it."""
    return (unit.row.told() if unit.row is not None else "") or unit.text


def _standard(likeness: Vectors) -> list[float]:
    """As standard deviations above their mean."""
    if not len(likeness):
        return []
    spread = float(np.std(likeness)) or 1.0
    found: list[float] = ((likeness - np.mean(likeness)) / spread).tolist()
    return found


class Meaning:
    """The standing of the units of one question's evidence."""

    def __init__(
        self,
        question: str,
        everything: Sequence[Unit],
        abroad: Collection[int],
        shares: Sequence[float],
        told: Sequence[float],
        embedder: Embedder,
        vectors: VectorsOf | None = None,
    ) -> None:
        """abroad: units in another language. shares: of the question's words that each unit holds.

        told: how far each unit's words count. vectors: those of texts that were compared for other questions
        about the same evidence; new ones are added.
        """
        self._known: VectorsOf = {} if vectors is None else vectors
        self._question = question
        self._units = everything
        self._embedder = embedder
        by_words = sorted(range(len(everything)), key=lambda i: (-round(shares[i], 2), i))
        self._near = self._within([i for i in by_words if i not in abroad][:_CANDIDATES], _CANDIDATE_TOKENS)
        telling = [i for i in sorted(abroad) if told[i] > 0]
        # What is written alike in both languages, a code or a name, comes first; then the strongest evidence.
        telling.sort(key=lambda i: -round(shares[i], 1))
        self._far = self._within(telling, _ABROAD_TOKENS)

    def standing(self, part: str) -> list[float]:
        """How near each unit comes to the question and this part of it, in standard deviations."""
        asked = self._embedder.embed_queries([self._question, part]).mean(axis=0)
        found = [UNSEEN] * len(self._units)
        near = len(self._near)
        for index, value in zip(self._near, _standard(self._vectors[:near] @ asked), strict=True):
            found[index] = value
        if self._far:
            apart = asked - strangers_in(self._embedder, language(self._question)).mean(axis=0)
            values = _standard(self._vectors @ apart)[near:]
            for index, value in zip(self._far, values, strict=True):
                found[index] = value
        return found

    def _within(self, places: Sequence[int], tokens: int) -> list[int]:
        """The first of them, as long as they are not too long in all; one at least."""
        kept: list[int] = []
        length = 0.0
        for index in places:
            length += min(about_tokens(self._units[index].text), _MOST_OF_ONE)
            if length > tokens and kept:
                break
            kept.append(index)
        return kept

    @cached_property
    def _vectors(self) -> Vectors:
        """Of the units that are compared, those in the question's language first."""
        texts = [self._units[index].text for index in self._near]
        texts += [_told(self._units[index]) for index in self._far]
        texts = [beginning(text, self._embedder) for text in texts]
        new = list(dict.fromkeys(text for text in texts if text not in self._known))
        if new:
            self._known.update(zip(new, self._embedder.embed_passages(new), strict=True))
        rows = [self._known[text] for text in texts]
        return np.array(rows, np.float32).reshape(len(rows), self._embedder.dimension)
