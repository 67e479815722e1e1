"""An ingest that is there to be killed: `python -m tests.faults.driver HOME FOLDER [PAUSE]`.

PAUSE: seconds that embedding one text takes, so that there is something to interrupt. It says "started" and
then, a line each, every phase that it comes to.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from ingest.progress import Progress
from ingest.sync import run
from rag import settings
from rag.embedding.protocol import Vectors
from rag.errors import RagError
from tests.rag.library.samples import WordEmbedder


class Slow(WordEmbedder):
    def __init__(self, pause_s: float) -> None:
        super().__init__()
        self._pause_s = pause_s

    def embed_passages(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        for _ in texts:
            time.sleep(self._pause_s)
            if progress:
                progress(1)
        return super().embed_passages(texts)


def main() -> int:
    home, folder, *pause = sys.argv[1:]
    print("started", flush=True)
    phases: list[str] = []

    def tell(progress: Progress) -> None:
        phase = "embedding" if progress.phase == "reading" and progress.chunks else progress.phase
        if phase not in phases:
            phases.append(phase)
            print(phase, flush=True)

    try:
        report = run(
            settings.load(home=Path(home)),
            [Path(folder)],
            embedder=Slow(float(pause[0]) if pause else 0.0),
            progress=tell,
        )
    except RagError as error:
        print(error, flush=True)
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    return 130 if report.interrupted else 0


if __name__ == "__main__":
    sys.exit(main())
