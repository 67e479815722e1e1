"""What a question excludes: "not approved", 没有完成. A table is asked for the other rows, or not at all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rag.answering.tables.cells import is_empty
from rag.answering.tables.questioned import is_bare
from rag.answering.tables.thresholds import without_threshold
from rag.answering.tables.whole import Whole
from rag.citations.wording import content_words, root
from rag.text.folding import fold

_EN = re.compile(
    r"(?:\b(?:not|never)|n['’]t)\s+(?:(?:been|yet|be|being|fully|still|already)\s+)*(?P<said>[a-z]{3,})"
    r"|\bun(?P<un>[a-z]{4,})"
)
_ZH = re.compile(r"(?<!有)(?:尚未|还?没有?|未|(?P<weak>不))(?:被|经|曾|能|予)?(?P<said>[一-鿿]{2})")
_NO_NEGATION = re.compile(r"\bnot (?:only|more|less|including|counting)\b|没有多少|未来|不[同管仅含论但过]")
_YES = frozenset(["yes", "y", "true", "✓", "√", "x", "是", "有", "已", "对"])
_NO = frozenset(["no", "n", "false", "✗", "×", "否", "无", "未", "没有", "-", "–"])
_MOST_VALUES = 12


def excluded(
    asked: str, table: Whole, numeric: Sequence[int]
) -> tuple[list[tuple[int, tuple[str, ...]]], bool]:
    """(column, the cells that are meant, folded) for what a folded question excludes, and for columns of yes
    and no that it names; and whether all that it excludes is understood.

    numeric: the columns of numbers.
    """
    found: list[tuple[int, tuple[str, ...]]] = []
    understood = True
    text = _NO_NEGATION.sub(" ", without_threshold(asked))
    negated: set[str] = set()
    for word, weak in _negated(text):
        negated.add(word)
        meant = _others(word, table, numeric)
        if meant is not None:
            found.append(meant)
        else:
            understood = understood and weak
    taken = {column for column, _ in found}
    said = {*content_words(text)} - negated
    found += [each for each in _affirmed(said, table) if each[0] not in taken]
    return found, understood


def _negated(text: str) -> Iterator[tuple[str, bool]]:
    """Each word that is negated, and whether it may be part of another word as well (不)."""
    for match in _EN.finditer(text):
        yield root(match["said"] or match["un"]), match["un"] is not None
    for match in _ZH.finditer(text):
        yield match["said"], match["weak"] is not None


def _others(word: str, table: Whole, numeric: Sequence[int]) -> tuple[int, tuple[str, ...]] | None:
    """The one column that knows a word, and its cells that say otherwise."""
    for index in range(table.width):
        cells = _values(table, index)
        title = table.header[index] if index < len(table.header) else ""
        if _is_yes_or_no(cells) and _holds(title, word):
            return index, tuple(cell for cell in cells if cell in _NO)
        if index in numeric or not 1 < len(cells) <= _MOST_VALUES:
            continue
        holding = [cell for cell in cells if _holds(cell, word)]
        if holding and len(holding) < len(cells):
            denied = [cell for cell in holding if _denies(cell, word)]
            # 处理中 is not 已处理 either.
            done = [cell for cell in holding if cell == f"已{word}" or content_words(cell) == [word]]
            return index, tuple(denied or [cell for cell in cells if cell not in (done or holding)])
    return None


def _affirmed(said: set[str], table: Whole) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The columns of yes and no that a question names: those that say yes are meant."""
    for index, title in enumerate(table.header):
        cells = _values(table, index)
        if _is_yes_or_no(cells) and said & {*content_words(title)}:
            yield index, tuple(cell for cell in cells if cell in _YES)


def _values(table: Whole, index: int) -> list[str]:
    return list(dict.fromkeys(fold(cell).strip() for cell in table.column(index) if not is_empty(cell)))


def _is_yes_or_no(cells: Sequence[str]) -> bool:
    return len(cells) == 2 and bool({*cells} & _YES) and bool({*cells} & _NO) and {*cells} <= _YES | _NO


def _holds(text: str, word: str) -> bool:
    if is_bare(text):
        return False
    return word in content_words(fold(text)) if word.isascii() else word in text


def _denies(cell: str, word: str) -> bool:
    """Whether a cell itself says that it is not so (未完成)."""
    return any(said == word for said, _ in _negated(cell))
