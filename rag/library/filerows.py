"""Statements that change what the manifest holds of files, for use inside a transaction of its writer.

A file that lies in another (an attachment, a file of an archive) has a row that points to the row of the
file on disk, and goes with it.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Collection, Sequence
from typing import Any

from rag.errors import LibraryError
from rag.library.columns import path_column, path_value
from rag.library.records import Source, StoredFile
from rag.library.storing import next_generation
from rag.records import FileState


def stored_files(connection: sqlite3.Connection, collection: int) -> list[StoredFile]:
    rows = connection.execute(
        """
        SELECT f.location, f.root, f.path, f.size, f.mtime_ns, f.sha256, f.state, f.reason, f.recipe,
               f.examined, f.state = 'live', coalesce(d.recipe, f.recipe),
               coalesce(a.tries, 0), a.size, a.mtime_ns, a.recipe, holder.location
        FROM files f LEFT JOIN documents d ON d.id = f.document
             LEFT JOIN files holder ON holder.id = f.container
             LEFT JOIN attempts a ON a.collection = f.collection AND a.location = f.location
        WHERE f.collection = ?
        """,
        (collection,),
    )
    return [_stored_file(row) for row in rows]


def _stored_file(row: Sequence[Any]) -> StoredFile:
    location, root, path, size, mtime_ns, sha256, state, reason, recipe, examined, live, made_by = row[:12]
    tries, tried_size, tried_mtime_ns, tried_recipe, container = row[12:]
    return StoredFile(
        location=str(path_value(location)),
        root=root,
        path=path,
        size=size,
        mtime_ns=mtime_ns,
        sha256=sha256,
        state=state,
        reason=reason,
        recipe=recipe,
        examined=examined,
        live=bool(live),
        document_recipe=made_by,
        tries=tries,
        tried=(tried_size, tried_mtime_ns, tried_recipe) if tries else None,
        container=None if container is None else str(path_value(container)),
    )


def set_live(
    connection: sqlite3.Connection,
    collection: int,
    source: Source,
    document: int,
    sha256: str,
    recipe: str,
    *,
    inside: str | None = None,
) -> None:
    """Afterwards `drop_unused` removes what was live there before, if it is live nowhere else.

    inside: the location of the file on disk that this one lies in.
    """
    _write(connection, collection, source, "live", "", recipe, sha256, document, inside)
    forget_attempts(connection, collection, source.location)
    connection.execute(
        "INSERT OR IGNORE INTO members VALUES (?, ?, ?)", (collection, document, next_generation(connection))
    )


def set_folder(
    connection: sqlite3.Connection,
    collection: int,
    source: Source,
    reason: str,
    sha256: str,
    recipe: str,
    *,
    inside: str | None = None,
) -> None:
    """Live through the files in it, without a text of its own."""
    _write(connection, collection, source, "live", reason, recipe, sha256, None, inside)
    forget_attempts(connection, collection, source.location)


def set_aside(
    connection: sqlite3.Connection,
    collection: int,
    source: Source,
    state: FileState,
    reason: str,
    recipe: str,
    sha256: str | None,
    *,
    inside: str | None = None,
) -> None:
    _write(connection, collection, source, state, reason, recipe, sha256, None, inside)


def keep_members(
    connection: sqlite3.Connection, collection: int, location: str, kept: Collection[str]
) -> None:
    """Forget the files inside the one at `location` whose locations are not in `kept`."""
    rows = connection.execute(
        "SELECT m.id, m.location FROM files m JOIN files f ON f.id = m.container "
        "WHERE f.collection = ? AND f.location = ?",
        (collection, path_column(location)),
    ).fetchall()
    for number, member in rows:
        if str(path_value(member)) not in kept:
            connection.execute("DELETE FROM files WHERE id = ?", (number,))


def remove(connection: sqlite3.Connection, collection: int, location: str) -> None:
    """A file on disk, with the files that lie in it; those cannot be removed by themselves."""
    connection.execute(
        "DELETE FROM files WHERE collection = ? AND location = ? AND container IS NULL",
        (collection, path_column(location)),
    )
    forget_attempts(connection, collection, location)


def reopen(connection: sqlite3.Connection, collection: int, location: str) -> None:
    """Its members are going to change: until it is written again, nothing is known of its content."""
    connection.execute(
        "UPDATE files SET examined = 0 WHERE collection = ? AND location = ?",
        (collection, path_column(location)),
    )


def note_attempt(
    connection: sqlite3.Connection, collection: int, source: Source, recipe: str, tries: int
) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO attempts (collection, location, size, mtime_ns, recipe, tries) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        (collection, path_column(source.location), source.size, source.mtime_ns, recipe, tries),
    )


def forget_attempts(connection: sqlite3.Connection, collection: int, location: str) -> None:
    connection.execute(
        "DELETE FROM attempts WHERE collection = ? AND location = ?", (collection, path_column(location))
    )


def note_seen(connection: sqlite3.Connection, collection: int, source: Source) -> None:
    connection.execute(
        "INSERT OR IGNORE INTO files (collection, location, root, path, size, mtime_ns, state, updated) "
        "VALUES (?, ?, ?, ?, ?, ?, 'seen', ?)",
        (
            collection,
            path_column(source.location),
            source.root,
            source.path,
            source.size,
            source.mtime_ns,
            time.time(),
        ),
    )


def touch(connection: sqlite3.Connection, collection: int, source: Source) -> None:
    """With the paths of the files that lie in it."""
    connection.execute(
        "UPDATE files SET root = ?, path = ?, size = ?, mtime_ns = ?, examined = ? "
        "WHERE collection = ? AND location = ?",
        (
            source.root,
            source.path,
            source.size,
            source.mtime_ns,
            source.examined,
            collection,
            path_column(source.location),
        ),
    )
    for number, member in connection.execute(
        "SELECT m.id, m.location FROM files m JOIN files f ON f.id = m.container "
        "WHERE f.collection = ? AND f.location = ?",
        (collection, path_column(source.location)),
    ).fetchall():
        name = str(path_value(member))[len(source.location) :]
        connection.execute(
            "UPDATE files SET root = ?, path = ? WHERE id = ?", (source.root, source.path + name, number)
        )


def _write(
    connection: sqlite3.Connection,
    collection: int,
    source: Source,
    state: FileState,
    reason: str,
    recipe: str,
    sha256: str | None,
    document: int | None,
    inside: str | None,
) -> None:
    container = None if inside is None else _row(connection, collection, inside)
    connection.execute(
        """
        INSERT INTO files (collection, location, root, path, size, mtime_ns, examined, state, reason, recipe,
                           sha256, document, container, updated)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (collection, location) DO UPDATE SET
            root = excluded.root, path = excluded.path, size = excluded.size, mtime_ns = excluded.mtime_ns,
            examined = excluded.examined, state = excluded.state, reason = excluded.reason,
            recipe = excluded.recipe, sha256 = excluded.sha256, document = excluded.document,
            container = excluded.container, updated = excluded.updated
        """,
        (
            collection,
            path_column(source.location),
            source.root,
            source.path,
            source.size,
            source.mtime_ns,
            source.examined,
            state,
            reason,
            recipe,
            sha256,
            document,
            container,
            time.time(),
        ),
    )


def _row(connection: sqlite3.Connection, collection: int, location: str) -> int:
    row = connection.execute(
        "SELECT id FROM files WHERE collection = ? AND location = ?", (collection, path_column(location))
    ).fetchone()
    if row is None:
        raise LibraryError(
            f"{location} is not known, so nothing can be stored of what lies in it.",
            fix="This is a defect; please report it.",
        )
    return int(row[0])
