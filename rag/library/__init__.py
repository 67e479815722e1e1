"""Everything known of the documents: manifest, keyword index, vectors.

`Library` is for reading, from any number of processes and threads. `writing` gives the one writer.

library         the library as its readers see it
writer          every change to it, a transaction each
manifest, filerows, storing, whole
                what the manifest holds: reading it; statements that change files, documents, all of it
database, migrations, columns, records
                connections, the schema as numbered steps, how values stand in it
keywords, postings, bm25
                the keyword index and its scores
embeddings, vectors/
                stored embeddings, nearest neighbours (Chroma)
verify          manifest and indexes compared
rebuild         the indexes made anew
lock            one writer a data folder
data_folder     the folder itself
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
