"""When a gold quote counts as found."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from eval.datasets import Gold

LENGTH = 60
"""Characters of a quote that must stand in a passage, white space not counted."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A text that retrieval gave: the paths under which its document was ingested, pages, and words.

    copies: where retrieval says that the same stands, too, each with its own words.
    """

    paths: frozenset[str]
    pages: tuple[int, ...]
    text: str
    copies: tuple[Shown, ...] = ()


@lru_cache(maxsize=20_000)
def squeezed(text: str) -> str:
    """NFKC without any white space."""
    return "".join(unicodedata.normalize("NFKC", text).split())


def found(golds: Sequence[Gold], shown: Iterable[Shown]) -> list[bool]:
    """For each gold quote, whether its beginning stands in one of `shown` of the right document and page.

    A reader who is told of a copy can open it, so a copy counts as its passage does. A page counts where the
    gold names one and the passage has pages. Golds without a quote are False.
    """
    texts = [(one, squeezed(one.text)) for passage in shown for one in (passage, *passage.copies)]
    result = []
    for gold in golds:
        beginning = squeezed(gold.quote or "")[:LENGTH]
        result.append(
            bool(beginning)
            and any(
                gold.doc in one.paths
                and (gold.page is None or not one.pages or gold.page in one.pages)
                and beginning in text
                for one, text in texts
            )
        )
    return result


def first_ranks(golds: Sequence[Gold], ranked: Sequence[Shown]) -> list[int | None]:
    """For each gold quote, the rank (from 1) of the first passage that holds it, None if none does."""
    ranks: list[int | None] = [None] * len(golds)
    for rank, one in enumerate(ranked, start=1):
        for index, hit in enumerate(found(golds, [one])):
            if hit and ranks[index] is None:
                ranks[index] = rank
    return ranks
