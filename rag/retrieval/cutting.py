"""A passage cut down to its sentences around the match, for room that does not hold it whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Literal

from rag.records import Document, Passage
from rag.text.holding import held

Span = tuple[int, int]
End = Literal["start", "end"]


def part_of(
    passage: Passage,
    spans: Sequence[Span],
    costs: Sequence[int],
    room: int,
    rarity: Mapping[str, float],
    beside: Sequence[Passage],
    document: Callable[[str], Document],
) -> Passage | None:
    """The passage cut down to a run of its sentences that `room` holds, None if not one fits.

    spans, costs, rarity: as for `window`. beside: what is shown, too; neighbours are joined to one text, so
    the part touches them. document: gives the document of that hash, of which the part's pages are learnt.
    """
    chunk = passage.chunk
    near = {other.chunk.ordinal for other in beside if other.chunk.document == chunk.document}
    at: End | None = None
    if chunk.ordinal - 1 in near:
        at = "start"
    elif chunk.ordinal + 1 in near:
        at = "end"
    found = window(chunk.text, spans, costs, room, rarity, at=at)
    if found is None:
        return None
    begin, end = found
    start, stop = chunk.start + begin, chunk.start + end
    pages = chunk.pages
    if len(pages) > 1:
        pages = document(chunk.document).pages_between(start, stop)
    header = chunk.table_header if not begin else ""
    part = replace(chunk, text=chunk.text[begin:end], start=start, end=stop, pages=pages, table_header=header)
    return replace(passage, chunk=part)


def window(
    text: str,
    spans: Sequence[Span],
    costs: Sequence[int],
    room: int,
    rarity: Mapping[str, float],
    *,
    at: End | None = None,
) -> Span | None:
    """The run of neighbouring sentences that says most of the question, None if not one fits.

    spans, costs: of each sentence of `text`, in order; the costs of a run, added, may not exceed `room`.
    rarity: weights of the question's words. Of two runs that say as much, the one that says it more often
    is taken, then the longer. at: the run must touch that end of the text, since what stands beyond is
    shown, too. Where no sentence says a word of the question, the run starts the text.
    """
    says = [held(rarity, text[begin:end]) for begin, end in spans]
    before = [0, *accumulate(costs)]
    if at is None and not any(says):
        at = "start"
    best: tuple[tuple[float, float, int], Span] | None = None
    for first in range(1 if at == "start" else len(spans)):
        said: set[str] = set()
        often = 0.0
        for last in range(first, len(spans)):
            cost = before[last + 1] - before[first]
            if cost > room:
                break
            said |= says[last]
            often += sum(rarity[word] for word in says[last])
            if at == "end" and last < len(spans) - 1:
                continue
            value = (sum(rarity[word] for word in sorted(said)), often, cost)
            if best is None or value > best[0]:
                best = value, (spans[first][0], spans[last][1])
    return best[1] if best else None
