"""The background of each library that is being asked, made once and again when the library changes."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from rag.retrieval.adaptation import SAMPLE, Background

if TYPE_CHECKING:
    from rag.library import Library

_KEPT = 16
_known: WeakKeyDictionary[Library, dict[tuple[int, frozenset[str]], Background]] = WeakKeyDictionary()
_lock = threading.Lock()


def background_of(library: Library, collections: Sequence[str]) -> Background:
    """Of the library's present state. Two threads may make the same one at once; either will do."""
    key = (library.generation, frozenset(collections))
    with _lock:
        found = _known.setdefault(library, {}).get(key)
    if found is None:
        found = Background.of(library.sample_vectors(collections, SAMPLE))
        with _lock:
            of_library = _known[library]
            for old in [old for old in of_library if old[0] != key[0]] + list(of_library)[: -_KEPT + 1]:
                of_library.pop(old, None)
            of_library[key] = found
    return found
