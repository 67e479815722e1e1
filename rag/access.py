"""Who may read which collection: one predicate, asked by every surface.

A collection has a list of readers, or None, which means everyone. An asker is a person known by name,
somebody unknown (None), or the owner, who is at the machine's own command line and reads the files anyway.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from rag.errors import AccessDenied, UsageError

EVERYONE, NOBODY = "everyone", "nobody"
"""Said instead of names where a list of readers is given; so nobody can be called that."""
_LONGEST_NAME = 200


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


def person(name: str) -> str:
    """A person's name as it is kept and compared: composed (NFC), without blanks at its ends.

    Two names are the same person's only if they are equal then, capitals included: a log-in may well tell
    `Ann` from `ann`. Raises UsageError for what cannot be anybody's name.

    >>> person(" Ren\u0065\u0301 ") == "Ren\u00e9"
    True
    """
    made = unicodedata.normalize("NFC", name).strip()
    if not made or len(made) > _LONGEST_NAME or not made.isprintable():
        raise UsageError(
            f"{name!r} cannot be a person's name.",
            fix=f"Use 1 to {_LONGEST_NAME} printable characters.",
        )
    if made.casefold() in (EVERYONE, NOBODY):
        raise UsageError(f"{made!r} is no person's name.", fix="It stands for a whole list of readers.")
    return made


def readers_named(words: Sequence[str]) -> tuple[str, ...] | None:
    """A list of readers as it is given on a command line: names, or `everyone` (None), or `nobody` (()).

    Raises UsageError where one of the two words stands beside names, or a name cannot be one.

    >>> readers_named(["bo", "ann", "bo"]), readers_named(["everyone"]), readers_named(["nobody"])
    (('bo', 'ann'), None, ())
    """
    said = [word.strip().casefold() for word in words]
    if EVERYONE in said or NOBODY in said:
        if len(words) > 1:
            raise UsageError(
                f"`{EVERYONE}` and `{NOBODY}` stand alone.",
                fix="Give names, or one of the two words.",
            )
        return None if said == [EVERYONE] else ()
    return tuple(dict.fromkeys(person(word) for word in words))


def readers_said(readers: Sequence[str] | None) -> str:
    """A list of readers in words, for a person."""
    return EVERYONE if readers is None else ", ".join(readers) or NOBODY
