"""Whether a question goes on about the document of the one before it, where its words do not show it.

"主厨是谁" after a restaurant, or after a factory: the words are the same. What shows it is that the document
which the earlier question finds holds the words of the new one as well as any other does. Where it holds
them better, and the new one alone finds it, nothing has to be added.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rag.text.asking import without_asking
from rag.text.words import words

if TYPE_CHECKING:
    from rag.embedding.protocol import Embedder
    from rag.library import Library
    from rag.records import Passage
    from rag.retrieval.filters import Filters
    from rag.settings import Settings

Continues = Callable[[str, str], bool]
"""(question, the words that the question before it was searched for with) → whether the first goes on."""

_LEAST = 0.3
"""Share of the question's words, by rarity, that an earlier document must hold: with fewer it does not speak
of what is asked, and a question of which nothing speaks must stay unanswered."""
_FIRST = 3
"""So many of the best passages are what a question is answered from."""
_COMPARED = 8
"""So many of the best passages may hold the words better."""


def continuing(
    library: Library,
    embedder: Embedder,
    settings: Settings,
    collections: Sequence[str],
    where: Filters | None = None,
) -> Continues:
    """The test for one library. It searches up to four times, and raises what a search raises."""
    from rag.retrieval import retrieve
    from rag.retrieval.coverage import best_share, held_words, rarities, telling, texts_of

    def found(text: str, *, test: bool = False) -> list[Passage]:
        searched = retrieve(
            library, embedder, text, collections, limit=_COMPARED, settings=settings, where=where, test=test
        )
        return searched.passages

    def continues(question: str, before: str) -> bool:
        alone = found(question, test=True)
        earlier = [passage.chunk.document for passage in found(before)[:1]]
        if not earlier:
            return False
        asked = telling(words(without_asking(question)))
        rarity = rarities(library.keyword_statistics(asked))

        def held(passages: Sequence[Passage]) -> float:
            paths = {passage.chunk.id: [(passage.collection, passage.path)] for passage in passages}
            texts = texts_of([passage.chunk for passage in passages], paths, deep=len(passages))
            return best_share(rarity, held_words(rarity, texts))

        known = held([passage for passage in alone if passage.chunk.document in earlier])
        if known > held([passage for passage in alone if passage.chunk.document not in earlier]):
            return False
        together = found(f"{before} {question}")[:_FIRST]
        there = held([passage for passage in together if passage.chunk.document in earlier])
        return there >= _LEAST and there >= held(alone or found(question))

    return continues
