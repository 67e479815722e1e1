"""First come, first served, with a visible place in the queue, and room for so many at once."""

from __future__ import annotations

import threading


class Ticket:
    """A place in a turnstile's queue. Not bound to a thread: any may wait on it or leave."""

    def __init__(self, turnstile: Turnstile) -> None:
        self._turnstile = turnstile

    @property
    def place(self) -> int:
        """How many have to leave before this one's turn; 0 when it is (or was) its turn."""
        return self._turnstile._place(self)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait up to `timeout` seconds (None: for ever) for one's turn; True if it has come."""
        return self._turnstile._wait(self, timeout)

    def leave(self) -> None:
        """Give up the place or, in one's turn, let the next one in. May be called more than once."""
        self._turnstile._leave(self)


class Turnstile:
    """Lets `width` tickets at a time have their turn, in the order in which the tickets were taken.

    most: how many may wait behind those; None: any number.
    """

    def __init__(self, width: int = 1, most: int | None = None) -> None:
        self._width = width
        self._most = most
        self._changed = threading.Condition()
        self._queue: list[Ticket] = []

    def change(self, width: int, most: int | None) -> None:
        """Another width and bound from now on; who waits already keeps the place."""
        with self._changed:
            self._width, self._most = width, most
            self._changed.notify_all()

    def ticket(self) -> Ticket | None:
        """Take the last place; None if too many are waiting."""
        ticket = Ticket(self)
        with self._changed:
            if self._most is not None and len(self._queue) >= self._width + self._most:
                return None
            self._queue.append(ticket)
        return ticket

    @property
    def waiting(self) -> int:
        """How many hold a ticket, those whose turn it is included."""
        with self._changed:
            return len(self._queue)

    def _place(self, ticket: Ticket) -> int:
        with self._changed:
            if ticket not in self._queue:
                return 0
            return max(0, self._queue.index(ticket) - self._width + 1)

    def _wait(self, ticket: Ticket, timeout: float | None) -> bool:
        def its_turn() -> bool:
            return ticket in self._queue[: self._width]

        with self._changed:
            return self._changed.wait_for(its_turn, timeout)

    def _leave(self, ticket: Ticket) -> None:
        with self._changed:
            if ticket in self._queue:
                self._queue.remove(ticket)
                self._changed.notify_all()
