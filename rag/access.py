"""Who may read which collection: one predicate, asked by every surface.

A collection has a list of readers, or None, which means everyone. An asker is a person known by name,
somebody unknown (None), or the owner, who is at the machine's own command line and reads the files anyway.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from rag.errors import AccessDenied


@dataclass(frozen=True, slots=True)
class Asker:
    """name: as the login gives it, None if there was none. owner: reads everything."""

    name: str | None = None
    owner: bool = False


OWNER = Asker(owner=True)
ANYONE = Asker()


class Restricted(Protocol):
    """A collection as this module sees it (rag.library.CollectionInfo is one)."""

    @property
    def name(self) -> str: ...

    @property
    def readers(self) -> Sequence[str] | None: ...


def may_read(asker: Asker, collection: Restricted) -> bool:
    """The predicate. An empty list of readers means nobody but the owner."""
    return asker.owner or collection.readers is None or asker.name in collection.readers


def readable(
    asker: Asker, collections: Sequence[Restricted], wanted: Sequence[str] | None = None
) -> list[str]:
    """Names of the collections that a question of this asker goes to, in the order of `collections`.

    wanted: the collections asked for; None or empty means all that the asker may read. Raises AccessDenied if
    one of them does not exist or is not the asker's to read; the message is the same for both.
    """
    open_to_asker = [collection.name for collection in collections if may_read(asker, collection)]
    if not wanted:
        return open_to_asker
    refused = [name for name in wanted if name not in open_to_asker]
    if refused:
        raise AccessDenied(
            f"There is no collection {refused[0]!r} that you may read.",
            fix="Collections you may read: " + (", ".join(open_to_asker) or "none") + ".",
        )
    return [name for name in open_to_asker if name in wanted]
