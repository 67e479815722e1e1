"""Which units of the evidence answer a question, judged by words, meaning and place."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from rag.answering.extractive.completing import singled_out, table_of
from rag.answering.extractive.meaning import Meaning, VectorsOf, abroad
from rag.answering.extractive.measures import counted_as
from rag.answering.extractive.misspelt import meant
from rag.answering.extractive.naming import OtherNames
from rag.answering.extractive.steps import heads_steps
from rag.answering.extractive.units import Unit, asks
from rag.citations.numbers import says_number
from rag.citations.wording import content_words, word_weight
from rag.embedding.protocol import Embedder
from rag.prompting.kinds import asks_steps
from rag.records import Evidence

if TYPE_CHECKING:
    from rag.glossary import Named

Rarity = Callable[[Iterable[str]], Mapping[str, float]]
"""Content words → how much each tells (inverse document frequency), 0 and more."""

_WHOLE = 0.3
_MEANING = 0.16
_NEIGHBOUR = 0.15
_RANK = 0.04
"""What counts beside the words of the part of the question: those of the whole question, likeness in
meaning (for each standard deviation), words of neighbours; what a rank of evidence costs. The words of titles
above a unit count like its own: they are said of it, and what tells it from others is what is left."""
_MEANING_ABROAD, _ABROAD = 0.3, 0.16
"""Likeness in meaning of a unit in another language than the question, and what it gets for the words that it
cannot share. Fitted, by conditional logit, to 150 questions whose evidence has units in another language."""
_COLUMNS = 0.6
"""What the words of the titles of its columns count for a row; all of it where a number is asked for."""
_CLOSE_BEHIND = 0.6
"""A further quotation needs at least this share of the best one's score,"""
_CLOSE_ABROAD = 0.7
"""The same in another language, where what comes second is oftener near by chance: quotations of documents in
the other language are 5 % (Chinese) and 13 % (PDF) shorter so, and hold the same key facts."""
_BESIDE = 0.45
"""one beside a quotation in another language this,"""
_ONE_OF_A_TABLE = 0.8
"""a row in another language that stands for its whole table this,"""
_BEHIND = 0.35
"""the first new one for a part of the question this."""
_ROW_OF_STEPS = 0.3
"""What a row of a table loses where it is asked how something is done."""
_SAID = 0.5
"""What a unit counts that an earlier answer has quoted and that has no word of the new question."""
_ASKED_TITLE = 0.3
_ALL_BUT = 0.8
"""For a row under titles that hold (all but) what the best unit holds of a question for a number."""
_NAMED = 0.6
_NAMING = 0.9
"""A heading that holds this share of what is asked counts that much: what stands under it comes with it. So
does one above a list of steps, if steps are asked for."""
_QUANTITY = 0.06
"""For a number where one is asked for, for a cause likewise."""
_COUNTED = 0.1
"""For a number of what is counted: days where it is asked how many days."""
_ASKS_QUANTITY = re.compile(
    r"\bhow (?:many|much|long|often|soon|old|far|high|large|big)\b|\bwhen\b"
    r"|\bwhat (?:year|date|time|percentage|price)\b"
    r"|\b(?:rates?|calculated)\b|(?:怎么|如何|怎样)(?:计?算)|多少|几|多长|多久|多大|多高|何时|什么时候|哪一?[年天月日]",
    re.IGNORECASE,
)
_ASKS_WHY = re.compile(
    r"\bwhy\b|\b(?:reasons?|causes?)\b|\bhow come\b|为什么|为何|原因|怎么会", re.IGNORECASE
)
_CAUSE = re.compile(
    r"\b(?:because|cause[sd]?|due to|reasons?|therefore|led to|resulted?)\b"
    r"|因为|由于|原因|导致|因此|所以|造成",
    re.IGNORECASE,
)
_FIRST_LINE = 80
_TITLES = 40
_SET = re.compile(r"\w[\"'\])]*\s*[:=：]\s*\S")
"""A name and what it is ("level = warning", "Absent: Mr. Roe")."""
_LABEL = re.compile(r"[A-Z][A-Za-z ,/-]{0,38}")
"""A few words without an end: the title of something."""


