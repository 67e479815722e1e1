"""What is under the paths now, as the plan wants it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from ingest.sync.plan import Found, outermost
from ingest.walk import printable, walk
from rag.library import Source


def roots_of(paths: Sequence[Path]) -> list[str]:
    """Absolute, in their order; one that lies under another says nothing more and is left out."""
    return outermost(os.path.abspath(path.expanduser()) for path in paths)


def look(roots: Sequence[str]) -> Iterator[Found]:
    """Every file under the roots. Raises NothingToWorkOn at the first root that does not exist."""
    for root in roots:
        for file in walk(Path(root)):
            source = Source(
                location=str(file.path),
                root=printable(root),
                path=file.relative,
                size=file.size,
                mtime_ns=file.mtime_ns,
            )
            yield Found(source, 0.0 if file.skip is not None else _changed(file.path), file.skip)


def _changed(path: Path) -> float:
    """When anything about the file changed last; far in the future if nobody can say."""
    try:
        return os.stat(path).st_ctime
    except OSError:
        return float("inf")
