"""What comes of looking at a file, on its way from the threads that prepare to the one that stores."""

from __future__ import annotations

from dataclasses import dataclass

from ingest.sync.containers import Container
from ingest.sync.plan import Decision
from rag.library import Source
from rag.records import Chunk, Document, FileState


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document cut into chunks; texts, words: what is embedded and what is indexed of each.

    container: what it lies in, or is.
    """

    decision: Decision
    source: Source
    document: Document
    chunks: list[Chunk]
    texts: list[str]
    words: list[str]
    pages_without_text: list[int]
    contains: int = 0
    container: Container | None = None

    @property
    def is_member(self) -> bool:
        return _is_member(self.source, self.container)


@dataclass(frozen=True, slots=True)
class Same:
    """The content is that of a stored document, of the file as it was (`unchanged`), or (`claimed`) of
    another file of this run."""

    decision: Decision
    source: Source
    sha256: str
    unchanged: bool = False
    claimed: bool = False
    container: Container | None = None

    @property
    def is_member(self) -> bool:
        return _is_member(self.source, self.container)


@dataclass(frozen=True, slots=True)
class Aside:
    """No document comes of it. died: see `ingest.gathered.Reading`.

    state "live": it is a folder, since others lie in it. alone: this says nothing about other files with the
    same bytes.
    """

    decision: Decision
    source: Source
    state: FileState
    reason: str
    sha256: str | None = None
    died: bool = False
    alone: bool = False
    container: Container | None = None

    @property
    def is_member(self) -> bool:
        return _is_member(self.source, self.container)


@dataclass(frozen=True, slots=True)
class Sealed:
    """All members of a container have been handed over; own: what is known of the file itself."""

    container: Container
    own: Prepared | Same | Aside


@dataclass(frozen=True, slots=True)
class Broken:
    """The preparing itself failed: not a matter of one file."""

    error: BaseException


Outcome = Prepared | Same | Aside | Sealed | Broken


def _is_member(source: Source, container: Container | None) -> bool:
    return container is not None and container.source.location != source.location
