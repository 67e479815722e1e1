"""SHA-256 of model files, remembered, because reading 7 GiB takes half a minute.

One JSON file beside the models: what was computed for a file of that size and time of change, and what the
hub said it should be when it was downloaded.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

BLOCK = 8 << 20


def is_digest(text: str) -> bool:
    """Is this a SHA-256 in hexadecimal digits?"""
    return re.fullmatch(r"[0-9a-fA-F]{64}", text) is not None


def written_beside(path: Path) -> str | None:
    """The digest in FILE.sha256 (as sha256sum writes it, or alone), in lower case; None if there is none."""
    beside = path.with_name(f"{path.name}.sha256")
    try:
        words = beside.read_text(encoding="utf-8", errors="replace").split()
    except FileNotFoundError:
        return None
    return words[0].lower() if words and is_digest(words[0]) else None


class Digests:
    """models_dir need not exist; it is made when there is something to remember."""

    def __init__(self, models_dir: Path) -> None:
        self._file = models_dir / "digests.json"

    def sha256(self, path: Path, progress: Callable[[int], None] = lambda _: None) -> str:
        """Hex digest; computed only if the file changed since the last time. progress: bytes more read."""
        found = path.stat()
        known = self._read().get(str(path.absolute()), {})
        if (known.get("size"), known.get("mtime_ns")) == (found.st_size, found.st_mtime_ns):
            return str(known["sha256"])
        digest = hashlib.sha256()
        with path.open("rb") as file:
            while block := file.read(BLOCK):
                digest.update(block)
                progress(len(block))
        self._remember(
            path, {"size": found.st_size, "mtime_ns": found.st_mtime_ns, "sha256": digest.hexdigest()}
        )
        return digest.hexdigest()

    def is_remembered(self, path: Path) -> bool:
        """Would `sha256` answer without reading the file?"""
        found = path.stat()
        known = self._read().get(str(path.absolute()), {})
        return (known.get("size"), known.get("mtime_ns")) == (found.st_size, found.st_mtime_ns)

    def expect(self, path: Path, sha256: str) -> None:
        """Remember what the hub says the digest of this file is."""
        self._remember(path, {"expected": sha256})

    def expected(self, path: Path) -> str | None:
        value = self._read().get(str(path.absolute()), {}).get("expected")
        return None if value is None else str(value)

    def _read(self) -> dict[str, Any]:
        try:
            values = json.loads(self._file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError):
            # A memory aid only: what is lost is computed again.
            return {}
        return values if isinstance(values, dict) else {}

    def _remember(self, path: Path, values: dict[str, Any]) -> None:
        everything = self._read()
        everything[str(path.absolute())] = {**everything.get(str(path.absolute()), {}), **values}
        temporary = self._file.with_suffix(f".{os.getpid()}.tmp")
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_text(json.dumps(everything, indent=1), encoding="utf-8")
            temporary.replace(self._file)
        except OSError:
            # A data folder that cannot be written to: the digest is right all the same.
            temporary.unlink(missing_ok=True)
