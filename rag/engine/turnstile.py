"""First come, first served, with a visible place in the queue."""

from __future__ import annotations

import threading


class Ticket:
    """A place in a turnstile's queue. Not bound to a thread: any may wait on it or leave."""

    def __init__(self, turnstile: Turnstile) -> None:
        self._turnstile = turnstile

    @property
    def place(self) -> int:
        """How many are before this one and still there; 0 when it is (or was) this one's turn."""
        return self._turnstile._place(self)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait up to `timeout` seconds (None: for ever) for one's turn; True if it has come."""
        return self._turnstile._wait(self, timeout)

    def leave(self) -> None:
        """Give up the place or, in one's turn, let the next one in. May be called more than once."""
        self._turnstile._leave(self)


class Turnstile:
    """Lets one ticket at a time have its turn, in the order in which the tickets were taken."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._queue: list[Ticket] = []

    def ticket(self) -> Ticket:
        """Take the last place."""
        ticket = Ticket(self)
        with self._changed:
            self._queue.append(ticket)
        return ticket

    @property
    def waiting(self) -> int:
        """How many hold a ticket, the one whose turn it is included."""
        with self._changed:
            return len(self._queue)

    def _place(self, ticket: Ticket) -> int:
        with self._changed:
            return self._queue.index(ticket) if ticket in self._queue else 0

    def _wait(self, ticket: Ticket, timeout: float | None) -> bool:
        def its_turn() -> bool:
            return bool(self._queue) and self._queue[0] is ticket

        with self._changed:
            return self._changed.wait_for(its_turn, timeout)

    def _leave(self, ticket: Ticket) -> None:
        with self._changed:
            if ticket in self._queue:
                self._queue.remove(ticket)
                self._changed.notify_all()
