"""The conversations' database as numbered steps. A step that was ever released is never edited: add another.

The number of the last applied step stands in the database header (`user_version`).
"""

from __future__ import annotations

import sqlite3

from rag.errors import RagError

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
    if _version(connection) == len(STEPS):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = _version(connection)
        if version > len(STEPS):
            raise RagError(
                f"The conversations were written by a newer version (schema {version}, known: {len(STEPS)}).",
                fix="Update the program, or use another data folder (RAG_HOME).",
            )
        for number, step in enumerate(STEPS[version:], start=version + 1):
            for statement in step:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number}")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])
