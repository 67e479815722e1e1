"""Names and numbers of a question that none of the evidence mentions: a reader must be told."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from rag.answering.periods import covered, periods, years
from rag.citations import numbers
from rag.records import Evidence
from rag.text.folding import fold
from rag.text.language import Language, language
from rag.text.names import names
from rag.text.words import words

if TYPE_CHECKING:
    from rag.glossary import Named

_CODE = re.compile(
    r"(?<![\w-])(?=[A-Za-z0-9-]*\d)(?=[A-Za-z0-9-]*[A-Za-z-])[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*(?![\w-])"
)
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th|s)", re.IGNORECASE)
"""A number like others, which another language writes otherwise."""
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def unmentioned(question: str, evidence: Sequence[Evidence], named: Sequence[Named] = ()) -> list[str]:
    """Names (if most evidence is in the question's language), codes and years that no evidence mentions.
    named: what the question names, with its other names: one of those is a mention, too."""
    texts = [" ".join([item.text, *item.heading, item.path]) for item in evidence]
    there = {word for text in texts for word in words(text)}
    every = fold(" ".join(texts))
    there |= {
        word
        for thing in named
        for word in words(thing.name)
        if any(fold(other) in every for other in thing.others)
    }
    known = {value for text in texts for value in numbers.values(text)}
    found = _periods(question, texts, known)
    # Periods have been told; what stands in their place is no name and no code.
    for period in periods(question):
        question = question[: period.start] + "x" * (period.end - period.start) + question[period.end :]
    own = [language(item.text) == language(question) for item in evidence]
    # In another language a name may be written otherwise.
    if 2 * sum(own) > len(own):
        # The longest part tells most: "Ms. Dillon" mentions Mary Dillon, "new" does not mention New York.
        found += [name.text for name in names(question) if max(reversed(name.words), key=len) not in there]
    for match in _CODE.finditer(question):
        if _ORDINAL.fullmatch(match.group()):
            if numbers.missing(match.group(), known):
                found.append(match.group())
            continue
        if fold(match.group()) in every:
            continue
        if not all(word in there for word in words(match.group())[-1:]) and match.group() not in found:
            found.append(match.group())
    for match in _YEAR.finditer(question):
        said = not numbers.missing(match.group(), known) or int(match.group()) in years(texts)
        if not said and match.group() not in found:
            found.append(match.group())
    return found


def _periods(question: str, texts: list[str], known: set[Decimal]) -> list[str]:
    """Quarters, halves, months and fiscal years of the question that no text names in any way of writing."""
    named = covered(texts)
    found = []
    for period in periods(question):
        of_year = period.year is None or not numbers.missing(str(period.year), known)
        of_year = of_year or period.year in years(texts)
        if not of_year or (period.kind != "year" and (period.kind, period.number) not in named):
            found.append(question[period.start : period.end].strip(" ."))
    return found


def unmentioned_text(
    question: str, evidence: Sequence[Evidence], of: Language, named: Sequence[Named] = ()
) -> str:
    """A sentence that says so, "" if there is nothing to say."""
    missing = unmentioned(question, evidence, named)
    if not missing:
        return ""
    if of == "zh":
        return f"这些段落没有提到：{'、'.join(missing)}。"
    return f"These passages do not mention: {', '.join(missing)}."
