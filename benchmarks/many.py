"""Ten thousand small files: does memory stay flat, and is an unchanged run quick?

`python -m benchmarks.many [--files 10000] [--embedder real|none] [--json]` writes files of one sentence
each into a scratch folder, ingests them into a scratch library in a process of its own, and measures the
resident memory of that process (VmRSS) when 1,000 files are done and at the end. Then a second, unchanged
run is timed, with the start of Python in it. `--embedder none` stores vectors that cost nothing: reading,
cutting, storing and indexing alone, which is where memory would grow; embedding 10,000 sentences takes 10 to
20 minutes more on two cores.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from ingest.progress import Progress, shown
from ingest.sync import run
from rag import settings as settings_module
from rag.embedding.protocol import Vectors

_NOUNS = (
    "allowance",
    "invoice",
    "pump",
    "valve",
    "contract",
    "仓库",
    "合同",
    "传感器",
    "training",
    "visitor",
)
_VERBS = (
    "is checked",
    "was moved",
    "will be paid",
    "is stored",
    "needs a permit",
    "由部门登记",
    "每年检查一次",
)
_FILES_A_FOLDER = 200
_EARLY = 1000


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.many",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--embedder", choices=("real", "none"), default="none")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--inside", nargs=2, metavar=("HOME", "FOLDER"), help=argparse.SUPPRESS)
    arguments = parser.parse_args(argv)
    if arguments.inside:
        _ingest(Path(arguments.inside[0]), Path(arguments.inside[1]), real=arguments.embedder == "real")
        return 0
    with tempfile.TemporaryDirectory(prefix="bench-many-") as scratch:
        folder, home = Path(scratch) / "docs", Path(scratch) / "home"
        write(folder, arguments.files)
        first = _in_a_process(home, folder, arguments.embedder)
        begin = time.monotonic()
        second = _in_a_process(home, folder, arguments.embedder)
        seconds = time.monotonic() - begin
    assert second["unchanged"] == arguments.files, second
    figures = {
        "files": arguments.files,
        "chunks": first["chunks"],
        "first run seconds": first["seconds"],
        f"MiB at {_EARLY} files": first["early"],
        "MiB at the end of reading": first["late"],
        "MiB after publishing": first["end"],
        "end / early": first["late"] / first["early"],
        "unchanged run seconds": seconds,
    }
    if arguments.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:>28}  {value:,.2f}" if isinstance(value, float) else f"{name:>28}  {value:,}")
    return 0


def write(folder: Path, count: int) -> None:
    """Files of one sentence, no two the same, in folders of 200."""
    chance = random.Random(5)
    for number in range(count):
        path = (
            folder / f"{number // _FILES_A_FOLDER:03}" / f"note-{number:05}{chance.choice(('.txt', '.md'))}"
        )
        path.parent.mkdir(parents=True, exist_ok=True)
        sentence = f"The {chance.choice(_NOUNS)} number {number} {chance.choice(_VERBS)}."
        path.write_text(sentence + "\n", encoding="utf-8")


def _in_a_process(home: Path, folder: Path, embedder: str) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.many", "--inside", str(home), str(folder), "--embedder", embedder],
        stdout=subprocess.PIPE,
        check=True,
    )
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def _ingest(home: Path, folder: Path, *, real: bool) -> None:
    settings = settings_module.load(home=home)
    memory: dict[str, float] = {}
    with shown() as show:

        def tell(progress: Progress) -> None:
            if progress.phase == "reading":
                if progress.files_done >= _EARLY:
                    memory.setdefault("early", _resident_mib())
                memory["late"] = _resident_mib()
            show(progress)

        report = run(settings, [folder], embedder=None if real else _Costless(), progress=tell)
    assert not report.failed, report.failed[:3]
    print(
        json.dumps(
            {
                "early": memory.get("early", 0.0),
                "late": memory.get("late", 0.0),
                "end": _resident_mib(),
                "chunks": report.chunks,
                "seconds": report.seconds,
                "unchanged": report.unchanged,
            }
        )
    )


class _Costless:
    """Vectors that say nothing, made at once."""

    id = "costless"
    dimension = 384
    max_tokens = 512

    def token_offsets(self, text: str) -> list[tuple[int, int]]:
        return [(place, place + 1) for place in range(len(text))]

    def embed_passages(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        if progress:
            progress(len(texts))
        return self.embed_queries(texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        rows = np.random.default_rng(len(texts)).normal(size=(len(texts), self.dimension)).astype(np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def close(self) -> None:
        pass


def _resident_mib() -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise OSError("This system does not say how much memory a process holds (/proc is Linux's).")


if __name__ == "__main__":
    sys.exit(main())
