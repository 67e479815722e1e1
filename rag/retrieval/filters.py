"""Which documents may be searched: chosen ones, kinds, times of their last change."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rag.library import FileInfo, Library


@dataclass(frozen=True, slots=True)
class Filters:
    """None: no restriction. All that are given must hold of the same file.

    documents: paths as ingested; a folder's path stands for every file below it, a container's (a mail, an
    archive) for itself and what lies in it. kinds: as FileInfo.kind, any case. modified_after,
    modified_before: the file's last change, both ends included; times without a zone are local.
    """

    documents: tuple[str, ...] | None = None
    kinds: tuple[str, ...] | None = None
    modified_after: datetime | None = None
    modified_before: datetime | None = None

    @property
    def restrict(self) -> bool:
        """Whether anything is left out at all."""
        return any(
            part is not None
            for part in (self.documents, self.kinds, self.modified_after, self.modified_before)
        )

    def admit(self, file: FileInfo) -> bool:
        return (
            (self.documents is None or any(_lies_in(file.path, path) for path in self.documents))
            and (self.kinds is None or file.kind.casefold() in {kind.casefold() for kind in self.kinds})
            and (self.modified_after is None or file.modified >= self.modified_after.timestamp())
            and (self.modified_before is None or file.modified <= self.modified_before.timestamp())
        )

    def admitted(self, library: Library, collections: Sequence[str]) -> list[FileInfo]:
        """The live files of these collections that may be searched."""
        return [file for file in library.files(collections) if file.state == "live" and self.admit(file)]


def documents_of(files: Iterable[FileInfo]) -> frozenset[str]:
    """The documents (sha256) that live under these files."""
    return frozenset(file.sha256 for file in files if file.sha256)


def _lies_in(path: str, chosen: str) -> bool:
    path, chosen = (unicodedata.normalize("NFC", text).strip("/") for text in (path, chosen))
    return path == chosen or path.startswith(f"{chosen}/")
