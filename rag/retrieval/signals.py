"""What the evidence test sees of a search: how near passages are, and how much of the question they say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING

from rag.retrieval.backgrounds import LOOKED_AT
from rag.retrieval.coverage import best_share, held_words, rarities, texts_of, words_for
from rag.retrieval.relevance import Signals
from rag.text.names import names, stand_out

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
    question: str,
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
    by_meaning, by_words = (
        held_words(rarity, texts_of(read.of(list(ids)), read.paths), standing_for) for ids in (meaning, said)
    )
    there: set[str] = set().union(*by_meaning, *by_words)
    return Signals(
        nearness=float((looked_at @ (vector - usual.centre)).max()) - usual.nearness,
        standing=standing,
        meant=best_share(rarity, by_meaning),
        said=best_share(rarity, by_words),
        unnamed=_unnamed(question, rarity, there) and _mostly_in(asked_in, list(meaning), read),
        language=asked_in,
        spoken=background.speaks(asked_in),
        alone=background.speaks_only(asked_in),
        passages=background.count,
    )


def _unnamed(question: str, rarity: Mapping[str, float], there: Set[str]) -> bool:
    """`Signals.unnamed`. Codes and years are no names here: texts write them otherwise."""
    if not stand_out(question):
        return False
    for name in names(question):
        telling = [word for word in name.words if word in rarity and word.isalpha()]
        if telling and there.isdisjoint(telling):
            return True
    return False


def _mostly_in(asked_in: Language, ids: Sequence[int], read: Candidates) -> bool:
    """Whether most of the nearest passages are in that language: in another, names are written otherwise."""
    near = [read.spoken[number] == asked_in for number in ids[:LOOKED_AT]]
    return 2 * sum(near) > len(near)


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
