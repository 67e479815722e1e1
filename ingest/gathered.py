"""What a reader process has told of one file so far, over all the processes that it took."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ingest.contents import Part
from rag.records import Document

_TRIES = 3
"""Crashes of the reader over one file in another, until that is left out."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What became of one file. Exactly one holds: `document` is set, `folder` (files lie in it, and it has
    no text itself), `skipped`, or none of them (failed).

    died: the reader crashed over it, or was stopped at a limit: worth a few tries, never endless ones.
    stopped: at a limit of time or memory; trying again at once would take as long.
    cancelled: somebody stopped the work, which says nothing about the file.
    members: what became of the files that lie in it, at any depth, each container before its own members;
    contains: how many lie directly in it.
    """

    document: Document | None = None
    reason: str = ""
    skipped: bool = False
    folder: bool = False
    died: bool = False
    stopped: bool = False
    cancelled: bool = False
    members: tuple[Part, ...] = ()
    contains: int = 0


class Died(Exception):
    """The child ended over what was begun last. stopped: at a limit."""

    def __init__(self, reason: str, *, stopped: bool) -> None:
        self.reason = reason
        self.stopped = stopped


class Gathered:
    """What is known of one file so far, over all its attempts. end: when all of it has to be read."""

    def __init__(self, end: float) -> None:
        self.own: Part | None = None
        self.begun = ""
        self.deaths = 0
        self.end = end
        self.members: dict[str, Part] = {}
        self._deaths_of: dict[str, int] = {}
        self._deadly: set[str] = set()

    def take(self, part: Part) -> None:
        if part.name:
            self.members[part.name] = part
            self.begun = ""
        else:
            self.own = part

    def settled(self) -> list[str]:
        """Members that a new child need not read. Those that hold others it opens again."""
        return [name for name, part in self.members.items() if not part.contains or name in self._deadly]

    def bury(self, death: Died) -> None:
        """The child ended over the member that was begun last."""
        self.deaths += 1
        name = self.begun
        if not name:
            return
        died = self._deaths_of[name] = self._deaths_of.get(name, 0) + 1
        if death.stopped or died >= _TRIES:
            reason = death.reason if death.stopped else f"{death.reason}; set aside after {died} tries"
            self.members[name] = Part(name, reason=reason)
            self._deadly.add(name)

    def complete(self) -> Reading:
        assert self.own is not None, "the file itself comes first"
        own = self.own
        return Reading(
            document=own.document,
            reason=own.reason,
            folder=own.folder,
            members=tuple(self.members.values()),
            contains=own.contains,
        )

    def cut_short(self, reason: str) -> Reading:
        """With what is there by now, and one more that stands for the rest."""
        rest = Part("…", reason=f"the rest of what lies in it was not read: {reason}")
        return replace(self.complete(), members=(*self.members.values(), rest))
