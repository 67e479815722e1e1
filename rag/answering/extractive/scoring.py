"""Which units of the evidence answer a question, judged by words, meaning and place."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from rag.answering.extractive.completing import singled_out, table_of
from rag.answering.extractive.meaning import Meaning, VectorsOf, abroad
from rag.answering.extractive.measures import counted_as
from rag.answering.extractive.misspelt import meant
from rag.answering.extractive.naming import OtherNames
from rag.answering.extractive.numbered import told_apart
from rag.answering.extractive.steps import heads_steps
from rag.answering.extractive.telling import first_line, informative, is_bare
from rag.answering.extractive.tongues import own_first
from rag.answering.extractive.units import Unit
from rag.answering.extractive.wanted import asks_quantity, asks_why, gives_number, gives_reason
from rag.citations.wording import content_words, word_weight
from rag.embedding.protocol import Embedder
from rag.prompting.kinds import asks_steps
from rag.records import Evidence

if TYPE_CHECKING:
    from rag.glossary import Named

Rarity = Callable[[Iterable[str]], Mapping[str, float]]
"""Content words → how much each tells (inverse document frequency), 0 and more."""

_WHOLE = 0.3
_MEANING = 0.18
_NEIGHBOUR = 0.15
_PASSAGE = 0.7
_AROUND = 4
_FIRST, _RANK = 0.18, 0.03
_ITEM = 0.2
"""What counts beside the words of the part of the question: those of the whole question, likeness in
meaning (for each standard deviation), words of a neighbour, all that the few units around it say together;
standing in the first evidence, what each further rank costs; being an item of a list, whose words are few.
The words of titles above a unit count like its own: they are said of it, and what tells it from others is
what is left. Fitted, by conditional logit, to 286 questions of three data sets; fitted to two of them, the
quotations of the third hold as many of its key sentences more."""
_MEANING_ABROAD, _ABROAD = 0.3, 0.2
"""Likeness in meaning of a unit in another language than the question, and what it gets for the words that it
cannot share."""
_COLUMNS = 0.6
"""What the words of the titles of its columns count for a row; all of it where a number is asked for."""
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
        said = OtherNames(named).with_lent
        self._its, others = told_apart(question, everything, evidence)
        out = {*out, *others}
        self._question = question
        self._units = everything
        self._words = [said(content_words(unit.text)) for unit in everything]
        self._titles = [
            said(content_words(" ".join([unit.row.caption, *unit.row.titles]))) if unit.row else frozenset()
            for unit in everything
        ]
        self._context = {
            item.n: said(content_words(" ".join([*item.heading, item.path, first_line(item)])))
            for item in evidence
        }
        self._known = frozenset().union(*self._words, *self._titles, *self._context.values())
        self._rarity = rarity
        self._told = [
            0.0 if index in out or is_bare(everything, index) else informative(unit)
            for index, unit in enumerate(everything)
        ]
        self._told = [told * (_SAID if i in before else 1) for i, told in enumerate(self._told)]
        self._heading_steps = heads_steps(everything)
        self._abroad = abroad(question, evidence, everything)
        shares = self._lexical(question)
        self._meaning = Meaning(question, everything, self._abroad, shares, self._told, embedder, vectors)

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
        words = frozenset(content_words(f"{part} {self._question}"))
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
        return [min(1.0, share) for share in self._lexical(part)]

    def held_together(self, part: str, indices: Sequence[int]) -> float:
        """The share of a part's words that these units hold between them, lent ones included, 0 to 1."""
        best = max(self.held(part)[index] for index in indices)
        weights = self._weights(part)
        said = frozenset().union(*(self._words[index] for index in indices))
        share = sum(weight for word, weight in weights.items() if word in said)
        return max(best, share / (sum(weights.values()) or 1.0))

    def _weights(self, text: str) -> dict[str, float]:
        """The words of a text, those that are written wrongly as they are meant, and how much each tells."""
        asked = content_words(text)
        slips = meant(asked, self._known)
        told = self._rarity([slips.get(word, word) for word in asked])
        return {word: word_weight(word) * weight for word, weight in told.items()}

    def _scores(self, part: str) -> list[float]:
        of_part, whole_part = self._lexical(part), self._in_place(part)
        whole_all = self._in_place(self._question)
        meaning = self._meaning.standing(part)
        quantity = _QUANTITY if asks_quantity(part) else 0.0
        cause = _REASON if asks_why(part) else 0.0
        titled = _ASKED_TITLE if quantity else 0.0
        stated = self._share_of_titles(part) if quantity else [False] * len(self._units)
        steps = _ROW_OF_STEPS if asks_steps(part) else 0.0
        counted = counted_as(part) if quantity else None
        scores = []
        for index, unit in enumerate(self._units):
            score = whole_part[index] + _WHOLE * whole_all[index]
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
            score += _ITS * (index in self._its)
            told = of_part[index] >= _NAMED and unit.kind == "heading"
            told = told or (index in self._heading_steps and of_part[index] > 0 and steps > 0)
            scores.append(score * (_NAMING if told else self._told[index]))
        return own_first(scores, self.held(part), self._abroad) if self._abroad else scores

    def _share_of_titles(self, text: str) -> list[bool]:
        """Whether the titles above a row say what is asked as well as any unit does."""
        told = self._rarity(content_words(text))
        best = max((sum(told.get(word, 0.0) for word in words) for words in self._words), default=0.0)
        return [
            best > 0 and sum(told.get(word, 0.0) for word in titles) >= _ALL_BUT * best
            for titles in self._titles
        ]

    def _in_place(self, text: str) -> list[float]:
        """The share of the text's words that each unit has where it stands: with what its document and its
        headings say, and with part of what is said around it."""
        weights = self._weights(text)
        total = sum(weights.values()) or 1.0
        found = []
        for index, (unit, lexical) in enumerate(zip(self._units, self._lexical(text), strict=True)):
            near = [
                words
                for words, other in zip(
                    self._words[max(0, index - _AROUND) : index + _AROUND + 1],
                    self._units[max(0, index - _AROUND) : index + _AROUND + 1],
                    strict=True,
                )
                if other.n == unit.n
            ]
            around = frozenset().union(*near)
            shared = sum(weight for word, weight in weights.items() if word in around) / total
            if not self._shares(index, weights):
                context = self._context[unit.n] - self._words[index]
                lexical += sum(weight for word, weight in weights.items() if word in context) / total
            # What another language says around a unit shares no words: then it would only favour one of them.
            found.append(lexical + (0.0 if self._abroad else _PASSAGE) * shared)
        return found

    def _shares(self, index: int, weights: Mapping[str, float]) -> bool:
        """Whether a unit has a word of a text, or could have none."""
        said = self._words[index] | self._titles[index]
        return index in self._abroad or any(weights.get(word) for word in said)

    def _lexical(self, text: str) -> list[float]:
        """The share of the text's words that each unit has, some of it lent by headings and neighbours."""
        weights = self._weights(text)
        total = sum(weights.values()) or 1.0

        def share(words: Iterable[str]) -> float:
            return sum(weights[word] for word in words if word in weights) / total

        columns = 1.0 if asks_quantity(text) else _COLUMNS
        own = [
            share(words) + columns * share(titles - words)
            for words, titles in zip(self._words, self._titles, strict=True)
        ]
        found = []
        for index, unit in enumerate(self._units):
            around = [
                other
                for other in (index - 1, index + 1)
                if 0 <= other < len(self._units) and self._units[other].n == unit.n
            ]
            lent = max((share(self._words[other] - self._words[index]) for other in around), default=0.0)
            context = share(self._context[unit.n] - self._words[index])
            # What its document is called may be all that a unit in another language can share.
            shares = self._shares(index, weights)
            lent *= index not in self._abroad
            found.append(own[index] + _NEIGHBOUR * lent + context * shares)
        return found
