"""What is quoted of two documents that a question compares: of each what says the same kind of thing.

"Compare RFC 7 and RFC 12" shares no word with what either decides. What can be compared stands under the
same headings, or is what the question names besides the two.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from rag.answering.extractive.own_language import telling
from rag.answering.extractive.telling import first_line
from rag.answering.extractive.units import Unit
from rag.citations.wording import content_words, word_weight
from rag.records import Evidence
from rag.text.folding import fold
from rag.text.scripts import is_unspaced

if TYPE_CHECKING:
    from rag.answering.extractive.scoring import Scorer

_COMPARING = re.compile(
    r"\b(?:compar\w+|differ\w*|versus|vs\.?|changed?|changes|similar\w*|common|better|between)\b"
    r"|比较|对比|相比|区别|差别|差异|不同|哪一?[个份种家]",
    re.IGNORECASE,
)
"""Words that tell that something is compared, not what."""
_FIRST = re.compile(
    r"decision|summary|conclusion|result|resolution|outcome|决定|决议|结论|摘要|概要|结果|总结", re.IGNORECASE
)
"""Headings of what a document comes to: first where it is not said what is compared."""
_NUMBER = re.compile(
    r"^(?:\d{1,2}(?:\.\d{1,2})*[.)、]?|[一二三四五六七八九十]{1,3}、|第[一二三四五六七八九十\d]{1,3}[章节条])\s*"
)
_OF_EACH = 2
"""Quotations of each side where it is said what is compared;"""
_SECTIONS = 4
"""headings that both sides have, at most, where it is not."""
_PREAMBLE = ""


def of_both_sides(
    scorer: Scorer,
    sides: Sequence[str],
    question: str,
    everything: Sequence[Unit],
    evidence: Sequence[Evidence],
) -> list[int]:
    """Indices of the units to be quoted, those of the two sides by turns; [] if the sides do not name
    documents of their own."""
    titles: dict[str, set[str]] = {}
    for item in evidence:
        words = title_words(item.path, item.heading, first_line(item))
        titles.setdefault(item.document, set()).update(scorer.said(words))
    documents = sides_named(sides, titles)
    if not documents:
        return []
    of = {item.n: item.document for item in evidence}
    places = [[i for i, unit in enumerate(everything) if of[unit.n] in each] for each in documents]
    aspect = aspect_of(question, sides) - set().union(*(titles[each] for both in documents for each in both))
    found = _alike(everything, places, aspect)
    if not all(found) and aspect:
        found = [scorer.best_among(" ".join(sorted(aspect)), here, _OF_EACH) for here in places]
    if not all(found):
        found = [
            [index for each in _sections(everything, here).values() for index in each][:_SECTIONS]
            for here in places
        ]
    turns = [index for pair in zip_longest(*found) for index in pair if index is not None]
    return list(dict.fromkeys(turns))


def sides_named(sides: Sequence[str], titles: Mapping[str, set[str]]) -> list[set[str]]:
    """For each of two sides of a comparison the documents that are called by what tells it from the other
    one; [] if not each has one of its own. titles: the words that each document is called by."""
    if len(sides) != 2:
        return []
    own = _own_words(sides)
    known = set().union(*titles.values())
    found = [
        {each for each, words in titles.items() if mine & known and mine & known <= words} for mine in own
    ]
    return found if all(found) and not found[0] & found[1] else []


def title_words(path: str, heading: Sequence[str], line: str) -> set[str]:
    """The words that a document is called by: its file's name, its title, its first line."""
    stem = path.rsplit("/", 1)[-1].rpartition(".")[0].replace("_", " ")
    return {*content_words(" ; ".join([stem, *heading[:1], line]))}


def aspect_of(question: str, sides: Sequence[str]) -> set[str]:
    """The words of a question besides those that tell its two sides apart and those that compare."""
    rest = fold(_COMPARING.sub(" ", telling(question)))
    own = set().union(*_own_words(sides))
    for word in own:
        rest = rest.replace(word, " ") if is_unspaced(word[0]) else rest
    return {word for word in content_words(rest) if word_weight(word) >= 1 and len(word) > 1} - own


def _own_words(sides: Sequence[str]) -> list[set[str]]:
    names = [{*content_words(_COMPARING.sub(" ", side))} for side in sides]
    return [names[0] - names[1], names[1] - names[0]]


def _alike(everything: Sequence[Unit], places: Sequence[Sequence[int]], aspect: set[str]) -> list[list[int]]:
    """Of each side the first unit under each heading that both have, what it comes to first. aspect: words
    of which such a heading must have one; none: any will do."""
    sections = [_sections(everything, here) for here in places]
    both = [heading for heading in sections[0] if heading in sections[1]]
    both = [heading for heading in both if not aspect or aspect & {*content_words(heading)}]
    both.sort(key=lambda heading: (heading == _PREAMBLE, _FIRST.search(heading) is None))
    return [[index for heading in both[:_SECTIONS] for index in each[heading]] for each in sections]


def _sections(everything: Sequence[Unit], here: Sequence[int]) -> dict[str, list[int]]:
    """Heading → the unit that is quoted of what stands under it; "" for what stands above them all."""
    found: dict[str, list[int]] = {}
    heading = _PREAMBLE
    seen: set[str] = set()
    for index in here:
        unit = everything[index]
        if unit.kind == "heading":
            heading = _NUMBER.sub("", fold(unit.text.strip("#* \n"))).strip() if seen else _PREAMBLE
            seen.add(unit.text)
        elif unit.kind in ("sentence", "item", "row", "lead") and heading not in found:
            found[heading] = [index]
    return found
