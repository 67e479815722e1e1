"""A chosen unit with what it needs to be understood: its antecedent, the steps it announces, its columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rag.answering.days import days_in
from rag.answering.extractive.around import MOST_ANNOUNCED, beside, far, to_the_end
from rag.answering.extractive.steps import MOST_STEPS, steps_around, told_in_order
from rag.answering.extractive.units import Unit, about_tokens, asks
from rag.citations.wording import content_words

_MOST_REPLIED = 120
"""Length in tokens, about, of what stands under a title that asks."""
_MOST_FOLLOWING = 2
_FOLLOWING_TOKENS = 90
"""How many sentences that lean on a quoted one ("It …", 其 …) come with it, and how long both may be."""
_SAME_WORDS = 2
_TITLE = 40
"""Characters of a heading that is quoted with the sentence under it."""
_LEANS_BACK = re.compile(
    r"(?:it|they|this|these|that|those|he|she|such|otherwise|however|in that case|then)\b"
    r"|[其该此它他她这那]|否则|但是?|因此|同时",
    re.IGNORECASE,
)

_CLAUSE = re.compile(
    r"(?:[（(]?[一二三四五六七八九十\d]{1,3}[）)]?[、.．)]|[①-⑳])\s*"
    r"(?:[一-鿿]{2,8}[：:]|[A-Z][\w’' -]{2,40}:\s)\S"
)
_ASKS_SEVERAL = re.compile(
    r"\b(?:all|every|list|which|what are"
    r"|what (?:\w+ )?\w{3,}s (?:are|must|do|does|have|has|can|should|were))\b"
    r"|哪些|哪几|有什么|什么(?:行为|条件|材料|内容|情况|要求|要素)"
)


@dataclass(frozen=True, slots=True)
class Group:
    """Consecutive units of one evidence. header: where the titles of the table's columns stand in it, if they
    are rows of one and it has them. units: all of them, from first to last. title: the heading above them in
    their evidence, None if it is one of them or if there is none."""

    first: Unit
    last: Unit
    header: tuple[int, int] | None = None
    units: tuple[Unit, ...] = ()
    title: Unit | None = None


def groups(
    everything: Sequence[Unit], chosen: Sequence[int], asked: str, *, about: frozenset[str] | None = None
) -> list[Group]:
    """The chosen units with what they need to be understood, neighbours joined, in the order of choice.

    asked: the question; a row that nothing in it singles out comes with its whole table.
    about: the words of a question that asks what is to be done, None if it does not: then all steps of a
    list belong to its answer, and the sentences behind one that go on about the same.
    """
    runs: list[tuple[int, int]] = []
    words = asked_words(asked)
    for index in chosen:
        first, last = _completed(everything, index, about, words, asked)
        if first == last and everything[index].kind == "heading":
            continue  # a title with nothing under it answers nothing
        for place, (a, b) in enumerate(runs):
            behind = everything[max(a, first)].kind
            apart = 0 if behind == "heading" or "row" in (everything[a].kind, everything[first].kind) else 1
            if everything[a].n == everything[first].n and first <= b + apart and a <= last + apart:
                runs[place] = (min(a, first), max(b, last))
                break
        else:
            runs.append((first, last))
    runs = runs or [(index, index) for index in chosen[:1]]
    return [
        Group(
            everything[a],
            everything[b],
            _header(everything, a),
            tuple(everything[a : b + 1]),
            _heading_above(everything, a),
        )
        for a, b in runs
    ]


def _heading_above(everything: Sequence[Unit], index: int) -> Unit | None:
    if everything[index].kind == "heading":
        return None
    while index > 0 and everything[index - 1].n == everything[index].n:
        index -= 1
        if everything[index].kind == "heading":
            return everything[index]
    return None


def _completed(
    everything: Sequence[Unit],
    index: int,
    about: frozenset[str] | None,
    asked: frozenset[str],
    asked_text: str,
) -> tuple[int, int]:
    """First and last of a unit with its antecedent, its title, its table, or what it announces."""
    unit = everything[index]
    after = beside(everything, index, 1)
    if unit.row is not None:
        first, last = table_of(everything, index)
        whole = singled_out(everything, index, asked) is None and not far(everything, first, last)
        return (first, last) if whole else (index, index)
    if asks(unit):
        titled = unit.kind == "heading"
        return index, to_the_end(everything, index, _MOST_REPLIED) if titled else index + (after is not None)
    if unit.kind == "sentence":
        first = _first_needed(everything, index)
        if about and everything[first].kind == "heading" and about & {*content_words(everything[first].text)}:
            return first, to_the_end(everything, first)
        in_order = told_in_order(everything, index) if about is not None else None
        return in_order or (first, _last_leaning(everything, index, about))
    if unit.kind in ("heading", "lead") and _above_clauses(everything, index):
        return index, index
    if unit.kind in ("heading", "lead"):
        return index, to_the_end(everything, index, MOST_ANNOUNCED if about is None else MOST_STEPS)
    if unit.kind == "item" and (_is_clause(unit) and about is not None):
        return index, index
    if unit.kind == "item" and about is not None:
        return steps_around(everything, index)
    if unit.kind == "item" and _ASKS_SEVERAL.search(" ".join(asked_text.lower().split())):
        return _list_of(everything, index, asked)
    if unit.kind == "row" and " | " not in unit.text and after and after.kind == "row":
        # A row of a table whose columns the reader of the file did not see may go on in the next line.
        return index, index + (after.text[:1].isdigit() or after.text[:1].islower())
    return index, index


def _is_clause(unit: Unit) -> bool:
    """Whether an item of a list begins with a title of its own ("五、处罚：…"): then the others speak of
    something else and are no steps behind it."""
    return _CLAUSE.match(unit.text) is not None


def _above_clauses(everything: Sequence[Unit], index: int) -> bool:
    """Whether what stands under a heading has titles of its own."""
    first, second = beside(everything, index, 1), beside(everything, index + 1, 1)
    return bool(first and second) and all(map(_is_clause, everything[index + 1 : index + 3]))


def _list_of(everything: Sequence[Unit], index: int, asked: frozenset[str]) -> tuple[int, int]:
    """First and last of the list that an item is part of, with its heading or what announces it, if that has
    a word of the question and the list is not too long; else the item alone."""
    first = last = index
    while (before := beside(everything, first, -1)) and before.kind == "item":
        first -= 1
    while (after := beside(everything, last, 1)) and after.kind == "item":
        last += 1
    above = beside(everything, first, -1)
    if above is None or not asked & {*content_words(above.text)} or far(everything, first, last):
        return index, index
    return first - (above.kind in ("heading", "lead")), last


def _first_needed(everything: Sequence[Unit], index: int) -> int:
    """The sentence before, if this one refers to it; the short title directly above ("Jane Doe")."""
    before = beside(everything, index, -1)
    if before is None:
        return index
    if before.kind == "sentence":
        return index - 1 if _LEANS_BACK.match(everything[index].text) else index
    return index - 1 if before.kind == "heading" and len(before.text) <= _TITLE else index


def _last_leaning(everything: Sequence[Unit], index: int, about: frozenset[str] | None) -> int:
    """The last of the sentences behind that refer to this one or go on about the same, if they are short."""
    last = index
    while (after := beside(everything, last, 1)) and after.kind == "sentence":
        length = about_tokens(everything[index].text) + about_tokens(after.text)
        goes_on = about is not None and len(about & set(content_words(after.text))) >= _SAME_WORDS
        if (
            not (_LEANS_BACK.match(after.text) or goes_on)
            or last - index == _MOST_FOLLOWING
            or length > _FOLLOWING_TOKENS
        ):
            break
        last += 1
    return last


def table_of(everything: Sequence[Unit], index: int) -> tuple[int, int]:
    """First and last of the rows of its table that stand around a row."""

    def same(other: Unit | None) -> bool:
        row = everything[index].row
        return (
            other is not None and row is not None and other.row is not None and other.row.table == row.table
        )

    first = last = index
    while same(beside(everything, first, -1)):
        first -= 1
    while same(beside(everything, last, 1)):
        last += 1
    return first, last


def asked_words(asked: str) -> frozenset[str]:
    """The content words of a question, and its days in one way of writing."""
    return frozenset([*content_words(asked), *map(str, days_in(asked))])


def singled_out(everything: Sequence[Unit], index: int, asked: frozenset[str]) -> bool | None:
    """Whether a row has most of the question's words among those of its table; None if all have as many.

    What a row is called by, its first cell, tells before the rest of it does, and a day before other words.
    """
    first, last = table_of(everything, index)
    rows = everything[first : last + 1]
    names = [unit.row.cells[0] if unit.row and len(unit.row.cells) > 1 else "" for unit in rows]
    dates = [" ; ".join(map(_date, unit.row.cells)) if unit.row else "" for unit in rows]
    for texts in (names, dates, [unit.text for unit in rows]):
        shared = [len(asked & asked_words(text)) for text in texts]
        if max(shared) > min(shared):
            return shared[index - first] == max(shared)
    return True if first == last else None


def _date(cell: str) -> str:
    return cell if days_in(cell) else ""


def _header(everything: Sequence[Unit], index: int) -> tuple[int, int] | None:
    """Where the titles of its columns stand in the evidence of a row, if they do.

    Where a document does not tell: the first row of the run, if that is another one without digits.
    """
    unit = everything[index]
    if unit.row is not None:
        before = unit.row.start - unit.start  # where the evidence begins
        start, end = unit.row.header
        inside = any(other.n == unit.n and other.start == start - before for other in everything)
        return (start - before, end - before) if inside else None
    if unit.kind != "row" or " | " not in unit.text:
        return None
    top = index
    while (
        top > 0
        and everything[top - 1].n == unit.n
        and everything[top - 1].kind in ("row", "header")
        and " | " in everything[top - 1].text
    ):
        top -= 1
    header = everything[top]
    # Without its beginning, a table that goes on from the chunk before shows no titles.
    known = top != index and not any(map(str.isdigit, header.text))
    return (header.start, header.end) if known else None
