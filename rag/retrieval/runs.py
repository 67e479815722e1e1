"""Chunks → runs of neighbouring chunks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rag.records import Chunk


@dataclass(frozen=True, slots=True)
class Run:
    """Chunks of one document with consecutive ordinals. chunks: in document order; ranked: as given."""

    chunks: tuple[Chunk, ...]
    ranked: tuple[Chunk, ...]

    @property
    def document(self) -> str:
        return self.chunks[0].document


def runs_of(chunks: Sequence[Chunk]) -> list[Run]:
    """The longest runs, in the order in which `chunks` names the first of each. Repeats are ignored."""
    rank: dict[tuple[str, int], int] = {}
    for place, chunk in enumerate(chunks):
        rank.setdefault((chunk.document, chunk.ordinal), place)
    found: list[list[Chunk]] = []
    for document, ordinal in sorted(rank):
        chunk = chunks[rank[document, ordinal]]
        if found and found[-1][-1].document == document and found[-1][-1].ordinal == ordinal - 1:
            found[-1].append(chunk)
        else:
            found.append([chunk])

    def place_of(chunk: Chunk) -> int:
        return rank[chunk.document, chunk.ordinal]

    runs = [Run(tuple(members), tuple(sorted(members, key=place_of))) for members in found]
    return sorted(runs, key=lambda run: place_of(run.ranked[0]))
