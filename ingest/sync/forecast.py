"""How long the rest will take: calm enough to be read, and silent while nothing is known."""

from __future__ import annotations

import math

_QUIET_S = 5.0
"""Before that, one large or small file would decide."""
_LEAST_DONE = 32
_CALM_S = 15.0
"""A new estimate counts for half of what is said after about ten seconds."""


class Forecast:
    """Told again and again how much is done and how much is expected; clocks in seconds, any origin.

    Time counts from the first thing done on: what loading a model takes says nothing about the rest.
    """

    def __init__(self) -> None:
        self._begin: float | None = None
        self._done_then = 0
        self._told = 0.0
        self._left: float | None = None

    def left(self, now: float, done: int, expected: int) -> float | None:
        """Seconds until `done` is `expected`; None while there is nothing to judge by."""
        if not done:
            return None
        if self._begin is None:
            self._begin, self._done_then = now, done
            return None
        begun, made = now - self._begin, done - self._done_then
        if begun < _QUIET_S or made < _LEAST_DONE:
            return None
        estimate = max(0, expected - done) * begun / made
        if self._left is None:
            self._left = estimate
        else:
            passed = now - self._told
            ahead = max(0.0, self._left - passed)
            self._left = ahead + (estimate - ahead) * (1 - math.exp(-passed / _CALM_S))
        self._told = now
        return self._left
