"""Everything known of the documents: manifest, keyword index, vectors.

`Library` is for reading, from any number of processes and threads. `writing` gives the one writer.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rag.library.records import (
    DEFAULT_COLLECTION,
    CollectionInfo,
    FileInfo,
    Hit,
    Source,
    StoredFile,
    WordStatistics,
)

if TYPE_CHECKING:
    from rag.library.library import Library
    from rag.library.writer import LibraryWriter, writing

__all__ = [
    "DEFAULT_COLLECTION",
    "CollectionInfo",
    "FileInfo",
    "Hit",
    "Library",
    "LibraryWriter",
    "Source",
    "StoredFile",
    "WordStatistics",
    "writing",
]

# Imported when first used: they need numpy, and a command that only looks at the manifest does not.
_LATER = {"Library": "library", "LibraryWriter": "writer", "writing": "writer"}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
