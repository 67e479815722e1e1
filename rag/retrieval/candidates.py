"""What both legs have found, read from the library, and where each may be read."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rag.retrieval.backgrounds import spoken_in
from rag.retrieval.copies import put_aside

if TYPE_CHECKING:
    from rag.library import Library
    from rag.records import Chunk
    from rag.retrieval.copies import Paths
    from rag.retrieval.legs import Legs
    from rag.text.language import Language


@dataclass(frozen=True)
class Places:
    """Where the asker may read a chunk: in these collections, and under the admitted (collection, path) only
    if the search is filtered."""

    library: Library
    collections: Sequence[str]
    admitted: Collection[tuple[str, str]] | None

    def of(self, ids: Sequence[int]) -> dict[int, list[tuple[str, str]]]:
        """chunk id → (collection, path) of every such place; those that are put aside come last."""
        every = self.library.paths(ids, self.collections)
        if self.admitted is not None:
            every = {
                number: [path for path in paths if path in self.admitted] for number, paths in every.items()
            }
        return {
            number: sorted(paths, key=lambda place: put_aside(place[1])) if len(paths) > 1 else paths
            for number, paths in every.items()
        }


@dataclass(frozen=True)
class Candidates:
    """The hits of both legs. present: those that can be shown; between the search and the look at them
    another process may have removed some. paths: (collection, path) of each. spoken: its language."""

    places: Places
    chunks: Mapping[int, Chunk]
    paths: Paths
    present: Sequence[int]
    spoken: Mapping[int, Language]

    def of(self, ids: Sequence[int]) -> list[Chunk]:
        return [self.chunks[number] for number in ids if number in self.chunks]


def candidates_of(legs: Legs, places: Places) -> Candidates:
    ids = list(dict.fromkeys([hit.chunk_id for hit in (*legs.said, *legs.meant.hits)]))
    chunks = places.library.chunks(ids)
    paths = places.of(ids)
    present = [number for number in ids if number in chunks and paths.get(number)]
    spoken = {number: spoken_in(chunk.text) for number, chunk in chunks.items()}
    return Candidates(places, chunks, paths, present, spoken)
