"""A run file that grows line by line, so that an interrupted run goes on where it was.

The header's `fingerprint` is a hash over everything that can change an answer: data, strategy, settings,
versions, code, model. A file with another fingerprint is never added to.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from eval import runs
from rag.errors import UsageError

if TYPE_CHECKING:
    from filelock import FileLock


def fingerprint(parts: Mapping[str, Any]) -> str:
    text = json.dumps(parts, ensure_ascii=False, sort_keys=True, allow_nan=False, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class Journal:
    """Opened for one run; `lines` has what is there already, by (file, id).

    Raises UsageError if `path` holds another run, naming what differs, or is being written by somebody else
    (the page and a command line, say, that were told to make the same run). Lines of questions that failed
    are not kept: they are asked again. A last line that was cut off in the middle is dropped.
    """

    def __init__(self, path: Path, head: Mapping[str, Any]) -> None:
        self.path = path
        self.lines: dict[tuple[str, str], dict[str, Any]] = {}
        self._lock = _locked(path)
        try:
            self._open(path, head)
        except BaseException:
            self._lock.release()
            raise

    def _open(self, path: Path, head: Mapping[str, Any]) -> None:
        if path.exists():
            known, lines = _whole_lines(path)
            if known.get("fingerprint") != head["fingerprint"]:
                raise UsageError(
                    f"{path} holds another run: {_differences(known, head)} differ.",
                    fix="Name another file, or leave -o out: every run then has its own.",
                )
            self.lines = {(line["file"], line["id"]): line for line in lines if "error" not in line}
            head = known
        self.head = head
        runs.write(path, head, self.lines.values())
        self._file = path.open("a", encoding="utf-8")

    def add(self, line: Mapping[str, Any]) -> None:
        """On the disk when this returns."""
        self._file.write(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n")
        self._file.flush()
        os.fsync(self._file.fileno())
        self.lines[line["file"], line["id"]] = dict(line)

    def finish(self, order: list[tuple[str, str]]) -> list[dict[str, Any]]:
        """Writes the file anew in the order of the questions and returns its lines."""
        self._file.close()
        lines = [self.lines[key] for key in order if key in self.lines]
        runs.write(self.path, {**self.head, "complete": len(lines) == len(order)}, lines)
        return lines

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
        self._lock.release()


def _locked(path: Path) -> FileLock:
    """The lock of one run file: a hidden file beside it, free again when its holder ends, however it ends."""
    from filelock import FileLock, Timeout

    path.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(path.with_name(f".{path.name}.lock"))
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        raise UsageError(
            f"{path} is being written by another evaluation.", fix="Wait until it is done, or stop it."
        ) from error
    return lock


def _whole_lines(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Header and lines. A journal's lines end with a line end; what follows the last one was cut off."""
    text = path.read_text(encoding="utf-8")
    lines = []
    for line in text[: text.rfind("\n") + 1].split("\n"):
        if line:
            try:
                lines.append(json.loads(line))
            except ValueError as error:
                raise UsageError(f"{path} is not a run file: {error}.", fix="Name another file.") from error
    if not lines or not isinstance(lines[0], dict) or lines[0].get("run") != runs.FORMAT:
        raise UsageError(f"{path} is not a run file of this version.", fix="Name another file.")
    return lines[0], lines[1:]


def _differences(known: Mapping[str, Any], head: Mapping[str, Any]) -> str:
    names = [
        name for name in head if name not in ("created", "fingerprint") and known.get(name) != head[name]
    ]
    return ", ".join(names) or "the fingerprints"
