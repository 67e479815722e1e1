"""Whether what a command line names is there."""

from __future__ import annotations

from pathlib import Path

from rag.errors import NothingToWorkOn


def must_exist(path: Path) -> None:
    """Raises NothingToWorkOn if there is neither a file nor a folder at `path`."""
    if not path.exists():
        raise NothingToWorkOn(f"There is no file or folder at {path}.", fix="Check the path.")
