"""What was made of a library once and holds for as long as the library is much the same.

After a small change of a large library the old is used once more while the new is being made: a search that
follows an ingest need not wait for what that changed by a hundredth.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, cast
from weakref import WeakKeyDictionary

from rag.errors import RagError

if TYPE_CHECKING:
    from rag.library import Library

Made = TypeVar("Made")

MUCH = 0.05
"""Share of a collection's chunks that came or went, above which nothing old is used."""
LARGE = 500
"""Chunks of a library that is large: of a smaller one it is made anew in a quarter of a second at most."""
_KEPT = 16

_log = logging.getLogger(__name__)


@dataclass
class _Kept:
    """generation, chunks: of the library that it was made of."""

    generation: int
    chunks: int
    made: Any
    renewing: bool = False


_known: WeakKeyDictionary[Library, dict[Hashable, _Kept]] = WeakKeyDictionary()
_lock = threading.Lock()


def remembered(
    library: Library, collections: Sequence[str], what: Hashable, make: Callable[[], Made]
) -> Made:
    """What `make` makes of these collections in their present state, or made of them a little while ago.

    what: tells the things apart that are made of the same collections. Two threads may make the same at
    once; either will do.
    """
    generation = library.generation
    key = (frozenset(collections), what)
    with _lock:
        kept = _known.setdefault(library, {}).get(key)
    if kept is None:
        return _renewed(library, collections, key, make)
    if kept.generation == generation:
        return cast("Made", kept.made)
    if not much_the_same(kept.chunks, *library.turnover(collections, kept.generation)):
        return _renewed(library, collections, key, make)
    with _lock:
        begin, kept.renewing = not kept.renewing, True
    if begin:
        threading.Thread(target=_renew_beside, args=(library, collections, key, make, kept)).start()
    return cast("Made", kept.made)


def much_the_same(before: int, now: int, added: int) -> bool:
    """Whether of `before` chunks, of which there are `now`, `added` being new, few have changed."""
    removed = max(0, before + added - now)
    return min(before, now) >= LARGE and added + removed <= MUCH * before


def _renewed(library: Library, collections: Sequence[str], key: Hashable, make: Callable[[], Made]) -> Made:
    generation = library.generation
    chunks, _ = library.turnover(collections, generation)
    made = make()
    with _lock:
        of_library = _known.setdefault(library, {})
        of_library.pop(key, None)
        for old in list(of_library)[: -_KEPT + 1]:
            del of_library[old]
        of_library[key] = _Kept(generation, chunks, made)
    return made


def _renew_beside(
    library: Library, collections: Sequence[str], key: Hashable, make: Callable[[], Any], kept: _Kept
) -> None:
    try:
        _renewed(library, collections, key, make)
    except RagError as error:  # the next search tries again, and raises it if it must wait for the new
        _log.warning("What is usual in the library could not be measured anew: %s", error)
    finally:
        kept.renewing = False
