"""A SQLite database brought to its newest schema by numbered steps.

The number of the last applied step stands in the database header (`user_version`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence

from rag.errors import RagError

UPDATE = "Update the program, or use another data folder (RAG_HOME)."


def bring_up(
    connection: sqlite3.Connection, steps: Sequence[Sequence[str]], newer: Callable[[int], RagError]
) -> None:
    """Applies the steps, each the statements of one, that the database has not seen; all of them or none.

    Several processes may call this at once. newer: the error to raise for a database of a later version of
    the program, whose schema has this number.
    """
    if _version(connection) == len(steps):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = _version(connection)
        if version > len(steps):
            raise newer(version)
        for number, step in enumerate(steps[version:], start=version + 1):
            for statement in step:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number}")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])
