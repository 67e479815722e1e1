"""After wrong passwords the next try has to wait, longer each time.

Counted twice: for the address that tries, and for the name that is tried, so that neither one machine with
many names nor many machines with one name get far. A name's wait stays short, and does not hold for an
address from which that person has signed in before: nobody can be kept out by others' failures for long.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

FREE = 4
"""So many failures cost nothing: anybody mistypes."""
LONGEST_S, LONGEST_FOR_NAME_S = 60.0, 5.0
_FORGIVEN_S = 60.0
"""In every such time one failure."""
_MOST = 10_000


@dataclass(slots=True)
class _Count:
    failures: int
    last: float
    until: float


class Brake:
    """clock: for tests. Threads may share it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._counts: OrderedDict[tuple[str, str], _Count] = OrderedDict()
        self._good: OrderedDict[tuple[str, str], None] = OrderedDict()

    def begin(self, name: str, address: str) -> float:
        """Seconds to wait before this try is looked at; 0: now, and it counts as failed until `passed`."""
        now = self._clock()
        with self._lock:
            keys = self._keys(name, address)
            wait = max((self._counts[key].until - now for key, _ in keys if key in self._counts), default=0.0)
            if wait > 0:
                return wait
            for key, longest in keys:
                self._fail(key, longest, now)
            return 0.0

    def passed(self, name: str, address: str) -> None:
        """The try was right. Its address is forgiven this try only: who has a password of their own could
        else guess at others' for nothing in between."""
        with self._lock:
            self._counts.pop(("name", name), None)
            count = self._counts.get(("address", address))
            if count is not None:
                count.failures -= 1
                count.until = count.last
            self._good[name, address] = None
            while len(self._good) > _MOST:
                self._good.popitem(last=False)

    def _keys(self, name: str, address: str) -> list[tuple[tuple[str, str], float]]:
        keys = [(("address", address), LONGEST_S)]
        if (name, address) not in self._good:
            keys.append((("name", name), LONGEST_FOR_NAME_S))
        return keys

    def _fail(self, key: tuple[str, str], longest: float, now: float) -> None:
        count = self._counts.pop(key, None)
        if count is None:
            count = _Count(0, now, now)
        count.failures = max(0, count.failures - int((now - count.last) // _FORGIVEN_S)) + 1
        count.last = now
        count.until = (
            now + min(longest, 2.0 ** min(30, count.failures - FREE)) if count.failures >= FREE else now
        )
        self._counts[key] = count
        while len(self._counts) > _MOST:
            self._counts.popitem(last=False)
