"""Passages that say the same again: other formats of a document, copies with other white space."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TypeVar

from rag.text.folding import fold

Item = TypeVar("Item")

_NO_WORD = re.compile(r"[\W_]+")


def without_repeats(items: Sequence[Item], texts: Sequence[str]) -> Iterator[Item]:
    """The items in order, without those whose text says nothing that an earlier one's does not.

    That is: its letters and digits, folded, stand within the earlier text. One other word, one other
    number makes another passage: forms and yearly reports differ in nothing else.
    """
    kept: list[str] = []
    for item, text in zip(items, texts, strict=True):
        key = f" {_NO_WORD.sub(' ', fold(text)).strip()} "
        if not any(key in earlier for earlier in kept):
            kept.append(key)
            yield item
