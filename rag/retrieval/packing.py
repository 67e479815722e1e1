"""Passages → numbered evidence that fits into a token budget."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rag.errors import UsageError
from rag.records import Chunk, Evidence, Passage
from rag.retrieval.copies import copies_of_run
from rag.retrieval.coverage import rarities, telling
from rag.retrieval.cutting import part_of
from rag.retrieval.runs import Run, runs_of
from rag.retrieval.tables import Tables
from rag.text.asking import without_asking
from rag.text.sentences import sentences
from rag.text.words import words

if TYPE_CHECKING:
    from rag.library import Library

Count = Callable[[Sequence[str]], list[int]]
"""Tokens of each text by the loaded model's own tokenizer (`Engine.count`)."""

Render = Callable[[Evidence], str]
"""What the prompt shows of one evidence: fence, number, source, text, and what parts it from the next."""

_WORTH = 0.15
"""Least share of a passage that is shown in part: less is seldom more than a sentence without its sense."""


@dataclass(frozen=True, slots=True)
class Packed:
    """evidence: numbered from 1, strongest first. tokens: of all of it as rendered, never above the budget.

    left_out: how many of the given passages found no room, not even in part.
    """

    evidence: tuple[Evidence, ...]
    tokens: int
    left_out: int

    @property
    def excerpts(self) -> int:
        """How many of the evidence hold a passage in part."""
        return sum(one.excerpt for one in self.evidence)


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
    question: str = "",
) -> Packed:
    """As many of `passages` (best first) as fit, neighbouring ones of a document merged into one run.

    If the strongest passage stands in a table, the whole table comes with it where half of the budget
    holds that; the tables of the others come as far as room is left.

    Where all have found room and some is left, each run grows by up to `reach` chunks at either end, the
    strongest first. Otherwise the strongest one that finds no room, unless it stands in a table, is cut down
    to the sentences that say most of `question`, if the rest of the budget holds a part that is worth it.
    What is compared with the budget is the count of the whole rendered text, not a sum of parts.

    Raises UsageError for a budget below 1.
    """
    if budget_tokens < 1:
        raise UsageError(f"A budget of {budget_tokens} tokens holds nothing.", fix="Give a larger --budget.")
    return _Packing(library, passages, budget_tokens, count, render, question).result(reach)


class _Packing:
    def __init__(
        self,
        library: Library,
        passages: Sequence[Passage],
        budget: int,
        count: Count,
        render: Render,
        question: str,
    ) -> None:
        self._library = library
        self._passages = list({passage.chunk.id: passage for passage in passages}.values())
        self._whole = {passage.chunk.id: passage.chunk for passage in self._passages}
        self._budget = budget
        self._count = count
        self._render = render
        self._question = question
        self._texts: dict[str, str] = {}
        self._weights: dict[str, float] | None = None
        self._alone: list[int] = []
        self._tables = Tables(library)

    def result(self, reach: int) -> Packed:
        if not self._passages:
            return Packed((), 0, 0)
        given = {passage.chunk.id for passage in self._passages}
        self._passages[1:1] = self._rest_of_its_table(self._passages[0], self._budget // 2)
        rest = {passage.chunk.id for passage in self._passages} - given
        chosen = self._fitting()
        part = self._in_part(chosen, rest)
        if part is not None:
            return part
        if not chosen:
            return Packed((), 0, len(given))
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
        alone = self._alone = self._count(
            [self._render(self._evidence([passage])[0]) for passage in self._passages]
        )
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

    def _in_part(self, chosen: Sequence[Passage], rest: set[int]) -> Packed | None:
        """With the strongest passage that found no room in part, in the place of all weaker ones.

        None if all found room, if that one stands in a table, and if what is left holds too little of it.
        rest: chunks that were added to the given passages.
        """
        taken = {passage.chunk.id for passage in chosen}
        first = next((n for n, passage in enumerate(self._passages) if passage.chunk.id not in taken), None)
        if first is None or (first and self._tables.around(self._passages[first].chunk)):
            return None
        before, passage = self._passages[:first], self._passages[first]
        spans = sentences(passage.chunk.text)
        costs = self._count([passage.chunk.text[begin:end] for begin, end in spans])
        room = self._budget - self._tokens(self._evidence(before))
        # Beside evidence the part must be worth its label; alone any part is better than nothing.
        least = _WORTH * sum(costs) if before else 0
        while room > least:
            part = part_of(passage, spans, costs, room, self._rarity(), before, self._library.document)
            if part is None:
                return None
            evidence = self._evidence([*before, part])
            over = self._tokens(evidence) - self._budget
            if over <= 0:
                shown = self._filled_up([*before, part], first + 1)
                given = sum(one.chunk.id not in rest for one in self._passages)
                left_out = given - sum(one.chunk.id not in rest for one in shown)
                return self._packed(self._evidence(shown), left_out)
            room -= max(over, 1)  # the label, and what the tokens of a whole have more than its parts'
        return None

    def _filled_up(self, shown: Sequence[Passage], begin: int) -> list[Passage]:
        """With those of the passages from `begin` on that still find room, the strongest first."""
        result = list(shown)
        used = self._tokens(self._evidence(result))
        for passage, cost in zip(self._passages[begin:], self._alone[begin:], strict=True):
            if used + cost <= self._budget:
                more = self._tokens(self._evidence([*result, passage]))
                if more <= self._budget:
                    result.append(passage)
                    used = more
        return result

    def _rarity(self) -> dict[str, float]:
        if self._weights is None:
            asked = telling(words(without_asking(self._question)))
            self._weights = rarities(self._library.keyword_statistics(asked)) if asked else {}
        return self._weights

    def _rest_of_its_table(self, passage: Passage, most: int) -> list[Passage]:
        """The other chunks of the table that a passage stands in, as weak as it, if `most` tokens hold them
        all with the passage; [] otherwise, and where it stands in none."""
        chunks = self._tables.around(passage.chunk)
        if len(chunks) < 2 or sum(self._count([chunk.text for chunk in chunks])) > most:
            return []
        return [replace(passage, chunk=chunk, copies=()) for chunk in chunks if chunk.id not in self._whole]

    def _growth(self, chosen: Sequence[Passage], reach: int) -> list[Chunk]:
        """Chunks beside the runs, those of the strongest runs first, as many as seem to fit."""
        runs = runs_of([passage.chunk for passage in chosen])
        taken = {chunk.id for run in runs for chunk in run.chunks}
        ring: list[Chunk] = []
        for passage in chosen:
            table = [chunk for chunk in self._tables.beside(passage.chunk) if chunk.id not in taken]
            taken |= {chunk.id for chunk in table}
            ring += table
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
            self._one(n, run, by_chunk)
            for n, run in enumerate(runs_of([*(passage.chunk for passage in chosen), *added]), start=1)
        )

    def _one(self, n: int, run: Run, by_chunk: Mapping[int, Passage]) -> Evidence:
        strongest = next(by_chunk[chunk.id] for chunk in run.ranked if chunk.id in by_chunk)
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
            excerpt=any(self._shortened(chunk, start, end) for chunk in run.chunks),
            copies=copies_of_run(run.chunks, by_chunk),
        )

    def _shortened(self, chunk: Chunk, start: int, end: int) -> bool:
        """Whether a run from `start` to `end` lacks a part of that passage; white space is none."""
        whole = self._whole.get(chunk.id, chunk)
        lacking = whole.text[: max(0, start - whole.start)], whole.text[max(0, end - whole.start) :]
        return any(map(str.strip, lacking))

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
