"""Everything known of the documents: manifest, keyword index, vectors.

`Library` is for reading, from any number of processes and threads. `writing` gives the one writer.
"""

from rag.library.library import Library
from rag.library.records import (
    DEFAULT_COLLECTION,
    CollectionInfo,
    FileInfo,
    Hit,
    Source,
    StoredFile,
    WordStatistics,
)
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
