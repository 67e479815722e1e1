"""Which documents the reader wants searched: words of their names, days of their last change."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time

from rag.library import FileInfo
from rag.retrieval.filters import Filters


class NothingMatches(Exception):
    """No document is as it was asked for."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """words: all of them must stand in a document's path or kind. since, until: the days between which its
    file was last changed, both included; days are those of the server's clock."""

    words: str = ""
    since: date | None = None
    until: date | None = None

    @property
    def dated(self) -> bool:
        return self.since is not None or self.until is not None


def wanted(words: str | None, days: str | None) -> Wanted:
    """days: "2026-01-01/2026-02-01"; either side, or all of it, may be empty.

    Raises ValueError for anything else, and for a first day after the last one.

    >>> wanted("pdf", "2026-01-31/")
    Wanted(words='pdf', since=datetime.date(2026, 1, 31), until=None)
    """
    first, _, last = (days or "").partition("/")
    since = date.fromisoformat(first) if first else None
    until = date.fromisoformat(last) if last else None
    if since and until and since > until:
        raise ValueError(f"{since} lies after {until}")
    return Wanted((words or "").strip(), since, until)


def filters(wanted: Wanted, files: Sequence[FileInfo]) -> Filters | None:
    """For the search; None for all documents. Raises NothingMatches if none of the files may be searched."""
    words = _folded(wanted.words).split()
    if not words and not wanted.dated:
        return None
    live = [file for file in files if file.state == "live"]
    paths = [file.path for file in live if all(word in _folded(f"{file.path} {file.kind}") for word in words)]
    made = Filters(
        documents=tuple(paths) if words else None,
        modified_after=datetime.combine(wanted.since, time.min) if wanted.since else None,
        modified_before=datetime.combine(wanted.until, time.max) if wanted.until else None,
    )
    if not any(made.admit(file) for file in live):
        raise NothingMatches
    return made


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()
