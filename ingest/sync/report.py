"""What an ingest did, file by file."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Report:
    """Every file under PATH is in exactly one of added, updated, skipped, failed, or counted in unchanged.

    Paths are relative to their PATH. removed: documents whose files are gone. documents, chunks: what
    the collection holds now. pages_without_text: of every live file under PATH. embedded: chunks whose
    embedding had to be computed. interrupted: somebody stopped the ingest; the next one goes on.
    """

    added: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    unchanged: int = 0
    removed: list[str] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    failed: list[tuple[str, str]] = field(default_factory=list)
    pages_without_text: list[tuple[str, list[int]]] = field(default_factory=list)
    documents: int = 0
    chunks: int = 0
    seconds: float = 0.0
    embedded: int = 0
    interrupted: bool = False

    @property
    def changed(self) -> bool:
        return bool(self.added or self.updated or self.removed)

    @property
    def empty(self) -> bool:
        """Nothing was found under any PATH, and nothing was known from there."""
        return not (self.changed or self.unchanged or self.skipped or self.failed)

    def as_json(self) -> dict[str, Any]:
        """The object that `--json` prints."""
        return {
            "added": sorted(self.added),
            "updated": sorted(self.updated),
            "unchanged": self.unchanged,
            "removed": sorted(self.removed),
            "skipped": [{"path": path, "reason": reason} for path, reason in sorted(self.skipped)],
            "failed": [{"path": path, "reason": reason} for path, reason in sorted(self.failed)],
            "pages_without_text": [
                {"path": path, "pages": pages} for path, pages in sorted(self.pages_without_text)
            ],
            "documents": self.documents,
            "chunks": self.chunks,
            "seconds": round(self.seconds, 3),
        }
