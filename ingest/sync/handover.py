"""A queue bounded by the weight of what is in it, so that memory stays flat whatever is read."""

from __future__ import annotations

import threading
from collections import deque
from typing import Generic, TypeVar

T = TypeVar("T")


class Handover(Generic[T]):
    """From several threads that make things to one that takes them.

    most: the weight that may wait. Something heavier than that is let in when nothing else waits.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting: deque[tuple[T, int]] = deque()
        self._weight = 0
        self._makers = 0
        self._closed = False
        self._changed = threading.Condition()

    def maker_begins(self) -> None:
        with self._changed:
            self._makers += 1

    def maker_ends(self) -> None:
        with self._changed:
            self._makers -= 1
            self._changed.notify_all()

    def put(self, thing: T, weight: int = 0) -> bool:
        """Waits for room. False if the taker has closed the queue: nobody wants it any more."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._closed or not self._waiting or self._weight + weight <= self._most
            )
            if self._closed:
                return False
            self._waiting.append((thing, weight))
            self._weight += weight
            self._changed.notify_all()
            return True

    def take(self, *, wait: bool) -> T | None:
        """The next thing; None when there is none: not at the moment, or (if `wait`) never again."""
        with self._changed:
            if wait:
                self._changed.wait_for(lambda: self._waiting or not self._makers)
            if not self._waiting:
                return None
            thing, weight = self._waiting.popleft()
            self._weight -= weight
            self._changed.notify_all()
            return thing

    def close(self) -> None:
        """Drop what waits; makers are told to stop at their next `put`."""
        with self._changed:
            self._closed = True
            self._waiting.clear()
            self._changed.notify_all()

    @property
    def finished(self) -> bool:
        """Nothing waits and nobody makes anything any more."""
        with self._changed:
            return not self._waiting and not self._makers
