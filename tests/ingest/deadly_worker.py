"""A reader process that dies, hangs or eats memory over files whose text says so; else the real one."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

from ingest import reading_worker
from ingest.readers import Limits

_real = reading_worker.answer


def answer(path: Path, passwords: list[str], limits: Limits) -> dict[str, Any]:
    words = path.read_text(errors="replace").split() if path.exists() else []
    order = words[0] if words else ""
    if order == "CRASH":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif order == "CRASH-ONCE" and not (mark := path.parent / f".{path.name}.crashed").exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGSEGV)
    elif order == "HANG":
        time.sleep(600)
    elif order == "EXIT":
        os._exit(7)
    elif order == "NOISE":
        print("a library's chatter " * 10_000, flush=True)
    elif order == "MEMORY":
        held = []
        while True:
            held.append(bytearray(16 << 20))
    return _real(path, passwords, limits)


if __name__ == "__main__":
    reading_worker.answer = answer
    reading_worker.main()
