"""Everything known of the documents: manifest, keyword index, vectors.

`Library` is for reading. Writers take the one-writer lock with `LibraryWriter`.
"""

from rag.library.library import Library
from rag.library.records import DEFAULT_COLLECTION, CollectionInfo, FileInfo, Hit, WordStatistics

__all__ = ["DEFAULT_COLLECTION", "CollectionInfo", "FileInfo", "Hit", "Library", "WordStatistics"]
