"""When not to start the worker again: a model that kills its process at once must not do so for ever."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

LIMIT = 3
WINDOW_S = 60.0


class RestartGuard:
    """Counts failures; `LIMIT` of them within `WINDOW_S` seconds close the way for the rest of the window."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failures: deque[float] = deque(maxlen=LIMIT)

    def failed(self) -> None:
        self._failures.append(self._clock())

    def reset(self) -> None:
        """After a piece of work that succeeded."""
        self._failures.clear()

    def wait_s(self) -> float:
        """Seconds until the next start is allowed; 0 if it is now."""
        if len(self._failures) < LIMIT:
            return 0.0
        return max(0.0, self._failures[0] + WINDOW_S - self._clock())
