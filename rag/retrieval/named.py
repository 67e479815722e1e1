"""Which documents a question names, and a fair share of the passages for each of them.

Who compares two reports by name needs both. One of them is often nearer to the question throughout, and of
the first eight passages all are its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import PurePosixPath
from typing import TypeVar

from rag.text.asking import ASKING
from rag.text.folding import fold
from rag.text.scripts import UNSPACED, is_unspaced

Item = TypeVar("Item")
Key = TypeVar("Key", bound=Hashable)

_TOKEN = re.compile(rf"[{UNSPACED}]|[^\W_{UNSPACED}]+")
_WORD = 2
"""What a word weighs in a name, a character without spaces being 1."""
_NAME = 4
"""Two words or four characters that follow one another as in the file's name; the name's first word alone
will do."""
_LEAST_LETTERS = 3


def apart(question: str, paths: Mapping[Key, str]) -> list[set[Key]]:
    """The documents that the question names, one set for each place where it names any; [] for fewer than
    two places. Of several names that begin at one place the longest counts.

    >>> apart("Compare Acme Pumps with Norfolk.", {1: "a/acme_pumps_2021.pdf", 2: "norfolk.md", 3: "acme.md"})
    [{1}, {2}]
    """
    asked = _tokens(question)
    said = frozenset(asked)
    found: list[tuple[int, int, int, Key]] = []
    for key, path in paths.items():
        name = _name(path)
        if not said.isdisjoint(name):
            found += [(-(last - first), first, last, key) for first, last in _runs(asked, name)]
    places: dict[tuple[int, int], set[Key]] = {}
    for _, first, last, key in sorted(found, key=lambda run: run[:3]):
        overlapped = any(
            first < end and begin < last for begin, end in places if (begin, end) != (first, last)
        )
        if not overlapped:
            places.setdefault((first, last), set()).add(key)
    named: list[set[Key]] = []
    for _, keys in sorted(places.items()):
        fresh = keys.difference(*named)
        if fresh:
            named.append(fresh)
    return named if len(named) > 1 else []


def fairly(
    ranked: Sequence[Item], document: Callable[[Item], Key], named: Sequence[set[Key]], most: int
) -> list[Item]:
    """The first `most` of `ranked`, in order; but half of the places belong to the documents that are named,
    in equal shares, as far as `ranked` has any of theirs."""
    share = max(1, most // (2 * len(named))) if named else 0
    kept: set[int] = set()
    for keys in named:
        own = [place for place, item in enumerate(ranked) if document(item) in keys]
        kept.update(own[:share])
    others = (place for place in range(len(ranked)) if place not in kept)
    kept.update(place for place, _ in zip(others, range(max(0, most - len(kept))), strict=False))
    return [ranked[place] for place in sorted(kept)][:most]


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(fold(text))


@lru_cache(maxsize=16_384)
def _name(path: str) -> tuple[str, ...]:
    return tuple(_tokens(PurePosixPath(path).stem))


def _runs(asked: Sequence[str], name: Sequence[str]) -> Iterable[tuple[int, int]]:
    """Where the question says a part of the name: (first, last + 1) of its tokens, the longest runs only."""
    beginning = next((token for token in name if not token.isdecimal()), "")
    for first in range(len(asked)):
        best = 0
        for start in range(len(name)):
            if first and start and asked[first - 1] == name[start - 1]:
                continue  # a longer run began before
            length = 0
            while (
                first + length < len(asked)
                and start + length < len(name)
                and asked[first + length] == name[start + length]
            ):
                length += 1
            best = max(best, length)
        run = asked[first : first + best]
        weight = sum(0 if token.isdecimal() else 1 if is_unspaced(token[0]) else _WORD for token in run)
        alone = (
            len(run) == 1
            and run[0] == beginning
            and len(beginning) >= _LEAST_LETTERS
            and beginning not in ASKING
        )
        if weight >= _NAME or alone:
            yield first, first + best
