"""The conversations' database as numbered steps. One that was ever released is never edited: add another."""

from __future__ import annotations

import sqlite3

from rag.errors import RagError
from rag.schema_steps import UPDATE, bring_up

STEPS: tuple[tuple[str, ...], ...] = (
    (
        """
        CREATE TABLE conversations (
            id TEXT PRIMARY KEY,
            owner TEXT NOT NULL,        -- a person's name as the login gives it, '' without a login
            title TEXT NOT NULL,
            created REAL NOT NULL,      -- seconds since 1970
            updated REAL NOT NULL
        ) WITHOUT ROWID
        """,
        "CREATE INDEX conversations_by_owner ON conversations (owner, updated)",
        """
        CREATE TABLE turns (
            conversation TEXT NOT NULL REFERENCES conversations ON DELETE CASCADE,
            ordinal INTEGER NOT NULL,
            created REAL NOT NULL,
            question TEXT NOT NULL,
            answer TEXT NOT NULL,       -- JSON, see rag.history.stored
            PRIMARY KEY (conversation, ordinal)
        ) WITHOUT ROWID
        """,
    ),
)


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the database to the newest schema. Several processes may call this at once.

    Raises RagError if it was written by a newer version of this program.
    """
    bring_up(
        connection,
        STEPS,
        lambda version: RagError(
            f"The conversations were written by a newer version (schema {version}, known: {len(STEPS)}).",
            fix=UPDATE,
        ),
    )
