"""The native library that the worker would load, looked at from outside without loading it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import rag
from rag.engine.supervisor import worker_environment
from rag.errors import EngineStartFailed
from rag.models.quantisation import KNOWN
from rag.settings import EngineSettings

PROBE_TIMEOUT_S = 60.0


@dataclass(frozen=True, slots=True)
class Library:
    """What `python -m rag.engine.probe` found out. gpu: it can keep layers on a device."""

    version: str
    folder: str
    devices: tuple[str, ...]
    gpu: bool
    types: frozenset[int]


def types_named_in(options: EngineSettings) -> frozenset[int] | None:
    """Weight types whose names stand in the library's file; None if there is no library.

    Takes milliseconds, so that a file can be judged without a process. It never overlooks a type, but one
    whose name ends another's (q2_0 in tq2_0) may be taken for known; the worker asks the library itself.
    """
    folder = _folder(options)
    path = next((p for p in folder.glob("libggml-base.*")), None) if folder else None
    if path is None:
        return None
    contents = path.read_bytes()
    return frozenset(i for i, kind in KNOWN.items() if kind.name.encode() + b"\0" in contents)


def probe(options: EngineSettings) -> Library:
    """Load the library in a process of its own and ask it. Raises EngineStartFailed or SettingsError."""
    root = str(Path(rag.__file__).resolve().parents[1])
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "rag.engine.probe"],
            env={**os.environ, **worker_environment(options), "PYTHONPATH": os.pathsep.join(paths)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PROBE_TIMEOUT_S,
            text=True,
            errors="replace",
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise EngineStartFailed(f"The engine's library did not load within {PROBE_TIMEOUT_S:g} s.") from error
    lines = done.stdout.splitlines()
    if done.returncode != 0 or not lines:
        said = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise EngineStartFailed(
            f"The engine's library could not be loaded (exit code {done.returncode}): {said}",
            fix="Install llama-cpp-python again, or set engine.library to a folder with a fitting libllama.",
        )
    values = json.loads(lines[-1])
    return Library(
        version=values["version"],
        folder=values["folder"],
        devices=tuple(values["devices"]),
        gpu=values["gpu"],
        types=frozenset(values["types"]),
    )


def _folder(options: EngineSettings) -> Path | None:
    if options.library:
        return Path(options.library).expanduser()
    if os.environ.get("LLAMA_CPP_LIB_PATH"):
        return Path(os.environ["LLAMA_CPP_LIB_PATH"])
    spec = find_spec("llama_cpp")
    return Path(spec.origin).parent / "lib" if spec is not None and spec.origin else None
