"""How much of a text's words each unit of the evidence holds, and how much stands around it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from rag.answering.extractive.misspelt import meant
from rag.answering.extractive.telling import first_line
from rag.answering.extractive.units import Unit
from rag.answering.extractive.wanted import asks_quantity
from rag.citations.wording import content_words, word_weight
from rag.records import Evidence

Rarity = Callable[[Iterable[str]], Mapping[str, float]]
"""Content words → how much each tells (inverse document frequency), 0 and more."""
Lending = Callable[[Collection[str]], frozenset[str]]
"""Words → these and what they say besides, by their other names."""

_COLUMNS = 0.6
"""What the words of the titles of its columns count for a row; all of it where a number is asked for."""
_NEIGHBOUR = 0.15
"""What the words of a neighbour count,"""
_PASSAGE = 0.7
"""and all that the units around say together, so many on each side."""
_AROUND = 4
_UNDER = 0.5
"""What the words of the heading count that a unit stands under in its evidence."""


@dataclass(frozen=True, slots=True)
class Share:
    """Shares of one text's words, by their weight. own: what a unit says itself, titles of columns included.
    lent: what the richer one of its neighbours adds. context: what its document's name, its headings, its
    document's first line and the heading above it add. around: what it and the units around it say together.
    apart: the unit has none of the words although it could have some."""

    own: float
    lent: float
    context: float
    around: float
    apart: bool

    @property
    def lexical(self) -> float:
        """What the unit says, its neighbour's part included; what stands above it adds only to something."""
        return self.own + _NEIGHBOUR * self.lent + self.context * (not self.apart)

    @property
    def in_place(self) -> float:
        """What is said by the unit where it stands, with part of what is said around it. The words of titles
        above it count like its own: they are said of it, and what tells it from others is what is left."""
        return self.own + _NEIGHBOUR * self.lent + self.context + _PASSAGE * self.around


def _headings(everything: Sequence[Unit]) -> list[str]:
    """The heading that each unit stands under in its evidence, "" for none."""
    found: list[str] = []
    heading = ""
    for index, unit in enumerate(everything):
        if not index or everything[index - 1].n != unit.n:
            heading = ""
        found.append("" if unit.kind == "heading" else heading)
        if unit.kind == "heading":
            heading = unit.text
    return found


class Shares:
    """The words of the units of one question's evidence. rarity: of the library's words. abroad: indices of
    the units in another language than the question: no neighbour lends them words, and what stands around
    favours none of them. said: adds to words what they say by other names."""

    def __init__(
        self,
        everything: Sequence[Unit],
        evidence: Sequence[Evidence],
        rarity: Rarity,
        abroad: Collection[int],
        said: Lending,
    ) -> None:
        self._units = everything
        self._abroad = abroad
        self._rarity = rarity
        self._words = [said(content_words(unit.text)) for unit in everything]
        self._titles = [
            said(content_words(" ".join([unit.row.caption, *unit.row.titles]))) if unit.row else frozenset()
            for unit in everything
        ]
        above = {
            item.n: said(content_words(" ".join([*item.heading, item.path, first_line(item)])))
            for item in evidence
        }
        self._above = [above[unit.n] for unit in everything]
        self._headed = [said(content_words(heading)) for heading in _headings(everything)]
        self._known = frozenset().union(*self._words, *self._titles, *above.values())
        self._found: dict[str, list[Share]] = {}

    def of(self, text: str) -> list[Share]:
        """Of each unit."""
        if text not in self._found:
            self._found[text] = self._of(text)
        return self._found[text]

    def together(self, text: str, indices: Iterable[int]) -> float:
        """The share of the words that these units say between them, 0 to 1."""
        return self._share(self._weights(text), frozenset().union(*(self._words[i] for i in indices)))

    def titled(self, text: str) -> tuple[list[float], float]:
        """What the titles above each unit hold of a text, and the most that any unit says of it itself."""
        told = self._rarity(content_words(text))
        titles, own = (
            [sum(told.get(word, 0.0) for word in words) for words in each]
            for each in (self._titles, self._words)
        )
        return titles, max(own, default=0.0)

    def _of(self, text: str) -> list[Share]:
        weights = self._weights(text)
        columns = 1.0 if asks_quantity(text) else _COLUMNS
        found = []
        for index, words in enumerate(self._words):
            titles = self._titles[index]
            beside = [self._words[other] - words for other in self._near(index, 1)]
            near = frozenset().union(*(self._words[other] for other in self._near(index, _AROUND)))
            abroad = index in self._abroad
            found.append(
                Share(
                    own=self._share(weights, words) + columns * self._share(weights, titles - words),
                    lent=0.0 if abroad else max(self._share(weights, other) for other in beside),
                    context=self._share(weights, self._above[index] - words)
                    + _UNDER
                    * self._share(weights, self._headed[index] - self._above[index] - words - titles),
                    around=0.0 if self._abroad else self._share(weights, near),
                    # What its document is called may be all that a unit in another language can share.
                    apart=not abroad and not any(weights.get(word) for word in words | titles),
                )
            )
        return found

    def _near(self, index: int, reach: int) -> list[int]:
        """The units of the same evidence at most so far from a unit, it included."""
        near = range(max(0, index - reach), min(len(self._units), index + reach + 1))
        return [other for other in near if self._units[other].n == self._units[index].n]

    def _weights(self, text: str) -> dict[str, float]:
        """The words of a text, those that are written wrongly as they are meant, and how much each tells."""
        asked = content_words(text)
        slips = meant(asked, self._known)
        told = self._rarity([slips.get(word, word) for word in asked])
        return {word: word_weight(word) * weight for word, weight in told.items()}

    @staticmethod
    def _share(weights: Mapping[str, float], words: Collection[str]) -> float:
        return sum(weight for word, weight in weights.items() if word in words) / (
            sum(weights.values()) or 1.0
        )
