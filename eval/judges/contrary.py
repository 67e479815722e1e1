"""Whether a text says the opposite of a statement: negation on one side only, or an opposite word."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files

from rag.citations.wording import contradicts
from rag.text.folding import fold


def contrary(statement: str, text: str) -> bool:
    return contradicts(statement, text) or opposed(statement, text)


def opposed(statement: str, text: str) -> bool:
    """Whether `text` has only the one and `statement` only the other word of a pair of opposites."""
    statement, text = fold(statement), fold(text)
    for left, right in _pairs():
        for one, other in ((left, right), (right, left)):
            if (
                one.search(statement)
                and not other.search(statement)
                and other.search(text)
                and not one.search(text)
            ):
                return True
    return False


@cache
def _pairs() -> list[tuple[re.Pattern[str], re.Pattern[str]]]:
    table = tomllib.loads((files("eval.judges") / "opposites.toml").read_text(encoding="utf-8"))
    return [(_any_of(left), _any_of(right)) for left, right in table["pairs"]]


def _any_of(words: list[str]) -> re.Pattern[str]:
    # "不包括" holds "包括": the longer word of the pair must not count as the shorter one.
    return re.compile(
        "|".join(rf"\b{word}\b" if word.isascii() else rf"(?<![不未非]){word}" for word in words)
    )
