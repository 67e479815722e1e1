"""A "go on" after quotations: what the documents say right beside what was quoted.

A model goes on by itself. Quotations do not: the best of the rest is about something else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from rag.answering.asked import Asked
from rag.answering.events import Event, Finished, Retrieved
from rag.answering.extractive.completing import groups
from rag.answering.extractive.orders import marked
from rag.answering.extractive.showing import written
from rag.answering.extractive.units import Unit, units
from rag.answering.leaning import MORE
from rag.answering.offers import offered
from rag.answering.retrieving import Found
from rag.text.language import Language

_BESIDE = {1: 3, -1: 1}
"""So many sentences, items or rows behind (1) and before (-1) what was quoted are more about it."""
_MOST = 12
_TELLING = ("sentence", "item", "row")


def asks_for_more(asked: Asked) -> bool:
    """Whether the question is a bare "go on", and the answer before it offered nothing particular."""
    return bool(asked.history and MORE.fullmatch(asked.question) and not offered(asked.history[-1].answer))


def further(asked: Asked, found: Found) -> Iterator[Event]:
    """Quotations that go on from those of the conversation, or that there is no more."""
    yield Retrieved(found.evidence, found.left_out)
    everything = marked(units(found.evidence, asked.pages.layout_of), asked.search)
    said = asked.earlier.quoted(everything, found.evidence)
    last = replace(asked.earlier, answers=asked.earlier.answers[-1:])
    chosen = beside_quoted(everything, last.quoted(everything, found.evidence), said)
    if not chosen:
        yield asked.show(no_more(asked.language))
        yield Finished(asked.answer(found.evidence, left_out=found.left_out, extractive=True))
        return
    numbered = {item.n: item for item in found.evidence}
    quotations = written(groups(everything, chosen, asked.search), numbered, asked.pages.page_of)
    yield asked.show(quotations.text)
    yield Finished(
        asked.answer(found.evidence, citations=quotations.citations, left_out=found.left_out, extractive=True)
    )


def beside_quoted(everything: Sequence[Unit], quoted: Collection[int], said: Collection[int]) -> list[int]:
    """Indices of what stands beside the quoted units under the same heading and has not been said."""
    found: set[int] = set()
    for index in sorted(quoted):
        if everything[index].kind not in _TELLING:
            continue
        for step, most in _BESIDE.items():
            for place in range(index + step, index + step * (most + 1), step):
                if not 0 <= place < len(everything) or everything[place].n != everything[index].n:
                    break
                if everything[place].kind in ("heading", "head"):
                    break
                if place not in said and everything[place].kind in _TELLING:
                    found.add(place)
    return sorted(found)[:_MOST]


def no_more(of: Language) -> str:
    if of == "zh":
        return "上面引文的前后没有更多相关内容。其他内容请具体提问。"
    return "Beside what is quoted above the documents say no more. Ask for something in particular."
