"""What the library says about itself: values only."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rag.records import FileState

DEFAULT_COLLECTION = "default"


@dataclass(frozen=True, slots=True)
class CollectionInfo:
    """A named set of documents. readers: who may read it, None means everyone.

    files: paths of every state; documents and chunks: what is live (a document at two paths counts once).
    """

    name: str
    readers: tuple[str, ...] | None
    files: int
    documents: int
    chunks: int


@dataclass(frozen=True, slots=True)
class FileInfo:
    """One path of one collection.

    root: the absolute path that was given to ingest; path: relative to it (the file's name if root is
    the file itself). reason: why it is failed or skipped, "" otherwise. kind, title, pages, chunks,
    pages_without_text: of the document that is live under this path, empty or 0 if none is.
    sha256: of the bytes last read there, None if they never were. updated: seconds since 1970 of the
    last change of state. tries: readings that ended with the death of the reader.
    """

    collection: str
    root: str
    path: str
    size: int
    state: FileState
    reason: str = ""
    kind: str = ""
    title: str = ""
    pages: int = 0
    chunks: int = 0
    pages_without_text: tuple[int, ...] = ()
    sha256: str | None = None
    updated: float = 0.0
    tries: int = 0

    @property
    def absolute(self) -> Path:
        """Where the file itself is. It may have changed or gone since it was ingested."""
        root = Path(self.root)
        return root if root.name == self.path and not (root / self.path).exists() else root / self.path


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk found by one leg of the search. score: higher is better; comparable within its leg only."""

    chunk_id: int
    score: float


@dataclass(frozen=True, slots=True)
class WordStatistics:
    """document_frequency: word → number of chunks of the whole library that hold it (0 if none).

    chunks: number of chunks in the keyword index.
    """

    document_frequency: dict[str, int]
    chunks: int
