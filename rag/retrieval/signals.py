"""What the evidence test sees of a search: how near passages are, and how much of the question they say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rag.retrieval.backgrounds import LOOKED_AT
from rag.retrieval.coverage import coverage, rarities, texts_of, words_for
from rag.retrieval.relevance import Signals

if TYPE_CHECKING:
    from rag.library import Library
    from rag.retrieval.backgrounds import Usual
    from rag.retrieval.candidates import Candidates
    from rag.retrieval.legs import Legs
    from rag.text.language import Language


def meaning_of(legs: Legs, read: Candidates) -> dict[int, float]:
    """Standard scores of the dense leg's hits, each among the passages of its own language."""
    present = set(read.present)
    near = [hit for hit in legs.meant.hits if hit.chunk_id in present]
    standing = legs.meant.background.among_their_own(
        legs.meant.direction,
        [hit.score for hit in near],
        [read.spoken[hit.chunk_id] for hit in near],
    )
    return dict(zip([hit.chunk_id for hit in near], standing, strict=True))


def signals_of(
    library: Library,
    legs: Legs,
    read: Candidates,
    meaning: Mapping[int, float],
    said: Mapping[int, float],
    usual: Usual,
    asked_in: Language,
) -> Signals:
    vector, background = legs.meant.vector, legs.meant.background
    rarity = rarities(legs.statistics)
    standing_for = words_for(legs.named)
    looked_at = library.vectors(list(meaning)[:LOOKED_AT])
    (standing,) = background.standardised(vector, [float((looked_at @ vector).max())])
    return Signals(
        nearness=float((looked_at @ (vector - usual.centre)).max()) - usual.nearness,
        standing=standing,
        meant=coverage(rarity, texts_of(read.of(list(meaning)), read.paths), standing_for),
        said=coverage(rarity, texts_of(read.of(list(said)), read.paths), standing_for),
        language=asked_in,
        spoken=background.speaks(asked_in),
        alone=background.speaks_only(asked_in),
        passages=background.count,
    )


def abroad_of(
    library: Library,
    legs: Legs,
    read: Candidates,
    meaning: Mapping[int, float],
    usual: Usual,
    asked_in: Language,
) -> float | None:
    """`Signals.abroad`."""
    ids = [number for number in meaning if read.spoken[number] != asked_in][:LOOKED_AT]
    if not ids:
        return None
    return float((library.vectors(ids) @ (legs.meant.vector - usual.centre)).max()) - usual.nearness
