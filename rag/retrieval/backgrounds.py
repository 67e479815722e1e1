"""What is usual in each library that is being asked, made once and again when the library changes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Sequence
from statistics import median
from typing import TYPE_CHECKING, Any, TypeVar, cast
from weakref import WeakKeyDictionary

from rag.retrieval.adaptation import SAMPLE, Background
from rag.retrieval.strangers import STRANGERS

if TYPE_CHECKING:
    from rag.embedding.protocol import Embedder, Vectors
    from rag.library import Library
    from rag.text.language import Language

Made = TypeVar("Made")

_KEPT = 16
_known: WeakKeyDictionary[Library, dict[tuple[int, Hashable], Any]] = WeakKeyDictionary()
_strangers: dict[tuple[str, Language], Vectors] = {}
_lock = threading.Lock()


def background_of(library: Library, collections: Sequence[str]) -> Background:
    """How the library's passages are spread, in its present state."""
    return _once(
        library,
        frozenset(collections),
        lambda: Background.of(library.sample_vectors(collections, SAMPLE)),
    )


def usual_nearness(
    library: Library, embedder: Embedder, collections: Sequence[str], language: Language
) -> float:
    """The cosine of the best passage for a question that the library does not speak of: the median over
    `STRANGERS` of that language. Not for an empty library."""

    def measured() -> float:
        best = [library.dense(collections, vector, 1) for vector in _vectors(embedder, language)]
        return median(hits[0].score for hits in best if hits)

    return _once(library, (frozenset(collections), embedder.id, language), measured)


def _vectors(embedder: Embedder, language: Language) -> Vectors:
    key = (embedder.id, language)
    found = _strangers.get(key)
    if found is None:
        found = _strangers[key] = embedder.embed_queries(STRANGERS[language])
    return found


def _once(library: Library, what: Hashable, make: Callable[[], Made]) -> Made:
    """What `make` makes of the library's present state. Two threads may make the same at once; either
    will do."""
    key = (library.generation, what)
    with _lock:
        found = _known.setdefault(library, {}).get(key)
    if found is None:
        found = make()
        with _lock:
            of_library = _known[library]
            for old in [old for old in of_library if old[0] != key[0]] + list(of_library)[: -_KEPT + 1]:
                of_library.pop(old, None)
            of_library[key] = found
    return cast("Made", found)
