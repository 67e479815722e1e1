"""What the tests of a run look for in the library."""

from __future__ import annotations

from rag.library import Library, writing
from rag.library.verify import verify
from rag.settings import Settings
from rag.text.words import words

PNG = b"\x89PNG\r\n\x1a\n" + bytes(64)


def found(library: Library, word: str, collection: str = "default") -> set[str]:
    """Paths of the documents that hold the word."""
    hits = library.keyword([collection], words(word), 99)
    places = library.paths((hit.chunk_id for hit in hits), [collection])
    return {path for every in places.values() for _, path in every}


def in_step(settings: Settings) -> bool:
    with writing(settings) as writer:
        return verify(settings.home, writer.database) == []
