"""Whose turn it is: askers in rotation, each one's own work in order, with a visible place in the queue."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_asker: ContextVar[str] = ContextVar("asker", default="")


@contextmanager
def asked_by(asker: str) -> Iterator[None]:
    """Work that this thread asks of an engine inside the block counts as this asker's.

    Not an argument of Engine.stream, since nothing between the page, which knows who asks, and the queue
    has any use for it. What nobody is named for counts as one asker's.
    """
    before = _asker.set(asker)
    try:
        yield
    finally:
        _asker.reset(before)


class Ticket:
    """A place in a turnstile's queue. Not bound to a thread: any may wait on it or leave."""

    def __init__(self, turnstile: Turnstile, asker: str) -> None:
        self._turnstile = turnstile
        self.asker = asker

    @property
    def place(self) -> int:
        """How many leave before its turn comes, if nobody else joins; 0 when it is (or was) its turn."""
        return self._turnstile._place(self)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait up to `timeout` seconds (None: for ever) for one's turn; True if it has come."""
        return self._turnstile._wait(self, timeout)

    def leave(self) -> None:
        """Give up the place or, in one's turn, let the next one in. May be called more than once."""
        self._turnstile._leave(self)


class Turnstile:
    """Lets `width` tickets at a time have their turn. Askers take turns; each one's tickets keep their order.

    Somebody with one question waits for one of each other asker's at most, however many those have. Whoever
    has just been served and asks again comes after those who wait in the same round. (This is start-time
    fair queueing, Goyal, Vin and Cheng 1996, with every ticket of the same length.)

    most: how many may wait behind those whose turn it is; None: any number.
    """

    def __init__(self, width: int = 1, most: int | None = None) -> None:
        self._width = width
        self._most = most
        self._changed = threading.Condition()
        self._serving: list[Ticket] = []
        self._waiting: list[Ticket] = []  # in the order of their coming
        self._round = 0
        self._next: dict[str, int] = {}
        """The round in which an asker who was served may be served again; those of the past are dropped."""

    def change(self, width: int, most: int | None) -> None:
        """Another width and bound from now on; who waits already keeps the place."""
        with self._changed:
            self._width, self._most = width, most
            self._admit()

    def ticket(self) -> Ticket | None:
        """Take a place for the asker of this thread (`asked_by`); None if too many are waiting."""
        with self._changed:
            if self._most is not None and self._held >= self._width + self._most:
                return None
            ticket = Ticket(self, _asker.get())
            self._waiting.append(ticket)
            self._admit()
        return ticket

    @property
    def waiting(self) -> int:
        """How many hold a ticket, those whose turn it is included."""
        with self._changed:
            return self._held

    @property
    def _held(self) -> int:
        return len(self._serving) + len(self._waiting)

    def _order(self) -> list[tuple[int, Ticket]]:
        """Who waits, the next one first, each with the round of the turn."""
        free = dict(self._next)
        turns = []
        for ticket in self._waiting:
            turn = free.get(ticket.asker, self._round)
            free[ticket.asker] = turn + 1
            turns.append((turn, ticket))
        return sorted(turns, key=lambda each: each[0])  # stable: in one round the first to come is first

    def _admit(self) -> None:
        while self._waiting and len(self._serving) < self._width:
            turn, ticket = self._order()[0]
            self._waiting.remove(ticket)
            self._serving.append(ticket)
            self._round = max(self._round, turn)
            self._next[ticket.asker] = turn + 1
            self._next = {asker: free for asker, free in self._next.items() if free > self._round}
        self._changed.notify_all()

    def _place(self, ticket: Ticket) -> int:
        with self._changed:
            order = [each for _, each in self._order()]
            return order.index(ticket) + 1 if ticket in order else 0

    def _wait(self, ticket: Ticket, timeout: float | None) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: ticket in self._serving, timeout)

    def _leave(self, ticket: Ticket) -> None:
        with self._changed:
            for held in (self._serving, self._waiting):
                if ticket in held:
                    held.remove(ticket)
            self._admit()
