"""Whole ingest against the bare embedder: `python -m benchmarks.ingest FOLDER [--files N] [--json]`.

The folder (or N of its files, spread over it) is ingested into a scratch library, from nothing to the
published vector index. Then the embedder alone embeds the very same chunks. The quotient of the two speeds
says what reading, cutting, storing and indexing cost beside embedding. Both are measured in one run, since
the speed of a machine changes; the bare embedder is measured before and after the ingest, in halves.
"""

from __future__ import annotations

import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from ingest.progress import shown
from ingest.sync import run
from rag.cli import frame
from rag.embedding import load
from rag.embedding.protocol import Embedder, Vectors
from rag.errors import NothingToWorkOn
from rag.library import Library
from rag.settings import Settings
from rag.text.context import embedding_text


def main(argv: Sequence[str] | None = None) -> int:
    argv = list(sys.argv[1:] if argv is None else argv)
    return frame.execute(lambda: _measure(argv), as_json="--json" in argv)


def _measure(argv: list[str]) -> int:
    parser = frame.Parser(prog="python -m benchmarks.ingest", parents=[frame.shared_options()])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--files", type=int, help="ingest only so many of the folder's files")
    arguments = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="bench-ingest-") as scratch:
        settings = frame.settings_of(arguments).model_copy(update={"home": Path(scratch) / "home"})
        folder = part_of(arguments.folder, arguments.files, Path(scratch))
        embedder = load(settings)
        try:
            figures = _figures(settings, folder, embedder)
        finally:
            embedder.close()
    if arguments.json:
        frame.write_json(figures)
    else:
        for name, value in figures.items():
            print(f"{name:>28}  {value:,.3f}" if isinstance(value, float) else f"{name:>28}  {value:,}")
    return frame.DONE


def _figures(settings: Settings, folder: Path, embedder: Embedder) -> dict[str, float | int]:
    # The first half of the bare measurement comes before the ingest, so the chunks are made beforehand.
    learned = settings.model_copy(update={"home": settings.home.with_name("learned")})
    run(learned, [folder], embedder=_OnlyTokens(embedder))
    texts = _texts(learned)
    if not texts:
        raise NothingToWorkOn(f"Nothing in {folder} gives any text.", fix="Name another folder.")
    before = _bare(embedder, texts[::2])
    with shown() as show:
        report = run(settings, [folder], embedder=embedder, progress=show)
    after = _bare(embedder, texts[1::2])
    begin = time.monotonic()
    again = run(settings, [folder], embedder=embedder)
    assert not again.changed
    bare = len(texts) / (before + after)
    whole = report.chunks / report.seconds
    return {
        "files": len(report.added),
        "files without text": len(report.skipped) + len(report.failed),
        "chunks": report.chunks,
        "chunks embedded": report.embedded,
        "ingest seconds": report.seconds,
        "second run seconds": time.monotonic() - begin,
        "ingest chunks/s": whole,
        "bare embedder chunks/s": bare,
        "ingest / bare embedder": whole / bare,
        "peak memory MiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


class _OnlyTokens:
    """Cuts like the embedder that it stands for, and embeds nothing."""

    def __init__(self, embedder: Embedder) -> None:
        self.id = "only tokens"
        self.dimension = 2
        self.max_tokens = embedder.max_tokens
        self.token_offsets = embedder.token_offsets

    def embed_passages(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        return np.tile(np.array([1, 0], np.float32), (len(texts), 1))

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self.embed_passages(texts)

    def close(self) -> None:
        pass


def _bare(embedder: Embedder, texts: Sequence[str]) -> float:
    begin = time.monotonic()
    embedder.embed_passages(texts)
    return time.monotonic() - begin


def _texts(settings: Settings) -> list[str]:
    library = Library.open(settings)
    try:
        return [
            embedding_text(chunk, file.title or None)
            for file in library.files()
            if file.sha256 and file.state == "live"
            for chunk in library.neighbours(file.sha256, 0, 1 << 40)
        ]
    finally:
        library.close()


def part_of(folder: Path, count: int | None, scratch: Path) -> Path:
    """The folder itself, or a copy below `scratch` of `count` of its files, spread over it."""
    if count is None:
        return folder
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    step = max(1, len(files) // count)
    part = scratch / "docs"
    for path in files[::step][:count]:
        target = part / path.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target)
    return part


if __name__ == "__main__":
    sys.exit(main())
