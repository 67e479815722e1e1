"""Which Chroma folder readers open: named in the manifest, so that it changes in one step."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import asdict, dataclass, field
from pathlib import Path

FOLDER = "chroma"


@dataclass(frozen=True, slots=True)
class Published:
    """A finished index. folder: its name below `chroma`. generation, embedder: of the manifest it shows.

    seal: SHA-256 of its index files, see `chroma.seal`. shape: how it was built.
    """

    folder: str
    generation: int
    embedder: int
    seal: dict[str, str] = field(default_factory=dict)
    shape: dict[str, str | int] = field(default_factory=dict)

    def path(self, home: Path) -> Path:
        return home / FOLDER / self.folder


def published(connection: sqlite3.Connection) -> Published | None:
    row = connection.execute("SELECT value FROM meta WHERE key = 'published'").fetchone()
    return Published(**json.loads(row[0])) if row else None


def name(connection: sqlite3.Connection, index: Published) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO meta VALUES ('published', ?)", (json.dumps(asdict(index), sort_keys=True),)
    )
