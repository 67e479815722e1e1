"""Quotations of several sentences under one mark: it stands at their end and speaks for each of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rag.citations.markers import MARKER

_BEHIND = re.compile(r"[.,;:!?。，；：！？…]{0,3}\s*(?P<marks>\[\d{1,9}\](?:[\s,，、]*\[\d{1,9}\])*)")
_STRAIGHT = re.compile(r'"([^"\n]+)"|「([^「」]+)」|『([^『』]+)』|«([^«»]+)»')
_BLOCK = re.compile(r"(?m)(?:^[ \t]*>[^\n]*(?:\n|\Z))+")


@dataclass(frozen=True, slots=True)
class Quoted:
    """answer[start:end] are quoted words without their quotation marks. numbers: of the marks behind them.
    exact: they stand between quotation marks, so they claim to be the document's own."""

    start: int
    end: int
    numbers: tuple[int, ...]
    exact: bool = True


def quotations(answer: str) -> list[Quoted]:
    """The quotations of an answer whose markers are clean that have their marks directly behind them.

    >>> [(q.start, q.end, q.numbers) for q in quotations("“A b. C d.” [2] [3] “E f.”")]
    [(1, 10, (2, 3))]
    """
    found = []
    for start, end in [*_curled(answer), *_straight(answer)]:
        behind = _BEHIND.match(answer, end + 1)
        if behind is not None:
            found.append(Quoted(start, end, _numbers(behind["marks"])))
    for block in _BLOCK.finditer(answer):
        marks = re.search(r"(?:\[\d{1,9}\][\s,，、]*)+[.。]?\s*\Z", block.group())
        if marks is not None and not MARKER.search(block.group()[: marks.start()]):
            found.append(Quoted(block.start(), block.start() + marks.start(), _numbers(marks.group()), False))
    return sorted(found, key=lambda each: each.start)


def _numbers(marks: str) -> tuple[int, ...]:
    return tuple(dict.fromkeys(int(n) for n in MARKER.findall(marks)))


def _curled(answer: str) -> Iterator[tuple[int, int]]:
    """Between “ and ”, the outermost where a quotation holds another one."""
    depth, start = 0, 0
    for place, char in enumerate(answer):
        if char == "“":
            start = start if depth else place + 1
            depth += 1
        elif char == "”" and depth:
            depth -= 1
            if not depth:
                yield start, place


def _straight(answer: str) -> Iterator[tuple[int, int]]:
    for match in _STRAIGHT.finditer(answer):
        yield match.start() + 1, match.end() - 1
