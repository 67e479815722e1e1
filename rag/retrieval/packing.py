"""Passages → numbered evidence that fits into a token budget."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rag.errors import UsageError
from rag.records import Chunk, Evidence, Passage, Table
from rag.retrieval.runs import Run, runs_of
from rag.text.sentences import sentences

if TYPE_CHECKING:
    from rag.library import Library

Count = Callable[[Sequence[str]], list[int]]
"""Tokens of each text by the loaded model's own tokenizer (`Engine.count`)."""

Render = Callable[[Evidence], str]
"""What the prompt shows of one evidence: fence, number, source, text, and what parts it from the next."""


_LONGEST_TABLE = 40
"""Chunks on either side of a passage in which its table is looked for: a longer one fits no budget."""


@dataclass(frozen=True, slots=True)
class Packed:
    """evidence: numbered from 1, strongest first. tokens: of all of it as rendered, never above the budget.

    left_out: how many of the given passages found no room, not even in part.
    """

    evidence: tuple[Evidence, ...]
    tokens: int
    left_out: int


def plain(evidence: Evidence) -> str:
    """The rendering that is counted when the caller has none of its own."""
    page = f", p. {evidence.page}" if evidence.page is not None else ""
    header = f"{evidence.table_header}\n…\n" if evidence.table_header else ""
    return f"[{evidence.n}] {evidence.path}{page}\n{header}{evidence.text}\n\n"


def pack(
    library: Library,
    passages: Sequence[Passage],
    budget_tokens: int,
    count: Count,
    *,
    render: Render = plain,
    reach: int = 1,
) -> Packed:
    """As many of `passages` (best first) as fit, neighbouring ones of a document merged into one run.

    If the strongest passage stands in a table, the whole table comes with it where half of the budget
    holds that; the tables of the others come as far as room is left.

    Where all have found room and some is left, each run grows by up to `reach` chunks at either end, the
    strongest first. If not even the best passage fits whole, its leading sentences stand for it. What is
    compared with the budget is the count of the whole rendered text, not a sum of parts.

    Raises UsageError for a budget below 1.
    """
    if budget_tokens < 1:
        raise UsageError(f"A budget of {budget_tokens} tokens holds nothing.", fix="Give a larger --budget.")
    return _Packing(library, passages, budget_tokens, count, render).result(reach)


