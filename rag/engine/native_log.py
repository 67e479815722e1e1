"""The native library's log, inside the worker: whole lines to standard error, buffer sizes remembered.

The service reads the worker's standard error and keeps its last lines: what native code says on its way
down (an assertion, a CUDA error) arrives there too, although no callback runs any more.
"""

from __future__ import annotations

import re
import sys
from typing import Any

DEBUG, INFO, WARNING, ERROR, CONTINUED = 1, 2, 3, 4, 5
MARKS = {INFO: "I ", WARNING: "W ", ERROR: "E "}
"""How a line of the library's log begins on standard error; other lines come from elsewhere."""

_BUFFER = re.compile(r"^\S+: +(?P<name>\S.*?) +buffer size = +(?P<mib>[\d.]+) MiB")


def buffer_size(line: str) -> tuple[str, float] | None:
    """Name and MiB of a line such as "load_tensors:   CPU_Mapped model buffer size =    92.10 MiB"."""
    found = _BUFFER.search(line)
    return (" ".join(found["name"].split()), float(found["mib"])) if found else None


class NativeLog:
    """Receives the library's messages. Call `attach` once; keep the object as long as the library lives."""

    def __init__(self) -> None:
        self.buffers_mib: dict[str, float] = {}
        self.errors: list[str] = []
        self._line = ""
        self._level = INFO
        self._callback: Any = None

    def attach(self, llama: Any) -> None:
        """llama: the module llama_cpp.llama_cpp."""
        self._callback = llama.llama_log_callback(self._receive)
        llama.llama_log_set(self._callback, None)

    def say(self, line: str) -> None:
        """A line of our own among the library's."""
        sys.stderr.write(f"{MARKS[INFO]}{line}\n")
        sys.stderr.flush()

    def _receive(self, level: int, text: bytes, _user_data: object) -> None:
        if level != CONTINUED:
            self._level = level
        if self._level == DEBUG:
            return  # thousands of lines a load
        self._line += text.decode("utf-8", errors="replace")
        while "\n" in self._line:
            line, self._line = self._line.split("\n", 1)
            self._whole_line(line.rstrip())

    def _whole_line(self, line: str) -> None:
        found = buffer_size(line)
        if found is not None:
            name, mib = found
            # The same buffer is reported again when the context is reserved anew: the last size holds.
            self.buffers_mib[name] = mib
        if self._level == ERROR:
            self.errors = [*self.errors[-9:], line]
        sys.stderr.write(f"{MARKS.get(self._level, MARKS[INFO])}{line}\n")
        sys.stderr.flush()
