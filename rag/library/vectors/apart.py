"""Publishing in a child process: what Chroma takes of memory ends with it, and so would a crash of Chroma.

Run as `python -m rag.library.vectors.apart PARENT HOME [anew]`; it tells its parent on standard output, one
JSON object a line: {"done": n, "total": n}, at the end {"error": message, "fix": …} if it failed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from rag import child
from rag.errors import LibraryError
from rag.library.database import Database
from rag.library.vectors.publish import Progress, is_in_step, publish


def publish_apart(
    home: Path, database: Database, *, anew: bool = False, progress: Progress | None = None
) -> None:
    """As `publish.publish`, which is called in the child. Raises LibraryError if the child fails or dies."""
    if not anew and is_in_step(database.connection()):
        return
    process = subprocess.Popen(
        child.command(__name__, str(home), *(["anew"] if anew else [])),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        **child.surroundings(),
    )
    assert process.stdout is not None
    failure: dict[str, str] = {}
    try:
        for line in process.stdout:
            told = json.loads(line)
            if "error" in told:
                failure = told
            elif progress:
                progress(told["done"], told["total"])
        code = process.wait()
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
    if failure:
        raise LibraryError(failure["error"], fix=failure["fix"])
    if code:
        raise LibraryError(
            f"Making the vector index ended with {f'signal {-code}' if code < 0 else f'exit code {code}'}.",
            fix="Searches stay right without it, only slower. Run `python -m ingest --rebuild`.",
        )


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
