"""Publishing in a child process: what Chroma takes of memory ends with it, and so would a crash of Chroma.

Run as `python -m rag.library.vectors.apart PARENT HOME [anew]`; it tells its parent on standard output, one
JSON object a line: {"done": n, "total": n}, at the end {"error": message, "fix": …} if it failed.
"""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from rag import child
from rag.errors import LibraryError
from rag.library.database import Database
from rag.library.vectors.publish import Progress, is_in_step, publish

_PATIENCE_S = 0.25


def publish_apart(
    home: Path, database: Database, *, anew: bool = False, progress: Progress | None = None
) -> None:
    """As `publish.publish`, which is called in the child. Raises LibraryError if the child fails or dies.

    progress: called at least every quarter of a second, (0, 0) while there is nothing to tell; what it raises
    ends the child.
    """
    if not anew and is_in_step(database.connection()):
        return
    process = subprocess.Popen(
        child.command(__name__, str(home), *(["anew"] if anew else [])),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        bufsize=0,
        **child.surroundings(),
    )
    out = process.stdout
    assert out is not None
    failure: dict[str, str] = {}
    done = total = 0
    try:
        for line in _lines(out):
            told = json.loads(line) if line else {}
            if "error" in told:
                failure = told
            elif told:
                done, total = told["done"], told["total"]
            if progress:
                progress(done, total)
        code = process.wait()
    finally:
        process.kill()
        process.wait()
        out.close()
    if failure:
        raise LibraryError(failure["error"], fix=failure["fix"])
    if code:
        raise LibraryError(
            f"Making the vector index ended with {f'signal {-code}' if code < 0 else f'exit code {code}'}.",
            fix="Searches stay right without it, only slower. Run `python -m ingest --rebuild`.",
        )


def _lines(out: IO[bytes]) -> Iterator[bytes]:
    """The lines of a pipe until its end; an empty one whenever none has come for a while."""
    rest = b""
    with selectors.DefaultSelector() as selector:
        selector.register(out, selectors.EVENT_READ)
        while True:
            if not selector.select(_PATIENCE_S):
                yield b""
                continue
            piece = os.read(out.fileno(), 1 << 16)
            if not piece:
                return
            *lines, rest = (rest + piece).split(b"\n")
            yield from filter(None, lines)


def main() -> int:
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a library prints must not end up among the messages
    child.die_with_parent()

    def tell(**values: int | str) -> None:
        print(json.dumps(values), file=out, flush=True)

    home = Path(sys.argv[2])
    try:
        publish(
            home,
            Database(home),
            anew="anew" in sys.argv[3:],
            progress=lambda done, total: tell(done=done, total=total),
        )
    except LibraryError as error:
        tell(error=error.message, fix=error.fix)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
