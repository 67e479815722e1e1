"""Where a question asks for a row that a table does not have, its neighbours are no answer.

"MRI scan of the head" beside "MRI scan of the knee" and "CT scan of the head": each word of it stands in some
row, or all but one, and no row is the one that is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rag.answering.comparing import sides_of
from rag.answering.extractive.layout import LayoutOf, Row
from rag.answering.extractive.own_language import telling
from rag.answering.extractive.units import Unit
from rag.citations.wording import content_words
from rag.records import Evidence
from rag.text.folding import fold
from rag.text.language import Language, language
from rag.text.scripts import is_han

if TYPE_CHECKING:
    from rag.glossary import Named

_TOKEN = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_LINKS = frozenset(["of", "the", "a", "an", "for", "in", "with", "to", "on", "by", "at", "from", "s"])
_PLACED = frozenset(["of", "for", "in", "with", "to", "on", "at", "from"])
_BEFORE = frozenset(["of", "the", "a", "an", "for", "in", "with", "to", "per"])
"""Words inside a name of several words; those that go before its last part; those that stand before it."""
_FEWEST_ROWS = 2
_FRONT = re.compile(r"^(?:[我你您他她请问想要做去买在用一二两三四五六七八九十\d]|[次个份台件条])+|[的之]$")
"""What may stand before the name of a thing in a Chinese question, and is none of it."""
_SEVERAL = re.compile(
    r"(?i)\b(?:all|every|each|which|list|and|or|any|other|both)\b|[和与及或、]|哪|所有|每|全部|各"
)


def asked_row(
    question: str,
    chosen: Sequence[int],
    everything: Sequence[Unit],
    evidence: Sequence[Evidence],
    layout_of: LayoutOf | None,
    named: Sequence[Named] = (),
) -> str:
    """What the question asks about, in its own words, if the best of what is quoted is a row of a table and
    no row, and nothing else that was read, speaks of that; "" in every other case."""
    best = everything[chosen[0]] if chosen else None
    if best is None or best.row is None or len(best.row.cells) < 2 or layout_of is None:
        return ""
    asked_in = language(question)
    if language(best.text) != asked_in and any(map(is_han, best.text + question)):
        return ""  # the same may be said in the other language
    if _SEVERAL.search(question) or sides_of(question):
        return ""
    own = next(item for item in evidence if item.n == best.n)
    rows = [row for row in layout_of(own).rows if row.table == best.row.table]
    if len(rows) < _FEWEST_ROWS or not all(row.cells[0] for row in rows):
        return ""  # a row without a name goes on from the one above
    read = [f"{unit.text}" for unit in everything if unit.row is None]
    about = " ".join([best.row.caption, *best.row.titles, own.path, *own.heading])
    other_names = {word for each in named for word in content_words(" ".join([each.name, *each.others]))}
    if asked_in == "zh":
        return _in_chinese(question, best.row, rows, read, about, other_names)
    return _in_words(question, best.row, rows, read, about, other_names)


def no_such_row_text(asked: str, of: Language) -> str:
    """A sentence that says so and announces what comes nearest."""
    if of == "zh":
        return f"文档没有说明：表中没有“{asked}”这一行。最接近的内容："
    return f"Not stated: the table has no row for “{asked}”. What comes nearest:"


def _in_words(
    question: str, best: Row, rows: Sequence[Row], read: Sequence[str], about: str, other: set[str]
) -> str:
    general = {*content_words(about)} | other
    keys = {word for row in rows for word in _words(row)} - general
    keys |= {word for row in rows for word in content_words(row.cells[0])}
    known = keys | general | {word for text in read for word in content_words(text)}
    for row in rows:
        known |= _words(row)
    tokens = [_Token(found) for found in _TOKEN.finditer(question)]
    phrases: list[list[int]] = [[]]
    strange: set[str] = set()
    for place, token in enumerate(tokens):
        inside = bool(phrases[-1])
        if (token.words and token.words <= keys) or (inside and token.said in _LINKS):
            phrases[-1].append(place)
        elif token.words and not token.words & known and _in_place(tokens, place, keys, inside):
            strange |= token.words
            phrases[-1].append(place)
        else:
            phrases.append([])
    phrase = max(phrases, key=lambda each: sum(len(tokens[place].words) for place in each))
    while phrase and not tokens[phrase[-1]].words:
        phrase.pop()
    asked = set().union(*(tokens[place].words for place in phrase))
    if not asked & keys or len(asked) < 2:
        return ""
    texts = [*map(_words, rows), *({*content_words(text)} for text in read)]
    if any(asked <= text for text in texts):
        return ""
    first = {*content_words(best.cells[0])}
    if strange & asked and not (first & asked and first - {*content_words(question)}):
        return ""  # the row's name is wider, and may hold what is asked for
    return question[tokens[phrase[0]].start : tokens[phrase[-1]].end]


class _Token:
    """A word as the question writes it, with the words that it tells."""

    def __init__(self, found: re.Match[str]) -> None:
        self.said = found.group().lower()
        self.called = any(map(str.isupper, found.group())) or any(map(str.isdigit, found.group()))
        self.start, self.end = found.span()
        self.words = frozenset(content_words(found.group()))


def _in_place(tokens: Sequence[_Token], place: int, keys: set[str], inside: bool) -> bool:
    """Whether a word that nothing else has can be part of a name: "of the foot", "the platinum plan",
    "Carton XL"."""
    if inside and tokens[place].called and tokens[place - 1].words:
        return True
    before = [token.said for token in tokens[max(0, place - 2) : place]]
    placed = bool(before) and (before[-1] in _PLACED or (before[-1] in _LINKS and before[0] in _PLACED))
    after = tokens[place + 1].words if place + 1 < len(tokens) else frozenset[str]()
    return (inside and placed) or (bool(after & keys) and bool(before) and before[-1] in _BEFORE)


def _words(row: Row) -> set[str]:
    return {*content_words(" ; ".join(row.cells))}


def _in_chinese(
    question: str, best: Row, rows: Sequence[Row], read: Sequence[str], about: str, other: set[str]
) -> str:
    everything = fold(" ".join([about, *read, *(cell for row in rows for cell in row.cells), *other]))
    for run in re.findall(r"[\w一-鿿]+", telling(question)):
        name, shared = _FRONT.sub("", run), ""
        for row in rows:
            found = _longest(fold(name), fold(row.cells[0]))
            shared = max(shared, found, key=len)
        if len(shared) < 2 or fold(name) in everything:
            continue
        at = fold(name).find(shared)
        front = _FRONT.sub("", name[:at])
        rest = fold(best.cells[0]).replace(shared, "")
        if len(front) < 2 or shared not in fold(best.cells[0]) or not rest:
            continue
        pairs = [fold(front[place : place + 2]) for place in range(len(front) - 1)]
        together = [text for text in [*(" ".join(row.cells) for row in rows), *read] if shared in fold(text)]
        if not any(pair in fold(text) for pair in pairs for text in together) and not any(
            pair in fold(about) for pair in pairs
        ):
            return f"{front}{name[at : at + len(shared)]}"
    return ""


def _longest(one: str, other: str) -> str:
    """The longest piece that two texts have in common."""
    best = ""
    for start in range(len(one)):
        for end in range(start + len(best) + 1, len(one) + 1):
            if one[start:end] not in other:
                break
            best = one[start:end]
    return best


def rows_only(chosen: Sequence[int], everything: Sequence[Unit]) -> list[int]:
    """The rows of the first one's table among the chosen units: what comes nearest to one that is missing."""
    first = everything[chosen[0]].row
    return [
        index
        for index in chosen
        if first is not None and (row := everything[index].row) is not None and row.table == first.table
        if everything[index].n == everything[chosen[0]].n
    ]
