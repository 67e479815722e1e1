"""Which units of the evidence answer a question, judged by words, meaning and place."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from rag.answering.extractive.completing import asked_words, singled_out, table_of
from rag.answering.extractive.limits import by_limit
from rag.answering.extractive.meaning import Meaning, VectorsOf, abroad
from rag.answering.extractive.measures import counted_as
from rag.answering.extractive.naming import OtherNames
from rag.answering.extractive.numbered import told_apart
from rag.answering.extractive.own_language import own_first, telling
from rag.answering.extractive.shares import Rarity, Shares
from rag.answering.extractive.steps import heads_steps
from rag.answering.extractive.telling import informative, is_bare
from rag.answering.extractive.units import Unit
from rag.answering.extractive.wanted import asks_quantity, asks_why, gives_number, gives_reason
from rag.embedding.protocol import Embedder
from rag.prompting.kinds import asks_steps
from rag.records import Evidence

if TYPE_CHECKING:
    from rag.glossary import Named

_WHOLE = 0.3
_MEANING = 0.18
_FIRST, _RANK = 0.18, 0.03
_ITEM = 0.2
"""What counts beside the words of the part of the question: those of the whole question, likeness in
meaning (for each standard deviation), standing in the first evidence, what each further rank costs, being
an item of a list, whose words are few. Fitted, with those of `shares`, by conditional logit to 286 questions
of three data sets; fitted to two of them, the quotations of the third hold as many of its key sentences
more."""
_MEANING_ABROAD, _ABROAD = 0.3, 0.2
"""Likeness in meaning of a unit in another language than the question, and what it gets for the words that it
cannot share."""
_CLOSE_BEHIND, _WIDELY = 0.6, 0.8
"""A further quotation may score so much less than the best one; so much where more is asked for,"""
_CLOSE_ABROAD, _WIDELY_ABROAD = 0.4, 0.55
"""The same in another language, where what comes second is oftener near by chance: quotations of documents in
the other language are 5 % (Chinese) and 13 % (PDF) shorter so, and hold the same key facts."""
_BESIDE = 0.8
"""one beside a quotation in another language this,"""
_ONE_OF_A_TABLE = 0.24
"""a row in another language that stands for its whole table this,"""
_BEHIND = 0.78
"""the first new one for a part of the question this."""
_ROW_OF_STEPS = 0.3
"""What a row of a table loses where it is asked how something is done."""
_ITS = 0.55
"""For speaking of the numbered thing that the question names, or standing under it."""
_WITHIN = 0.3
"""For stating the narrowest limit that holds the amount that the question names."""
_SAID = 0.5
"""What a unit counts that an earlier answer has quoted and that has no word of the new question."""
_ASKED_TITLE = 0.3
_ALL_BUT = 0.8
"""For a row under titles that hold (all but) what the best unit holds of a question for a number."""
_NAMED = 0.6
_NAMING = 0.9
"""A heading that holds this share of what is asked counts that much: what stands under it comes with it. So
does one above a list of steps, if steps are asked for."""
_QUANTITY, _REASON = 0.13, 0.26
"""For a number where one is asked for, for a cause likewise."""
_COUNTED = 0.1
"""For a number of what is counted: days where it is asked how many days."""


class Scorer:
    """The units of the evidence of one question. rarity: of the library's words. vectors: see `Meaning`.
    named: what the question names, with the other names by which a unit may say it. out: units that are not
    asked about, since they stand on other pages. before: units that earlier answers have quoted."""

    def __init__(
        self,
        question: str,
        evidence: Sequence[Evidence],
        everything: Sequence[Unit],
        rarity: Rarity,
        embedder: Embedder,
        vectors: VectorsOf | None = None,
        named: Sequence[Named] = (),
        out: Collection[int] = frozenset(),
        before: Collection[int] = frozenset(),
    ) -> None:
        self._its, others = told_apart(question, everything, evidence)
        self._within, outside = by_limit(question, everything)
        out = {*out, *others, *outside}
        self._question = question
        self._units = everything
        self._told = [
            0.0 if index in out or is_bare(everything, index) else informative(unit)
            for index, unit in enumerate(everything)
        ]
        self._told = [told * (_SAID if i in before else 1) for i, told in enumerate(self._told)]
        self._heading_steps = heads_steps(everything)
        self._abroad = abroad(question, evidence, everything)
        self.said = OtherNames(named).with_lent
        self._shares = Shares(everything, evidence, rarity, self._abroad, self.said)
        lexical = [share.lexical for share in self._shares.of(question)]
        self._meaning = Meaning(question, everything, self._abroad, lexical, self._told, embedder, vectors)

    def best(self, part: str, most: int, taken: Sequence[int], *, widely: bool = False) -> list[int]:
        """Indices of at most `most` further units for one part of the question, best first; one at least.
        widely: also such as come less close to the best one."""
        scores = self._scores(part)
        order = sorted(range(len(scores)), key=lambda index: -scores[index])
        # What only names what stands under it is quoted if there is nothing else.
        order = [index for index in order if self._told[index] > 0] or order
        new = [index for index in order if index not in taken]
        best = scores[order[0]]
        if best <= 0 and not taken:
            return new[:1]
        here, abroad = (_WIDELY, _WIDELY_ABROAD) if widely else (_CLOSE_BEHIND, _CLOSE_ABROAD)
        close = [i for i in new if scores[i] >= best - (abroad if i in self._abroad else here)]
        good = self._one_a_table(part, close, scores)
        good = good[:most] or [index for index in new[:1] if scores[index] >= best - _BEHIND]
        return [*good, *self._beside(good, [i for i in new if scores[i] >= best - _BESIDE])]

    def best_among(self, part: str, places: Sequence[int], most: int) -> list[int]:
        """Indices of the best units for one part of the question among these, best first."""
        scores = self._scores(part)
        telling = [
            index for index in places if self._told[index] > 0 and self._units[index].kind != "heading"
        ]
        telling.sort(key=lambda index: -scores[index])
        close = [i for i in telling if scores[i] >= scores[telling[0]] - _CLOSE_BEHIND]
        return self._one_a_table(part, close, scores)[:most]

    def _beside(self, chosen: Sequence[int], near: Sequence[int]) -> list[int]:
        """Of those that are nearly as good, the sentences next to a chosen one in another language: they come
        in one quotation with it, where a word that it shares would have brought the right one."""
        return [
            index
            for index in near
            if index not in chosen
            and self._units[index].kind == "sentence"
            and any(
                other in self._abroad and abs(other - index) == 1
                for other in chosen
                if self._units[other].n == self._units[index].n
            )
        ]

    def _one_a_table(self, part: str, order: Sequence[int], scores: Sequence[float]) -> list[int]:
        """Without rows beside one of their table that the question singles out. Of a table of which it
        singles out none, one row is kept if it answers best: it brings the others with it. So does the best
        one of a table in another language, whose rows no common word can tell apart."""
        words = asked_words(f"{part} {self._question}")
        rows = [index for index in order if self._units[index].row is not None]
        single = {index: singled_out(self._units, index, words) for index in rows}
        named = {table_of(self._units, index) for index in rows if single[index]}
        close = {i for i in rows if i in self._abroad and scores[i] >= scores[order[0]] - _ONE_OF_A_TABLE}
        firsts = {table_of(self._units, index): index for index in reversed(rows)}

        def stays(index: int) -> bool:
            if single.get(index, True) is None:
                first = firsts[table_of(self._units, index)] == index
                return index == order[0] or (first and index in close)
            return single.get(index, True) or table_of(self._units, index) not in named

        return [index for index in order if stays(index)]

    def held(self, part: str) -> list[float]:
        """The share of a part's words that each unit holds, lent ones included, 0 to 1."""
        return [min(1.0, share.lexical) for share in self._shares.of(part)]

    def held_together(self, part: str, indices: Sequence[int]) -> float:
        """The share of a part's words that these units hold between them, lent ones included, 0 to 1."""
        held = self.held(part)
        return max(self._shares.together(part, indices), *(held[index] for index in indices))

    def _scores(self, part: str) -> list[float]:
        of_part, of_all = self._shares.of(part), self._shares.of(self._question)
        meaning = self._meaning.standing(part)
        quantity = _QUANTITY if asks_quantity(part) else 0.0
        cause = _REASON if asks_why(part) else 0.0
        titled = _ASKED_TITLE if quantity else 0.0
        stated = self._titles_say_it(part) if quantity else [False] * len(self._units)
        steps = _ROW_OF_STEPS if asks_steps(part) else 0.0
        counted = counted_as(part) if quantity else None
        scores = []
        for index, unit in enumerate(self._units):
            score = of_part[index].in_place + _WHOLE * of_all[index].in_place
            score += _FIRST * (unit.n == self._units[0].n) + _ITEM * (unit.kind == "item")
            if index in self._abroad:
                score += _ABROAD + _MEANING_ABROAD * meaning[index]
            else:
                score += _MEANING * meaning[index]
            if quantity:
                score += quantity * gives_number(unit.text)
                score += _COUNTED * (counted is not None and counted.search(unit.text) is not None)
            score -= _RANK * (unit.n - 1)
            score += cause * gives_reason(unit.text)
            score += titled * stated[index]
            score -= steps * (unit.kind == "row")
            score += _ITS * (index in self._its) + _WITHIN * (index in self._within)
            told = of_part[index].lexical >= _NAMED and unit.kind == "heading"
            told = told or (index in self._heading_steps and of_part[index].lexical > 0 and steps > 0)
            scores.append(score * (_NAMING if told else self._told[index]))
        return own_first(scores, self.held(telling(part)), self._abroad) if self._abroad else scores

    def _titles_say_it(self, text: str) -> list[bool]:
        """Whether the titles above a row say what is asked as well as any unit does."""
        titles, best = self._shares.titled(text)
        return [best > 0 and each >= _ALL_BUT * best for each in titles]