class _Packing:
    def __init__(
        self, library: Library, passages: Sequence[Passage], budget: int, count: Count, render: Render
    ) -> None:
        self._library = library
        self._passages = list({passage.chunk.id: passage for passage in passages}.values())
        self._budget = budget
        self._count = count
        self._render = render
        self._texts: dict[str, str] = {}
        self._spans: dict[str, tuple[Table, ...]] = {}

    def result(self, reach: int) -> Packed:
        if not self._passages:
            return Packed((), 0, 0)
        given = {passage.chunk.id for passage in self._passages}
        self._passages[1:1] = self._rest_of_its_table(self._passages[0], self._budget // 2)
        rest = {passage.chunk.id for passage in self._passages} - given
        chosen = self._fitting()
        if not chosen:
            return self._leading_sentences(self._passages[0])
        added: list[Chunk] = []
        if len(chosen) == len(self._passages):
            added = self._growth(chosen, reach)
            while added and self._tokens(self._evidence(chosen, added)) > self._budget:
                added.pop()
        fitted = sum(passage.chunk.id not in rest for passage in chosen)
        return self._packed(self._evidence(chosen, added), len(given) - fitted)

    def _packed(self, evidence: Sequence[Evidence], left_out: int) -> Packed:
        costs = self._count([self._render(one) for one in evidence])
        counted = tuple(replace(one, tokens=cost) for one, cost in zip(evidence, costs, strict=True))
        return Packed(counted, self._tokens(counted), left_out)

    def _fitting(self) -> list[Passage]:
        """The passages that fit together, in their order. A long one is passed over for later short ones."""
        alone = self._count([self._render(self._evidence([passage])[0]) for passage in self._passages])
        chosen: list[int] = []
        used = 0
        while True:
            more = []
            for rank, cost in enumerate(alone):
                if rank not in chosen and used + cost <= self._budget:
                    more.append(rank)
                    used += cost
            if not more:
                return [self._passages[rank] for rank in chosen]
            # Joined texts may have more tokens than their parts: then the weakest of the new ones go.
            while more and (used := self._used([*chosen, *more])) > self._budget:
                more.pop()
            if not more:
                return [self._passages[rank] for rank in chosen]
            # Merged neighbours share a heading line: what that saved may hold another one.
            chosen = sorted([*chosen, *more])

    def _used(self, ranks: Sequence[int]) -> int:
        return self._tokens(self._evidence([self._passages[rank] for rank in sorted(ranks)]))

    def _leading_sentences(self, passage: Passage) -> Packed:
        """The longest beginning of a passage, in whole sentences, that the budget holds."""
        chunk = passage.chunk
        spans = sentences(chunk.text)
        low, high = 0, len(spans)
        best: tuple[Evidence, ...] = ()
        while low < high:
            middle = (low + high + 1) // 2
            end = spans[middle - 1][1]
            cut = replace(chunk, text=chunk.text[:end], end=chunk.start + end)
            evidence = self._evidence([replace(passage, chunk=cut)])
            if self._tokens(evidence) <= self._budget:
                low, best = middle, evidence
            else:
                high = middle - 1
        return self._packed(best, len(self._passages) - len(best))

    def _rest_of_its_table(self, passage: Passage, most: int) -> list[Passage]:
        """The other chunks of the table that a passage stands in, as weak as it, if `most` tokens hold them
        all with the passage; [] otherwise, and where it stands in none."""
        chunks = self._table_of(passage.chunk)
        others = [chunk for chunk in chunks if chunk.id != passage.chunk.id]
        if not others or sum(self._count([chunk.text for chunk in chunks])) > most:
            return []
        known = {one.chunk.id for one in self._passages}
        return [replace(passage, chunk=chunk) for chunk in others if chunk.id not in known]

    def _table_of(self, chunk: Chunk) -> list[Chunk]:
        """The chunks that hold a part of the table in which `chunk` begins or ends, in order."""
        if chunk.document not in self._spans:
            self._spans[chunk.document] = self._library.tables(chunk.document)
        for table in self._spans[chunk.document]:
            if table.start < chunk.end and chunk.start < table.end:
                near = self._library.neighbours(
                    chunk.document, max(0, chunk.ordinal - _LONGEST_TABLE), chunk.ordinal + _LONGEST_TABLE
                )
                held = [one for one in near if table.start < one.end and one.start < table.end]
                whole = held[0].start <= table.start and table.end <= held[-1].end
                return held if whole else []
        return []

    def _growth(self, chosen: Sequence[Passage], reach: int) -> list[Chunk]:
        """Chunks beside the runs, those of the strongest runs first, as many as seem to fit."""
        runs = runs_of([passage.chunk for passage in chosen])
        taken = {chunk.id for run in runs for chunk in run.chunks}
        ring: list[Chunk] = []
        for passage in chosen:
            whole = [chunk for chunk in self._table_of(passage.chunk) if chunk.id not in taken]
            taken |= {chunk.id for chunk in whole}
            # Those nearest to the passage first: each joins the run of what stands beside it.
            ring += sorted(whole, key=lambda chunk: abs(chunk.ordinal - passage.chunk.ordinal))
        for distance in range(1, reach + 1):
            for run in runs:
                first, last = run.chunks[0].ordinal, run.chunks[-1].ordinal
                # What follows says more often what the passage began to say than what stands before it.
                for ordinal in (last + distance, first - distance):
                    for chunk in self._library.neighbours(run.document, ordinal, ordinal):
                        if chunk.id not in taken:
                            taken.add(chunk.id)
                            ring.append(chunk)
        room = self._budget - self._tokens(self._evidence(chosen))
        added: list[Chunk] = []
        for chunk, cost in zip(ring, self._count([chunk.text for chunk in ring]), strict=True):
            if cost < room and _touches(chunk, [*(p.chunk for p in chosen), *added]):
                added.append(chunk)
                room -= cost + 1
        return added

    def _evidence(self, chosen: Sequence[Passage], added: Sequence[Chunk] = ()) -> tuple[Evidence, ...]:
        """Numbered in the order of the strongest passage of each run; `added` chunks lengthen the runs."""
        by_chunk = {passage.chunk.id: passage for passage in chosen}
        return tuple(
            self._one(n, run, next(by_chunk[chunk.id] for chunk in run.ranked if chunk.id in by_chunk))
            for n, run in enumerate(runs_of([*(passage.chunk for passage in chosen), *added]), start=1)
        )

    def _one(self, n: int, run: Run, strongest: Passage) -> Evidence:
        start, end = run.chunks[0].start, max(chunk.end for chunk in run.chunks)
        return Evidence(
            n=n,
            document=run.document,
            path=strongest.path,
            collection=strongest.collection,
            text=self._text(run, start, end),
            start=start,
            end=end,
            pages=tuple(sorted({page for chunk in run.chunks for page in chunk.pages})),
            heading=run.chunks[0].heading,
            score=strongest.score,
            tokens=0,
            scores=strongest.scores,
            table_header=run.chunks[0].table_header,
        )

    def _text(self, run: Run, start: int, end: int) -> str:
        if len(run.chunks) == 1:
            return run.chunks[0].text
        if run.document not in self._texts:
            self._texts[run.document] = self._library.document(run.document).text
        return self._texts[run.document][start:end]

    def _tokens(self, evidence: Iterable[Evidence]) -> int:
        return self._count(["".join(map(self._render, evidence))])[0]


def _touches(chunk: Chunk, others: Iterable[Chunk]) -> bool:
    """Whether a chunk stands beside one of the others, so that it joins their run."""
    return any(
        other.document == chunk.document and abs(other.ordinal - chunk.ordinal) == 1 for other in others
    )
