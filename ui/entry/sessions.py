"""Who is signed in: in the memory of this process only, so that a restart signs everybody out."""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

LONGEST_S = 7 * 24 * 3600.0
"""From signing in, however much it is used."""
_OF_ONE = 20
"""Sessions of one person; signing in once more ends the one that was used the longest time ago."""


@dataclass(frozen=True, slots=True)
class Session:
    """line: what was kept of the password when they signed in; another one now ends it. Times: monotonic."""

    name: str
    line: str
    begun: float
    used: float


class Sessions:
    """Sessions by the hash of their token: what lies in this memory lets nobody in. Threads may share it.

    idle_s: unused for so long they end. clock: for tests.
    """

    def __init__(self, idle_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._idle_s = idle_s
        self._clock = clock
        self._lock = threading.Lock()
        self._sessions: dict[bytes, Session] = {}

    def begin(self, name: str, line: str) -> str:
        """A new token, which nobody has seen before."""
        token, now = secrets.token_urlsafe(32), self._clock()
        with self._lock:
            self._sessions = {key: each for key, each in self._sessions.items() if self._lives(each, now)}
            own = sorted(
                (key for key, each in self._sessions.items() if each.name == name),
                key=lambda key: self._sessions[key].used,
            )
            for key in own[: max(0, len(own) - _OF_ONE + 1)]:
                del self._sessions[key]
            self._sessions[_key(token)] = Session(name, line, now, now)
        return token

    def find(self, token: str, *, uses: bool) -> Session | None:
        """uses: a person does something, so the time without use begins anew."""
        key, now = _key(token), self._clock()
        with self._lock:
            session = self._sessions.get(key)
            if session is None:
                return None
            if not self._lives(session, now):
                del self._sessions[key]
                return None
            if uses:
                self._sessions[key] = replace(session, used=now)
            return session

    def end(self, token: str) -> None:
        with self._lock:
            self._sessions.pop(_key(token), None)

    def _lives(self, session: Session, now: float) -> bool:
        return now - session.used < self._idle_s and now - session.begun < LONGEST_S


def _key(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
