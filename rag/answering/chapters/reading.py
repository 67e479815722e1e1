"""What of a chapter is read within a budget of tokens."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from rag.answering.chapters.dividing import Chapter
from rag.answering.every.documents import Paper
from rag.prompting import fenced
from rag.records import Document, Evidence

if TYPE_CHECKING:
    from rag.answering.asked import Asked

_PIECES = 4
"""Of a chapter that is longer than the budget so many places are read: beginning, end, and between."""
_JOINT = re.compile(r"\n|(?<=[。！？!?])|(?<=\.)\s")
_NEAR = 400


def evidence_of(
    asked: Asked, paper: Paper, document: Document, chapter: Chapter, budget_tokens: int
) -> tuple[list[Evidence], bool]:
    """(evidence numbered from 1 in the order of the text, whether it is all of the chapter).

    [] if the chapter has no text, or if the budget does not hold a line of it.
    """
    whole = _evidence(paper, document, chapter, 1, chapter.start, chapter.end)
    if not whole.text:
        return [], True
    cost = _cost(asked, [whole])
    if cost <= budget_tokens:
        return [replace(whole, tokens=cost)], True
    # Every piece has its own frame, and joined texts may have more tokens than their parts: try, then shrink.
    length = len(whole.text) * budget_tokens // cost // _PIECES
    while length > 0:
        pieces = [
            _evidence(paper, document, chapter, n, start, end)
            for n, (start, end) in enumerate(_places(whole.text, whole.start, length), start=1)
        ]
        pieces = [piece for piece in pieces if piece.text]
        if _cost(asked, pieces) <= budget_tokens:
            return [replace(piece, tokens=_cost(asked, [piece])) for piece in pieces], False
        length = length * 4 // 5 - 1
    return [], False


def _places(text: str, at: int, length: int) -> list[tuple[int, int]]:
    """Spans of about `length` characters, evenly from the beginning to the end, at joints of the text."""
    spans: list[tuple[int, int]] = []
    for n in range(_PIECES):
        start = (len(text) - length) * n // (_PIECES - 1)
        end = start + length
        if n:
            start = max(_after_joint(text, start, end), spans[-1][1] - at)
        if n < _PIECES - 1:
            end = _before_joint(text, start, end)
        if start < end:
            spans.append((at + start, at + end))
    return spans


def _after_joint(text: str, start: int, end: int) -> int:
    found = _JOINT.search(text, start, min(end, start + _NEAR))
    return found.end() if found else start


def _before_joint(text: str, start: int, end: int) -> int:
    joints = [match.end() for match in _JOINT.finditer(text, max(start, end - _NEAR), end)]
    return joints[-1] if joints and joints[-1] > start else end


def _evidence(paper: Paper, document: Document, chapter: Chapter, n: int, start: int, end: int) -> Evidence:
    text = document.text[start:end]
    start += len(text) - len(text.lstrip())
    text = text.strip()
    return Evidence(
        n=n,
        document=document.sha256,
        text=text,
        start=start,
        end=start + len(text),
        pages=document.pages_between(start, start + len(text)),
        heading=(chapter.title,),
        score=1.0,
        tokens=0,
        path=paper.path,
        collection=paper.collection,
    )


def _cost(asked: Asked, evidence: Sequence[Evidence]) -> int:
    show = partial(fenced, phrases=asked.phrases)
    return asked.engine.count(["".join(map(show, evidence))])[0]
