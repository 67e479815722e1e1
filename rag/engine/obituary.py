"""What a worker process died of, in words."""

from __future__ import annotations

import re
import signal
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rag.engine.native_log import ERROR, MARKS

SHOWN_LINES = 3
_OUT_OF_MEMORY = ("out of memory", "failed to allocate", "cannot allocate memory", "bad_alloc", "memoryerror")

_NAMES_A_CAUSE = re.compile(
    r"GGML_ASSERT|CUDA error|^terminate called|^\s*what\(\)|^[\w.]*(Error|Exception)(:|$)"
)


@dataclass(frozen=True, slots=True)
class Death:
    """what: a clause that completes "the engine's process …". words: its last lines worth showing.

    out_of_memory: known for certain, from the system's count of such kills or from the log.
    closed: the service itself ended it.
    """

    what: str
    words: tuple[str, ...]
    out_of_memory: bool
    closed: bool = False

    @property
    def message(self) -> str:
        said = f" Its last words: {' / '.join(self.words)}" if self.words else ""
        return f"The engine's process {self.what}.{said}"


def oom_kills() -> int:
    """How many processes this system has killed for lack of memory since it started; 0 if unknown."""
    try:
        for line in Path("/proc/vmstat").read_text().splitlines():
            name, _, count = line.partition(" ")
            if name == "oom_kill":
                return int(count)
    except (OSError, ValueError):
        return 0  # not Linux, or hidden from us: the cause stays open then
    return 0


def describe_death(code: int, log: Sequence[str], oom_kills_before: int, *, closed: bool) -> Death:
    """code: as of subprocess (negative: the signal). log: the last lines of its standard error."""
    worth = _worth_showing(log)
    short = [line for line in worth if any(part in line.lower() for part in _OUT_OF_MEMORY)]
    said_so = bool(short)
    # Where memory ran out, the line that says so matters more than the places in the code behind it.
    words = tuple(short[-1:] or worth[-SHOWN_LINES:])
    if closed:
        return Death("was closed", (), False, closed=True)
    if code == -signal.SIGKILL:
        if oom_kills() > oom_kills_before:
            return Death("was killed by the system because memory ran out", words, True)
        return Death("was killed (signal 9: by someone, or by the system for lack of memory)", words, said_so)
    if code < 0:
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        return Death(f"crashed ({name})", words, said_so)
    return Death(f"ended unexpectedly (exit code {code})", words, said_so)


def _worth_showing(log: Sequence[str]) -> list[str]:
    """Errors of the library, and the lines of others that name a cause (an assertion, an exception)."""
    found = []
    for line in log:
        if line.startswith(MARKS[ERROR]):
            found.append(line.removeprefix(MARKS[ERROR]))
        elif not line.startswith(tuple(MARKS.values())) and _NAMES_A_CAUSE.search(line):
            found.append(line.strip())
    return found
