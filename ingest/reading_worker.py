"""The child process that reads files: `python -m ingest.reading_worker`, started by `ingest.reading`.

It takes one request after the other from its standard input and answers each on its standard output,
as pickles. It imports the readers and nothing else, bounds its own memory, and dies with its parent.
"""

from __future__ import annotations

import ctypes
import os
import pickle
import signal
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from ingest.readers import Limits, ReadError, Skipped, read
from rag.records import Document


@dataclass(frozen=True, slots=True)
class Request:
    """path: what to read. passwords: to try on a locked file. limits: of the reader itself.

    memory_bytes: that this process may use for it, beyond what it uses at rest.
    """

    path: str
    passwords: tuple[str, ...]
    limits: Limits
    memory_bytes: int


@dataclass(frozen=True, slots=True)
class Answer:
    """A document, or why there is none: skipped, or else failed. `out_of_memory`: at the bound."""

    document: Document | None = None
    reason: str = ""
    skipped: bool = False
    out_of_memory: bool = False


def answer(request: Request) -> Answer:
    try:
        return Answer(read(Path(request.path), password=request.passwords, limits=request.limits))
    except Skipped as error:
        return Answer(reason=error.reason, skipped=True)
    except ReadError as error:
        return Answer(reason=error.reason, out_of_memory=isinstance(error.__cause__, MemoryError))
    except MemoryError:
        return Answer(out_of_memory=True)


def main() -> None:
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    # What a library prints must not end up among the answers.
    os.dup2(2, 1)
    _die_with_parent()
    _be_first_to_go()
    _serve(requests, answers)


def _serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    while True:
        try:
            request: Request = pickle.load(requests)
        except EOFError:
            return
        _bound_memory(request.memory_bytes)
        pickle.dump(answer(request), answers, protocol=pickle.HIGHEST_PROTOCOL)
        answers.flush()


def _bound_memory(allowed: int) -> None:
    """Of the address space, since Linux bounds nothing else: what is used now and `allowed` more."""
    import resource

    try:
        used = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return  # not Linux: the parent watches this process alone
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (used + allowed, most))


def _die_with_parent() -> None:
    parent = os.getppid()
    if sys.platform == "linux":
        pr_set_pdeathsig = 1
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _be_first_to_go() -> None:
    """When the machine runs out of memory, this process is the one to end, not the one that stores."""
    try:
        Path("/proc/self/oom_score_adj").write_text("1000")
    except OSError:
        return  # not Linux


if __name__ == "__main__":
    # So that the pickled classes are found under their module's own name, not under __main__.
    from ingest.reading_worker import main as _main

    _main()
