"""Names in an English question: what is written with a capital inside a sentence."""

from __future__ import annotations

import re
from typing import NamedTuple

from rag.text.asking import ASKING
from rag.text.words import words

_NAME = re.compile(r"(?<=[\w,;'’\"“(] )(?:[A-Z][\w'’&.-]*\s?)+")
_ASKS_FIRST = re.compile(
    r"^(?:(?:How|What|When|Where|Which|Who|Whom|Whose|Why|Is|Are|Was|Were|Do|Does|Did|Can|Could|Should|Must|Has|Have"
    r"|Please|Tell|List|Give|Name|Explain|Describe|And|Or|But|Also|If|In|On|At|For|The|A|An|I|We|It|This|That)\b"
    r"(?!['’.-])\s*)+"
)
"""What begins a question, in the middle of a line too, and is no name."""
_POSSESSIVE = re.compile(r"['’]s$")
_NOT_NAMES = frozenset(["i", "ceo", "cfo", "pdf", "ok", "hr", "it"])

_SMALL = frozenset(["a", "an", "and", "at", "by", "for", "in", "of", "on", "or", "the", "to", "vs", "with"])
"""What a title, too, writes without a capital."""
_LOWER = re.compile(r"\b[a-z]+\b")
_LEAST_ASKING = 2


class Name(NamedTuple):
    """words: of two letters and more, as `rag.text.words.words` yields them; never none."""

    text: str
    words: tuple[str, ...]


def names(question: str) -> list[Name]:
    """In their order; none of a question in capitals throughout: there no name stands out.

    >>> [name.text for name in names("Does Acme Pumps, of Leeds, deliver to Norway?")]
    ['Acme Pumps', 'Leeds', 'Norway']
    """
    if question.isupper():
        return []
    found = []
    for match in _NAME.finditer(question):
        text = _POSSESSIVE.sub("", _ASKS_FIRST.sub("", match.group()).strip(" .,'’"))
        # "C. difficile" is named by its other word.
        parts = tuple(word for word in words(text) if word not in _NOT_NAMES and len(word) > 1)
        if parts:
            found.append(Name(text, parts))
    return found


def stand_out(question: str) -> bool:
    """Whether its capitals tell names: not in a title, where every word has one, nor in another language
    than English, whose nouns may have one.

    >>> stand_out("What Is the Refund Policy"), stand_out("Wie hoch ist die Miete in Bonn?")
    (False, False)
    """
    asking = sum(word in ASKING for word in words(question))
    return asking >= _LEAST_ASKING and not _SMALL.issuperset(_LOWER.findall(question))
