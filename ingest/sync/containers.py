"""A file on disk in which others lie, while all of them are on their way into the library.

Each member is stored as soon as it is complete; the file itself comes last and takes away what does not lie
in it any more. So a kill in between leaves it as it was, and the next run reads it again and finds most of
its members stored.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ingest.sync.plan import Decision
from rag.library import Source


@dataclass(slots=True, eq=False)
class Container:
    """decision, source: of the file on disk. contains: how many files lie directly in it.

    locations: of all its members. open: those that are not settled yet; live: those that are live.
    sealed: all members have been handed over. own: what became of the file itself (an outcome, or
    the document with its vectors), None until that is known.
    given_up: something in it has changed meanwhile, so that it is read again.
    """

    decision: Decision
    source: Source
    contains: int
    locations: set[str] = field(default_factory=set)
    open: int = 0
    live: int = 0
    sealed: bool = False
    own: object | None = None
    given_up: bool = False

    def member(self, name: str, size: int) -> Decision:
        """A member as a file of its own, with what is remembered of it."""
        own = self.source
        source = Source(
            location=f"{own.location}/{name}",
            root=own.root,
            path=f"{own.path}/{name}",
            size=size,
            mtime_ns=own.mtime_ns,
            examined=own.examined,
        )
        self.locations.add(source.location)
        self.open += 1
        known = {stored.location: stored for stored in self.decision.members}
        return Decision(self.decision.do, source, known.get(source.location))

    def settled(self, *, live: bool) -> None:
        """One more member is what it will be."""
        self.open -= 1
        self.live += live

    @property
    def complete(self) -> bool:
        return self.sealed and not self.open and self.own is not None and not self.given_up
