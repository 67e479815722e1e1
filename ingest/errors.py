"""Why a file did not become a document, as two outcomes that the report keeps apart.

Skipped      left out on purpose: an unsupported kind, locked, without text, a system file
Unreadable   it should have been read and could not be: damaged, too deep, too large when unpacked
"""

from __future__ import annotations

from rag.errors import RagError

LOCKED = "locked: a password is needed to read it"
GIVE_PASSWORD = "Give it with --password."


class ReadError(RagError):
    """Base of both. `reason` is one line for the report, without the file's name."""

    def __init__(self, reason: str, *, fix: str = "") -> None:
        super().__init__(reason, fix=fix)

    @property
    def reason(self) -> str:
        return f"{self.message}. {self.fix}" if self.fix else self.message

    def __str__(self) -> str:
        return self.reason


class Skipped(ReadError):
    """Nothing is wrong with the run: this file is not something to index."""


class Unreadable(ReadError):
    """The file is of a kind that is read, and reading it failed."""
