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

    absolute: where the file itself is (it may have changed or gone since). root: the absolute path that
    was given to ingest; path: relative to it (the file's name if root is the file itself). reason: why
    it is failed or skipped, "" otherwise. kind, title, pages, chunks, pages_without_text: of the document
    that is live under this path, empty or 0 if none is. sha256: of the bytes last read there, None if
    they never were. updated: seconds since 1970 of the last change of state; modified: of the file's last
    change when it was last looked at. tries: readings that ended with the death of the reader.

    container: the path of the file on disk that this one lies in (an attachment, a file of an archive), ""
    if it is on disk itself; `absolute` then names a place inside that file, which nothing can open.
    members: how many files lie in this one. A file that is live and holds no text of its own is a folder
    of its members: its kind is "folder", and `reason` says so. pages_recognised: pages whose text was
    recognised in a picture.
    """

    collection: str
    absolute: Path
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
    container: str = ""
    members: int = 0
    modified: float = 0.0
    pages_recognised: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk found by one leg of the search. score: higher is better; comparable within its leg only."""

    chunk_id: int
    score: float


@dataclass(frozen=True, slots=True)
class WordStatistics:
    """How common words are.

    document_frequency: word → number of chunks of the whole library that hold it (0 if none).

    chunks: number of chunks in the keyword index.
    """

    document_frequency: dict[str, int]
    chunks: int


@dataclass(frozen=True, slots=True)
class Source:
    """A path that is being ingested.

    location: absolute; its identity within a collection. root, path: as in FileInfo. size, mtime_ns: as
    they were before the file was read. examined: seconds since 1970 just before its content was read.
    """

    location: str
    root: str
    path: str
    size: int
    mtime_ns: int
    examined: float = 0.0


@dataclass(frozen=True, slots=True)
class StoredFile:
    """What the manifest remembers of a path. live: a document is shown under it, or members of it are.

    recipe: how it was read when it came to its state; document_recipe: of what is live. container: the
    location of the file that it lies in, None if it is on disk.
    examined: seconds since 1970 of the last look at its content. tries: readings in which the reader, or
    the whole ingest, died; tried: size, mtime_ns and recipe of what was tried then.
    """

    location: str
    root: str
    path: str
    size: int
    mtime_ns: int
    sha256: str | None
    state: FileState
    reason: str
    recipe: str
    examined: float
    live: bool
    document_recipe: str
    tries: int = 0
    tried: tuple[int, int, str] | None = None
    container: str | None = None
