"""What units say by another name than the question's (`rag.glossary`): "trial period" says 试用期."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from rag.citations.wording import content_words

if TYPE_CHECKING:
    from rag.glossary import Named


class OtherNames:
    """named: what the question names, with its other names."""

    def __init__(self, named: Sequence[Named] = ()) -> None:
        self._named = [
            (
                frozenset(content_words(thing.name)),
                [frozenset(content_words(other)) for other in thing.others],
            )
            for thing in named
        ]

    def with_lent(self, said: Collection[str]) -> frozenset[str]:
        """Content words of a text, and those of the question's names for what it calls otherwise."""
        found = frozenset(said)
        for name, others in self._named:
            if any(other and other <= found for other in others):
                found |= name
        return found
