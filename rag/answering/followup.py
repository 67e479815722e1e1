"""What to search for when a question leans on the conversation before it.

A question that stands on its own is searched for as it is, wherever in a conversation it comes. Only one
that shows that it leans on others ("and in 2022?", "是的", "what about it?") gets their words; so does a
short one of which the documents show it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rag.answering.continuing import Continues
from rag.answering.courtesy import courtesy
from rag.answering.leaning import AGREED, CORRECTS, ORDINAL, is_short, leans, orders
from rag.answering.offers import offered
from rag.citations.markers import MARKER
from rag.citations.wording import content_words
from rag.records import Turn
from rag.text.sentences import sentences

_NTH = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": -1} | {
    char: n for n, char in enumerate("一二三四五六七八九十", start=1)
}
_ITEM = re.compile(r"(?m)^\s*(?:[-*•]|\(?\d{1,2}[.)、]|[（(]\d{1,2}[）)])\s*(?P<text>\S.*)$")
_TITLE = re.compile(r"(?m)^\*\*([^*\n]+)\*\*[ \t]*$")
"""The title of a part of an answer: the part of the question that it answers."""
_PARTICLES = re.compile(r"那么?|呢|吧|一下")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)\s*年?")


def search_questions(question: str, history: Sequence[Turn], continues: Continues | None = None) -> list[str]:
    """The words to search for, and what to try next if nothing is found. history: the oldest turn first.
    continues: asked of a short question that does not show what it leans on; None: it leans on nothing."""
    history = [turn for i, turn in enumerate(history) if not courtesy(turn.question, history[:i], "en")]
    if not history:
        return [question]
    shown = leans(question)
    if not shown and (continues is None or not is_short(question) or courtesy(question, history, "en")):
        return [question]
    before = search_questions(history[-1].question, history[:-1], continues)[0]
    if not shown and continues is not None and (question == before or not continues(question, before)):
        return [question]
    question = CORRECTS.sub("", question, count=1) or question
    if AGREED.fullmatch(question):
        offer = offered(history[-1].answer)
        if not offer:
            return [before]
        return [f"{before} {offer}", offer] if leans(offer) else [offer, f"{before} {offer}"]
    if orders(question):
        return [before]
    part = _nth(question, _TITLE.findall(history[-1].answer))
    if part:
        # A part of an earlier question is a question itself; the other parts would only draw away from it.
        more = content_words(_PARTICLES.sub(" ", ORDINAL.sub(" ", question)))
        return [f"{part} {question}" if more else part, f"{before} {part}"]
    item = _nth_item(question, history[-1].answer)
    if item:
        return [f"{before} {item} {question}", f"{before} {question}"]
    if _YEAR.search(question):
        before = " ".join(_YEAR.sub(" ", before).split())  # "and in 2022?" asks for that year instead
    return [f"{before} {question}", before]


def _nth_item(question: str, answer: str) -> str:
    """The point of an answer that a question names by its number, "" if there is none."""
    answer = MARKER.sub("", answer)
    items = [found["text"] for found in _ITEM.finditer(answer)]
    return _nth(question, items or [answer[start:end] for start, end in sentences(answer)])


def _nth(question: str, items: Sequence[str]) -> str:
    """That of the items which a question names by its number, "" if there is none."""
    match = ORDINAL.search(question)
    if match is None:
        return ""
    named = (match["word"] or match["digit"] or match["han"] or "last").lower()
    number = _NTH.get(named) or (int(named) if named.isdigit() else 0)
    place = number - 1 if number > 0 else len(items) - 1
    return items[place].strip() if 0 <= place < len(items) else ""
