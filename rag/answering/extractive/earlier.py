"""What earlier answers of a conversation have quoted: a question that goes on from them asks for more."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rag.answering.extractive.units import Unit
from rag.citations.markers import MARKER
from rag.citations.wording import content_words
from rag.records import Evidence
from rag.text.folding import fold

_NAME = re.compile(r"(?<=[\w,;’'] )[A-Z][\w&'’.-]*|\d+")
_STEM = 3
"""Letters that two words of one stem share at least, and that one has more than the other at most."""
_SHORTEST = 12
"""Characters from which on a text that stands in an earlier answer was quoted there."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """answers: the texts of the conversation so far. own: what the new question says itself, without the
    words of the conversation that it leans on."""

    answers: tuple[str, ...] = ()
    own: str = ""

    @property
    def asks(self) -> str:
        """The new question, if it says what is asked and not only of what ("And in Lisbon?"); else ""."""
        telling = set(content_words(self.own)) - set(content_words(" ".join(_NAME.findall(self.own))))
        return self.own if self.answers and telling else ""

    def quoted(self, everything: Sequence[Unit], evidence: Sequence[Evidence]) -> frozenset[int]:
        """Indices of the units that an earlier answer quotes and that have no word of the new question.

        evidence: a unit of a document that is called by a name of the question is not among them.
        """
        if not self.answers:
            return frozenset()
        said = _plain(" ".join(MARKER.sub("", answer) for answer in self.answers))
        asked = set(content_words(self.own))
        names = set(content_words(" ".join(_NAME.findall(self.own))))
        called = {
            item.n for item in evidence if names & set(content_words(" ".join([*item.heading, item.path])))
        }
        found = {
            index
            for index, unit in enumerate(everything)
            if unit.n not in called and _is_in(unit, said) and not _speaks_of(asked, unit)
        }
        titles = {
            index
            for index, unit in enumerate(everything)
            if unit.kind == "heading" and index + 1 in found and everything[index + 1].n == unit.n
        }
        return frozenset(found | titles)


def _speaks_of(asked: set[str], unit: Unit) -> bool:
    """Whether a unit has a word of the question, or one of the same stem ("owns", "owner")."""
    said = content_words(unit.text)
    return any(word == other or _same_stem(word, other) for word in asked for other in said)


def _same_stem(word: str, other: str) -> bool:
    short, long = sorted((word, other), key=len)
    return (
        short.isascii() and len(short) >= _STEM and long.startswith(short) and len(long) - len(short) <= _STEM
    )


def _is_in(unit: Unit, said: str) -> bool:
    told = _plain((unit.row.told() if unit.row is not None else "") or unit.text)
    return len(told) >= _SHORTEST and told in said


def _plain(text: str) -> str:
    """Letters and digits alone: marks of lists, bold type and quotation differ."""
    return "".join(char for char in fold(text) if char.isalnum())
