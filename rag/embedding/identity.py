"""What an embedder is: the content of the files that decide its vectors."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path


def content_id(folder: Path, names: Sequence[str], remembered: Path) -> str:
    """Twelve hex digits over the names and contents of `names` in `folder`.

    Hashes already known are taken from the JSON file `remembered` as long as size and time of change
    of a file are what they were; new ones are added to it.
    """
    known = _read(remembered)
    total = hashlib.sha256()
    changed = False
    for name in sorted(names):
        path = folder / name
        status = path.stat()
        entry = known.get(name)
        if entry is None or entry[:2] != [status.st_size, status.st_mtime_ns]:
            entry = known[name] = [status.st_size, status.st_mtime_ns, file_hash(path)]
            changed = True
        total.update(f"{name}\0{entry[2]}\n".encode())
    if changed:
        # A read-only place only costs the time of hashing again.
        with contextlib.suppress(OSError):
            _write(remembered, known)
    return total.hexdigest()[:12]


def file_hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _read(path: Path) -> dict[str, list[object]]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, json.JSONDecodeError):
        return {}
    return content if isinstance(content, dict) else {}


def _write(path: Path, content: dict[str, list[object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.name}.{os.getpid()}")
    temporary.write_text(json.dumps(content, indent=1), encoding="utf-8")
    temporary.replace(path)
