"""How well the words of evidence support a statement. No generating model is asked.

A statement is supported by a run of one to three sentences of one evidence if they share most of the
statement's words by weight, hold every number that it states, and agree with it in negation.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rag.citations import numbers
from rag.citations.wording import content_words, contradicts, word_weight
from rag.embedding.protocol import Vectors
from rag.records import Evidence
from rag.text.language import language
from rag.text.sentences import sentences

Embed = Callable[[Sequence[str]], Vectors]
"""Texts → unit vectors of their meaning (an embedder's `embed_queries` does)."""

_WINDOW = 3
_WIDER = 0.04
"""A longer run has to add this share of the words for each further sentence."""
_FEWEST_COMPARED = 2
_FEWEST_WORDS = 3
_MOST_COMPARED = 60
"""Sentences whose meaning is compared, of the named evidence and of the rest each."""


@dataclass(frozen=True, slots=True)
class Support:
    """The run of sentences of evidence n that fits a statement best.

    start, end: span in `evidence.text`. share: of the statement's words, by weight, 0 … 1; shared: those
    words. lacking: numbers that the statement has and this run and its neighbours have not. agrees: unless
    the statement or its main sentence here negates and the other does not. likeness: in meaning, where
    that was asked for: standard deviations above other sentences.
    """

    n: int
    start: int
    end: int
    share: float
    shared: frozenset[str]
    lacking: frozenset[frozenset[Decimal]]
    agrees: bool
    likeness: float | None = None

    def holds(self, least_share: float) -> bool:
        return self.share >= least_share and not self.lacking and self.agrees


@dataclass(frozen=True, slots=True)
class _Sentence:
    start: int
    end: int
    words: frozenset[str]


class EvidenceIndex:
    """The evidence of one answer, cut into sentences and ready to be compared with statements."""

    def __init__(self, evidence: Sequence[Evidence], embed: Embed | None = None) -> None:
        self._evidence = {item.n: item for item in evidence}
        self._embed = embed
        self._sentences = {
            item.n: [
                _Sentence(start, end, frozenset(content_words(item.text[start:end])))
                for start, end in sentences(item.text)
            ]
            for item in evidence
        }
        self._context_numbers = {
            item.n: numbers.values(" ".join([*item.heading, item.path])) for item in evidence
        }
        self._vectors: dict[tuple[int, int], NDArray[np.float32]] = {}
        self._weighed: dict[str, dict[str, float]] = {}
        self._context_words = {item.n: frozenset(content_words(" ".join(item.heading))) for item in evidence}

    def __getitem__(self, n: int) -> Evidence:
        return self._evidence[n]

    def __iter__(self) -> Iterator[int]:
        return iter(self._evidence)

    def share(self, statement: str, shared: Iterable[str]) -> float:
        """The share of a statement's words, by weight, that `shared` makes up."""
        weights = self._weights(statement)
        return sum(weights[word] for word in shared) / (sum(weights.values()) or 1.0)

    def _weights(self, text: str) -> dict[str, float]:
        """The content words of a text and what each counts; words that no evidence has count most."""
        if text in self._weighed:
            return self._weighed[text]
        unknown = math.log(2 + sum(map(len, self._sentences.values())))
        found = {word: word_weight(word) * self._rarity.get(word, unknown) for word in content_words(text)}
        self._weighed[text] = found
        return found

    @cached_property
    def _rarity(self) -> dict[str, float]:
        everything = [sentence.words for group in self._sentences.values() for sentence in group]
        seen = Counter(word for found in everything for word in found)
        return {word: math.log(1 + (len(everything) + 1) / count) for word, count in seen.items()}

    def best(self, statement: str, n: int) -> Support | None:
        """The run of evidence n that shares most with the statement; None if they share no word."""
        weights = self._weights(statement)
        total = sum(weights.values())
        group = self._sentences[n]
        best = (0.0, 0, 0)
        for first in range(len(group)):
            shared: set[str] = set()
            for last in range(first, min(first + _WINDOW, len(group))):
                shared |= group[last].words & weights.keys()
                worth = sum(weights[word] for word in shared) - _WIDER * total * (last - first)
                best = max(best, (worth, -first, -last))
        if best[0] <= 0:
            return None
        first, last = -best[1], -best[2]
        there = self._context_words[n].union(*(group[place].words for place in range(first, last + 1)))
        return self._support(statement, n, first, last, frozenset(weights.keys() & there))

    def closest(self, statement: str, among: Sequence[int]) -> Support | None:
        """The sentence of the evidence in `among` that means most nearly the same as the statement.

        `likeness` compares it with other sentences in its own language. None without an embedder, or
        where there is too little to compare with.
        """
        full = [
            (n, place)
            for n, group in self._sentences.items()
            for place, sentence in enumerate(group)
            if len(sentence.words) >= _FEWEST_WORDS
        ]
        named = [place for place in full if place[0] in among][:_MOST_COMPARED]
        if self._embed is None or not named:
            return None
        asked = self._embed([statement])[0]
        best = named[int((self._vectors_of(named) @ asked).argmax())]
        spoken = language(self._text_of(best))
        # What is usual for this statement and language: a few sentences, evenly spread, say so.
        usual = [place for place in full if place != best and language(self._text_of(place)) == spoken]
        usual = usual[:: max(1, len(usual) // _MOST_COMPARED)]
        if len(usual) < _FEWEST_COMPARED:
            return None
        scores = self._vectors_of(usual) @ asked
        likeness = float((self._vectors_of([best])[0] @ asked - scores.mean()) / (scores.std() or 1.0))
        return self._support(statement, best[0], best[1], best[1], frozenset(), likeness)

    def _text_of(self, place: tuple[int, int]) -> str:
        sentence = self._sentences[place[0]][place[1]]
        return self[place[0]].text[sentence.start : sentence.end]

    def _vectors_of(self, places: Sequence[tuple[int, int]]) -> Vectors:
        new = [place for place in places if place not in self._vectors]
        if new and self._embed is not None:
            self._vectors.update(zip(new, self._embed([self._text_of(place) for place in new]), strict=True))
        return np.stack([self._vectors[place] for place in places])

    def _support(
        self,
        statement: str,
        n: int,
        first: int,
        last: int,
        shared: frozenset[str],
        likeness: float | None = None,
    ) -> Support:
        group, text = self._sentences[n], self[n].text
        around = text[group[max(0, first - 1)].start : group[min(len(group) - 1, last + 1)].end]
        main = max(group[first : last + 1], key=lambda s: self.share(statement, s.words & shared))
        return Support(
            n=n,
            start=group[first].start,
            end=group[last].end,
            share=self.share(statement, shared),
            shared=shared,
            lacking=numbers.missing(statement, numbers.values(around) | self._context_numbers[n]),
            agrees=not contradicts(statement, text[main.start : main.end]),
            likeness=likeness,
        )
