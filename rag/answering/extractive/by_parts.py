"""Quotations for each part of a question: those that a quick answer would give, and what else the part needs.

A quick answer reads the first evidence only. What it would quote stays chosen however much more is read, so
that reading more never quotes less.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rag.answering.extractive.completing import Group, groups
from rag.answering.extractive.earlier import Earlier
from rag.answering.extractive.extract import (
    about_steps,
    all_asked,
    chosen_for,
    compared,
    elsewhere,
    without_said,
)
from rag.answering.extractive.layout import LayoutOf
from rag.answering.extractive.meaning import VectorsOf, abroad
from rag.answering.extractive.no_such_row import asked_row, rows_only
from rag.answering.extractive.orders import marked
from rag.answering.extractive.scoring import Scorer
from rag.answering.extractive.shares import Rarity
from rag.answering.extractive.showing import Extract, written
from rag.answering.extractive.to_the_point import to_the_point
from rag.answering.extractive.units import Unit, units
from rag.citations.cite import PageOf
from rag.citations.wording import content_words, word_weight
from rag.embedding.protocol import Embedder
from rag.records import Evidence

if TYPE_CHECKING:
    from rag.glossary import Named

_MANY = 3
_MORE, _MORE_OF_SOME, _MORE_OF_MANY = 8, 5, 3
"""Quotations of all that was read, at most: for the only part, for one of two, and for each of `_MANY` and
more; those that a quick answer gives among them."""
_CHARACTERS, _CHARACTERS_OF_SOME, _CHARACTERS_OF_MANY = 2000, 1300, 800
"""What may be quoted for these, likewise: none is a wall of text. A first quotation is never too long."""
_FITS_BETTER = 0.3
"""How much more of what tells another part from the rest a quotation must hold to be quoted there."""

_ITS_OWN = 0.2
"""A part of whose own words its quotations hold at least that share is not confused with another one."""


@dataclass(frozen=True, slots=True)
class Sought:
    """One part of a question. text: what is looked for. sides: what it compares, () if it compares nothing;
    each gets a quotation of its own."""

    text: str
    sides: Sequence[str] = ()


class Quotations:
    """What is quoted for the parts of one question; evidence must not be empty.

    first: how many of the evidence, from the first on, a quick answer would read; 0: it would find nothing.
    answered: places of parts that need no quotations. named: what the question names, with its other names.
    pages: those that it asks about, none: all. earlier: what the conversation has said.
    held: for each part the share of its words, by weight, that the best of its quotations holds, 0 to 1.
    """

    def __init__(
        self,
        question: str,
        parts: Sequence[Sought],
        evidence: Sequence[Evidence],
        *,
        first: int,
        rarity: Rarity,
        embedder: Embedder,
        page_of: PageOf,
        layout_of: LayoutOf | None = None,
        answered: Collection[int] = frozenset(),
        named: Sequence[Named] = (),
        pages: frozenset[int] = frozenset(),
        earlier: Earlier | None = None,
    ) -> None:
        self._question = question
        self._parts = parts
        self._rarity = rarity
        self._by_number = {item.n: item for item in evidence}
        self._page_of = page_of
        self._layout_of = layout_of
        self._named = named
        self._units = marked(units(evidence, layout_of), question)
        self._shown: set[str] = set()
        out = elsewhere(self._units, evidence, page_of, pages)
        self._before = earlier.quoted(self._units, evidence) if earlier is not None else frozenset()
        asks = earlier.asks if earlier is not None else ""
        vectors: VectorsOf = {}
        read = {item.n for item in evidence[:first]}
        known = [unit for unit in self._units if unit.n in read]
        self._quick: list[list[int]] = [[] for _ in parts]
        self.held = [0.0] * len(parts)
        if known:
            scorer = Scorer(
                question, evidence[:first], known, rarity, embedder, vectors, named, out, self._before
            )
            whole = all_asked(question, known, evidence[:first], out) if pages else []
            whole = whole or compared(scorer, question, known, evidence[:first])
            near = abroad(question, evidence[:first], known)
            chosen = (
                [whole]
                if whole
                else [
                    to_the_point(each, known, question, near, named)
                    for each in chosen_for(scorer, question, answered, asks)
                ]
            )
            if len(chosen) != len(parts):  # a question that leans on its conversation is one part here
                chosen = [[index for each in chosen for index in each], *([] for _ in parts[1:])]
            self._quick = _where_they_fit(chosen, parts, self._units, rarity)
            self._hold(scorer, self._quick)
        far = abroad(question, evidence, self._units)
        self._more: list[list[int]] = [[] for _ in parts]
        taken = {_words_of(self._units[index]) for each in self._quick for index in each}
        for place in range(len(parts)):
            if place in answered:
                continue
            scorer = Scorer(
                self._asked(place), evidence, self._units, rarity, embedder, vectors, named, out, self._before
            )
            both = compared(scorer, self._parts[place].text, self._units, evidence)
            best = both or to_the_point(
                self._best(scorer, place),
                self._units,
                self._asked(place),
                far,
                named,
                part=self._parts[place].text,
            )
            if both:
                self.held[place] = 1.0  # the documents that are compared are named by their titles
            self._hold(scorer, [best if at == place else [] for at in range(len(parts))])
            # What an earlier part has quoted is not quoted again beside something new, unless it comes first.
            new = [index for index in best if _words_of(self._units[index]) not in taken]
            if not self._quick[place]:
                new = [*best[:1], *(index for index in new if index != best[0])]
            self._more[place] = new
            taken.update(_words_of(self._units[index]) for index in new)

    def no_row(self, place: int) -> str:
        """What a part asks for, if its quotations are rows of a table that has none for it; else ""."""
        evidence = list(self._by_number.values())
        text, chosen = self._parts[place].text, self._chosen(place)
        return asked_row(text, chosen, self._units, evidence, self._layout_of, self._named)

    def cited(self, place: int) -> list[Evidence]:
        """The evidence that is quoted for a part."""
        numbers = {group.first.n for group in self._groups(place, self._chosen(place))}
        return [item for n, item in self._by_number.items() if n in numbers]

    def quoted(self, places: Sequence[int]) -> list[Evidence]:
        """The evidence that is quoted for these parts, each with the text of its quotations alone."""
        texts: dict[int, list[str]] = {}
        for place in places:
            for group in self._groups(place, self._chosen(place)):
                item = self._by_number[group.first.n]
                header = item.text[slice(*group.header)] if group.header else item.table_header
                texts.setdefault(item.n, []).extend([header, *(unit.text for unit in group.units)])
        return [replace(self._by_number[n], text=" ".join(found)) for n, found in texts.items()]

    def of_another(self, place: int) -> bool:
        """Whether what is quoted for a part holds hardly anything of what tells it from the rest, and more of
        what tells another part."""
        text = {*content_words(" ".join(item.text for item in self.quoted([place])))}
        shares = [_share(own & text, own, self._rarity) for own in _own_words(self._parts)]
        return shares[place] < min(_ITS_OWN, max(shares))

    def write(self, place: int, *, nearest: bool = False, repeats: bool = False) -> Extract:
        """The quotations for a part, without those that were written before; its text may be empty then.

        nearest: only what a quick answer would quote for it. repeats: the best one is written again rather
        than none.
        """
        quick = without_said(self._quick[place], self._before)
        chosen = quick if nearest else self._chosen(place)
        found = self._groups(place, rows_only(chosen, self._units) if self.no_row(place) else chosen)
        new = [group for group in found if not {*map(_words_of, group.units)} <= self._shown]
        new = new or (found[:1] if repeats else [])
        most = self._by_parts(_CHARACTERS, _CHARACTERS_OF_SOME, _CHARACTERS_OF_MANY)
        extract = written(new, self._by_number, self._page_of, most, asked=self._asked(place))
        spans = {(n, start) for n, start, _ in extract.spans}
        for group in new:
            item = self._by_number[group.first.n]
            if any((item.n, item.start + unit.start) in spans for unit in group.units):
                self._shown.update(map(_words_of, group.units))
        return extract

    def _by_parts(self, only: int, of_some: int, of_many: int) -> int:
        count = len(self._parts)
        return only if count <= 1 else of_many if count >= _MANY else of_some

    def _chosen(self, place: int) -> list[int]:
        return without_said([*self._quick[place], *self._more[place]], self._before)

    def _asked(self, place: int) -> str:
        text = self._parts[place].text
        return text if text == self._question else f"{text} {self._question}"

    def _best(self, scorer: Scorer, place: int) -> list[int]:
        part = self._parts[place]
        best = scorer.best(part.text, self._by_parts(_MORE, _MORE_OF_SOME, _MORE_OF_MANY), [], widely=True)
        for side in part.sides:
            best += scorer.best(side, 1, best)
        return best

    def _hold(self, scorer: Scorer, chosen: Sequence[Sequence[int]]) -> None:
        for place, indices in enumerate(chosen):
            if indices:
                shares = scorer.held(self._parts[place].text)
                self.held[place] = max([self.held[place], *(shares[index] for index in indices)])

    def _groups(self, place: int, chosen: Sequence[int]) -> list[Group]:
        about = about_steps(self._parts[place].text)
        return groups(self._units, chosen, self._asked(place), about=about) if chosen else []


def _where_they_fit(
    chosen: Sequence[Sequence[int]], parts: Sequence[Sought], everything: Sequence[Unit], rarity: Rarity
) -> list[list[int]]:
    """Each choice under the part whose own words it holds ("2022" of "in 2021 and in 2022"), if it was made
    for another one and holds clearly less of that one's."""
    own = _own_words(parts)
    fitting: list[list[int]] = [[] for _ in parts]
    for place, indices in enumerate(chosen):
        for index in indices:
            text = set(content_words(everything[index].text))
            shares = [_share(each & text, each, rarity) for each in own]
            best = max(range(len(parts)), key=shares.__getitem__)
            fitting[best if shares[best] >= shares[place] + _FITS_BETTER else place].append(index)
    return fitting


def _own_words(parts: Sequence[Sought]) -> list[set[str]]:
    """The words of each part that no other one has."""
    words = [set(content_words(part.text)) for part in parts]
    return [
        each - set().union(*(other for at, other in enumerate(words) if at != place))
        for place, each in enumerate(words)
    ]


def _share(held: set[str], of: set[str], rarity: Rarity) -> float:
    told: Mapping[str, float] = rarity(of)
    weights = {word: word_weight(word) * told.get(word, 0.0) for word in of}
    return sum(weights[word] for word in held) / (sum(weights.values()) or 1.0)


def _words_of(unit: Unit) -> str:
    """A unit's text, the same for the copies of it that several evidences hold."""
    return " ".join(unit.text.split())
