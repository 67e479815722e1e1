"""A reader process that dies, hangs or eats memory over files whose text says so; else the real one.

In a container the files in it are told what to do by their own text.
"""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

from ingest import contents, reading_worker

_find, _find_in_bytes = contents.find, contents.find_in_bytes


def find(path: Path, **options: Any) -> Any:
    text = path.read_text(errors="replace") if path.exists() else ""
    _obey(text, path.parent / f".{path.name}.crashed")
    return _find(path, **options)


def find_in_bytes(data: bytes, name: str, **options: Any) -> Any:
    _obey(data.decode(errors="replace"), Path("/nowhere"))
    return _find_in_bytes(data, name, **options)


def _obey(text: str, mark: Path) -> None:
    words = text.split()
    order = words[0] if words else ""
    if order == "CRASH":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif order == "CRASH-ONCE" and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGSEGV)
    elif order == "HANG":
        time.sleep(600)
    elif order == "EXIT":
        os._exit(7)
    elif order == "NOISE":
        print("a library's chatter " * 10_000, flush=True)
    elif order == "ABORT-FULL":
        full = bytearray(b"1" * (160 << 20))
        time.sleep(1)  # until it has been looked at
        assert full
        os.kill(os.getpid(), signal.SIGABRT)
    elif order == "MEMORY":
        held = []
        while True:
            held.append(bytearray(16 << 20))


if __name__ == "__main__":
    contents.find, contents.find_in_bytes = find, find_in_bytes
    reading_worker.main()