def asks_quantity(question: str) -> bool:
    """Whether a question asks for a number or a time."""
    return _ASKS_QUANTITY.search(question) is not None


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
        self._question = question
        self._units = everything
        self._words = [said(content_words(unit.text)) for unit in everything]
        self._titles = [
            said(content_words(" ".join([unit.row.caption, *unit.row.titles]))) if unit.row else frozenset()
            for unit in everything
        ]
        self._context = {
            item.n: said(content_words(" ".join([*item.heading, item.path, _first_line(item)])))
            for item in evidence
        }
        self._known = frozenset().union(*self._words, *self._titles, *self._context.values())
        self._rarity = rarity
        self._told = [
            0.0 if index in out or _is_bare(everything, index) else _informative(unit)
            for index, unit in enumerate(everything)
        ]
        self._told = [told * (_SAID if i in before else 1) for i, told in enumerate(self._told)]
        self._heading_steps = heads_steps(everything)
        self._abroad = abroad(question, evidence, everything)
        shares = self._lexical(question)
        self._meaning = Meaning(question, everything, self._abroad, shares, self._told, embedder, vectors)

    def best(self, part: str, most: int, taken: Sequence[int]) -> list[int]:
        """Indices of at most `most` further units for one part of the question, best first; one at least."""
        scores = self._scores(part)
        order = sorted(range(len(scores)), key=lambda index: -scores[index])
        # What only names what stands under it is quoted if there is nothing else.
        order = [index for index in order if self._told[index] > 0] or order
        new = [index for index in order if index not in taken]
        best = scores[order[0]]
        if best <= 0 and not taken:
            return new[:1]
        close = [
            i for i in new if scores[i] >= best * (_CLOSE_ABROAD if i in self._abroad else _CLOSE_BEHIND)
        ]
        good = self._one_a_table(part, close, scores)
        good = good[:most] or [index for index in new[:1] if scores[index] >= _BEHIND * best]
        return [*good, *self._beside(good, [i for i in new if scores[i] >= _BESIDE * best])]

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
        close = {i for i in rows if i in self._abroad and scores[i] >= _ONE_OF_A_TABLE * scores[order[0]]}
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
        of_part, of_all = self._lexical(part), self._lexical(self._question)
        meaning = self._meaning.standing(part)
        quantity = _QUANTITY if _ASKS_QUANTITY.search(part) else 0.0
        cause = _QUANTITY if _ASKS_WHY.search(part) else 0.0
        titled = _ASKED_TITLE if quantity else 0.0
        stated = self._share_of_titles(part) if quantity else [False] * len(self._units)
        steps = _ROW_OF_STEPS if asks_steps(part) else 0.0
        counted = counted_as(part) if quantity else None
        scores = []
        for index, unit in enumerate(self._units):
            score = of_part[index] + _WHOLE * of_all[index]
            if index in self._abroad:
                score += _ABROAD + _MEANING_ABROAD * meaning[index]
            else:
                score += _MEANING * meaning[index]
            if quantity:
                score += quantity * (any(map(str.isdigit, unit.text)) or says_number(unit.text))
                score += _COUNTED * (counted is not None and counted.search(unit.text) is not None)
            score -= _RANK * (unit.n - 1)
            score += cause * (_CAUSE.search(unit.text) is not None)
            score += titled * stated[index]
            score -= steps * (unit.kind == "row")
            told = of_part[index] >= _NAMED and unit.kind == "heading"
            told = told or (index in self._heading_steps and of_part[index] > 0 and steps > 0)
            scores.append(score * (_NAMING if told else self._told[index]))
        return scores

    def _share_of_titles(self, text: str) -> list[bool]:
        """Whether the titles above a row say what is asked as well as any unit does."""
        told = self._rarity(content_words(text))
        best = max((sum(told.get(word, 0.0) for word in words) for words in self._words), default=0.0)
        return [
            best > 0 and sum(told.get(word, 0.0) for word in titles) >= _ALL_BUT * best
            for titles in self._titles
        ]

    def _lexical(self, text: str) -> list[float]:
        """The share of the text's words that each unit has, some of it lent by headings and neighbours."""
        weights = self._weights(text)
        total = sum(weights.values()) or 1.0

        def share(words: Iterable[str]) -> float:
            return sum(weights[word] for word in words if word in weights) / total

        columns = 1.0 if _ASKS_QUANTITY.search(text) else _COLUMNS
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
            shares = own[index] > 0 or index in self._abroad
            lent *= index not in self._abroad
            found.append(own[index] + _NEIGHBOUR * lent + context * shares)
        return found


def _first_line(item: Evidence) -> str:
    """What the evidence's document begins with, if it is short enough to be a title and stands in it."""
    line = item.text.lstrip().partition("\n")[0] if item.start == 0 else ""
    return line if len(line) <= _FIRST_LINE else ""


def _is_bare(everything: Sequence[Unit], index: int) -> bool:
    """Whether a heading has nothing under it but the next one."""
    if everything[index].kind != "heading":
        return False
    under = everything[index + 1] if index + 1 < len(everything) else None
    return under is None or under.n != everything[index].n or under.kind in ("heading", "head")


def _informative(unit: Unit) -> float:
    """How far a unit's words count: little for headings and questions, not at all for titles of columns,
    heads of pages, and what speaks to a machine."""
    if unit.kind in ("header", "head", "order", "fence"):
        return 0.0
    if unit.row is not None:
        return 1.0
    titles = unit.kind == "row" and not any(map(str.isdigit, unit.text)) and len(unit.text) < _TITLES
    if titles and not _SET.search(unit.text):
        return 0.0
    if unit.kind in ("row", "sentence") and _LABEL.fullmatch(unit.text):
        return 0.3
    return 0.5 if unit.kind == "heading" or asks(unit) else 1.0
