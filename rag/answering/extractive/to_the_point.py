"""Further quotations must say something of what is asked.

Where a unit stands may be all that speaks for it: beside the answer, in the document that is asked about. As
the only quotation it may still be the answer; beside a better one it is noise.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from rag.answering.comparing import sides_of
from rag.answering.extractive.own_language import characters_held, telling
from rag.answering.extractive.units import Unit
from rag.citations.wording import content_words
from rag.text.asking import without_asking
from rag.text.folding import fold
from rag.text.language import language
from rag.text.words import words as words_of

if TYPE_CHECKING:
    from rag.glossary import Named

_MOST_WORDS, _MOST_CHARACTERS = 0.7, 0.5
"""Share of a question's words, or of its telling Chinese characters, that say most of it."""
_SURELY = 0.6
"""Share of these characters beside another language's quotation, where half of them are there by chance."""


def to_the_point(
    chosen: Sequence[int],
    everything: Sequence[Unit],
    asked: str,
    abroad: Collection[int],
    named: Sequence[Named] = (),
    *,
    part: str = "",
) -> list[int]:
    """The first of the chosen units, and of the others, if that says most of what is asked, those of its
    section and those that have a word of the question, in themselves, in the titles of their columns or in
    what stands directly above their list; and those in another language, if no unit in the question's own
    says most of it and has all that the question names.

    asked: the question. abroad: indices of the units in another language than the question. named: what the
    question names, with the other names by which a unit may say it. part: the part of the question that they
    are to answer, "": all of it.
    """
    own = [index for index in chosen if index not in abroad]
    if any(
        _says_most(everything[index].text, part or asked, _SURELY)
        and _has_all(_with_title(everything, index), part or asked, named)
        for index in own
    ):
        ids = {word for word in words_of(asked) if word.isascii() and not word.isdigit()}
        chosen = [i for i in chosen if i not in abroad or ids & {*words_of(everything[i].text)}]
    if chosen and chosen[0] in abroad and not sides_of(asked):
        # Nothing in the question's own language came before it: what shares a word there is near by chance.
        return [
            i for i in chosen if i in abroad or _says_most(_with_title(everything, i), part or asked, _SURELY)
        ]
    if not chosen or not _says_most(_with_title(everything, chosen[0]), part or asked):
        return list(chosen)
    words = set(content_words(" ".join([asked, *(other for each in named for other in each.others)])))
    return [
        index
        for place, index in enumerate(chosen)
        if not place
        or index in abroad
        or _in_one_section(everything, chosen[0], index)
        or _is_called(everything, index, asked)
        or words & _said(everything, index)
    ]


def _says_most(text: str, asked: str, least: float = _MOST_CHARACTERS) -> bool:
    """Whether a text in the question's language has most of what tells in it: its words; of a Chinese one its
    characters, since the same is said in other words of them. least: the share of characters."""
    if language(asked) == "zh":
        return characters_held(telling(asked), text) >= least
    words = {*content_words(without_asking(asked))}
    return bool(words) and len(words & {*content_words(text)}) >= _MOST_WORDS * len(words)


def _has_all(text: str, asked: str, named: Sequence[Named]) -> bool:
    """Whether a text has all that the question names, by one of its names: what is said of the office in one
    town does not answer for another."""
    here, question = fold(text), fold(asked)
    return all(
        any(fold(name) in here for name in (thing.name, *thing.others))
        for thing in named
        if not thing.worked_out and fold(thing.name) in question
    )


def _is_called(everything: Sequence[Unit], index: int, asked: str) -> bool:
    """Whether the question has the whole title directly above a unit, be it of one character."""
    above = everything[index - 1] if index else None
    if above is None or above.n != everything[index].n or above.kind != "heading":
        return False
    title = fold(above.text.strip("#* \n"))
    return bool(title) and title in fold(asked)


def _in_one_section(everything: Sequence[Unit], one: int, other: int) -> bool:
    """Whether two units stand in one evidence with no heading between them: one goes on from the other."""
    between = everything[min(one, other) + 1 : max(one, other) + 1]
    return everything[one].n == everything[other].n and all(unit.kind != "heading" for unit in between)


def _with_title(everything: Sequence[Unit], index: int) -> str:
    """A unit with the heading directly above it."""
    above = everything[index - 1] if index else None
    titled = above is not None and above.n == everything[index].n and above.kind in ("heading", "lead")
    unit = everything[index]
    row = unit.row.told() if unit.row is not None else ""
    return f"{above.text} {unit.text}" if above is not None and titled else row or unit.text


def _said(everything: Sequence[Unit], index: int) -> set[str]:
    unit = everything[index]
    texts = [unit.text]
    if unit.row is not None:
        texts += [unit.row.caption, *unit.row.titles]
    if unit.kind == "item":
        above = index - 1
        while above >= 0 and everything[above].n == unit.n and everything[above].kind == "item":
            above -= 1
        if above >= 0 and everything[above].n == unit.n:
            texts.append(everything[above].text)
    return {word for text in texts for word in content_words(text)}
