"""Run files: what was measured, with everything needed to measure it again.

JSON lines. The first is the header: {"run": 1, "command", "dataset", "created", "settings", "versions",
"hashes", …}; every other is one question with what was found and missed.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rag
from eval.presence import must_exist
from rag.errors import UsageError

if TYPE_CHECKING:
    from rag.settings import Settings

_WRITTEN_BY = "Name a file that `eval answers` or `eval retrieval` has written."
FORMAT = 1
PACKAGES = (
    "chromadb",
    "langchain-text-splitters",
    "llama-cpp-python",
    "onnxruntime",
    "pypdf",
    "pypdfium2",
    "scipy",
    "sentence-transformers",
    "tokenizers",
    "torch",
)


def header(command: str, dataset: str, **more: Any) -> dict[str, Any]:
    return {
        "run": FORMAT,
        "command": command,
        "dataset": dataset,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": versions(),
        **more,
    }


def versions() -> dict[str, str]:
    """Of this project, Python, and every package that can change a figure."""
    found = {"bonsai-rag": rag.__version__, "python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found


def library_version() -> str:
    """Of the package that brings the engine's library; a library of one's own says more in its log."""
    return versions()["llama-cpp-python"]


def model_hash(settings: Settings) -> str | None:
    """SHA-256 of the model file; None for an engine that is not a file of ours."""
    from rag.models import catalogue
    from rag.models.digests import Digests

    if "://" in settings.engine.model:
        return None
    return Digests(settings.models_dir).sha256(catalogue.locate(settings.engine.model, settings).path)


def system() -> dict[str, str]:
    """What times depend on and answers do not."""
    return {"machine": platform.machine(), "system": platform.system(), "cpus": str(os.cpu_count())}


class Growing:
    """A run file that has each line on the disk as soon as it is known: measurements may be cut short.

    Raises UsageError if `path` exists.
    """

    def __init__(self, path: Path, head: Mapping[str, Any]) -> None:
        if path.exists():
            raise UsageError(f"{path} exists.", fix="Name another file.")
        self.path = path
        write(path, head, [])

    def add(self, line: Mapping[str, Any]) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n")


def write(path: Path, head: Mapping[str, Any], lines: Iterable[Mapping[str, Any]]) -> None:
    """Writes the run whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with temporary.open("w", encoding="utf-8") as file:
            for item in (head, *lines):
                file.write(json.dumps(item, ensure_ascii=False, allow_nan=False) + "\n")
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def read(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Header and questions. Raises UsageError if it is not a run file, NothingToWorkOn if there is none."""
    must_exist(path)
    try:
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]
    except (OSError, ValueError) as error:
        raise UsageError(
            f"{path} is not a run file: {error}.",
            fix="Name a file that `eval answers` or `eval retrieval` wrote.",
        ) from error
    if not lines or not isinstance(lines[0], dict) or lines[0].get("run") != FORMAT:
        raise UsageError(
            f"{path} is not a run file of this version (its first line is no header).",
            fix=_WRITTEN_BY,
        )
    return lines[0], lines[1:]
