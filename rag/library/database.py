"""Connections to the manifest: one a thread, the same settings everywhere.

Even a reader's connection writes: a file of shared memory beside the database. Where that cannot be (a full
disk, a folder that is mounted for reading only), the file is read as it lies there, which is sound while
nothing waits in the write-ahead log, and is looked at anew when the file has changed.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rag.errors import LibraryDamaged, LibraryError
from rag.library.data_folder import make_data_folder
from rag.library.migrations import migrate

FILE_NAME = "library.sqlite"
_BUSY_MS = 30_000
_NOT_WRITABLE = frozenset(
    {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN}
)


@dataclass(frozen=True, slots=True)
class _AsItLies:
    """A database that could only be opened for reading. state: of its files then; why: what forbade more."""

    state: tuple[int, ...]
    why: sqlite3.DatabaseError


class Database:
    """The SQLite file of a data folder. Any number of processes and threads may hold one.

    Readers see every commit at once and never wait for a writer (write-ahead log). Where nothing can be
    written, it can still be read. Raises LibraryDamaged where the file is not a database, LibraryError where
    it cannot be reached, SettingsError where the data folder cannot be made.
    """

    def __init__(self, home: Path, *, cache_mib: int = 32) -> None:
        """cache_mib: of the file's pages that every thread's connection may keep in memory."""
        self.path = home / FILE_NAME
        self._cache_mib = cache_mib
        self._threads = threading.local()
        self._turn = threading.Lock()
        make_data_folder(home)
        self.connection()

    def connection(self) -> sqlite3.Connection:
        """This thread's own connection, opened at its first call."""
        connection: sqlite3.Connection | None = getattr(self._threads, "connection", None)
        as_it_lies: _AsItLies | None = getattr(self._threads, "as_it_lies", None)
        if connection is not None and as_it_lies is not None and self._state() != as_it_lies.state:
            self.close()
            connection = None
        if connection is None:
            connection, self._threads.as_it_lies = self._open()
            self._threads.connection = connection
        return connection

    @property
    def only_readable(self) -> bool:
        """Whether nothing can be written to it just now; this thread's connection is then one for reading."""
        self.connection()
        return self._threads.as_it_lies is not None

    def require_writable(self) -> None:
        """Raises LibraryError if nothing can be written to it."""
        if self.only_readable:
            # Perhaps there is room by now.
            self.close()
            if self.only_readable:
                raise _explained(self._threads.as_it_lies.why, self.path)

    def close(self) -> None:
        """Close this thread's connection; those of other threads go with their threads."""
        connection: sqlite3.Connection | None = getattr(self._threads, "connection", None)
        if connection is not None:
            connection.close()
            self._threads.connection = None

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing. Only the holder of the writer's lock uses this; its threads take turns."""
        self.require_writable()
        connection = self.connection()
        # SQLite would let a thread that finds another writing sleep, and ever longer.
        with self._turn:
            try:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                connection.execute("COMMIT")
            except BaseException as error:
                # A full disk may already have ended the transaction.
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                if isinstance(error, sqlite3.OperationalError):
                    raise _explained(error, self.path) from error
                raise

    def _open(self) -> tuple[sqlite3.Connection, _AsItLies | None]:
        try:
            return self._prepared(
                sqlite3.connect(self.path, timeout=_BUSY_MS / 1000, isolation_level=None)
            ), None
        except sqlite3.DatabaseError as error:
            why = error
        if _class_of(why) in _NOT_WRITABLE and (state := self._state()) is not None:
            address = f"{self.path.absolute().as_uri()}?mode=ro&immutable=1"
            try:
                connection = sqlite3.connect(address, uri=True, isolation_level=None)
                return self._prepared(connection, to_write=False), _AsItLies(state, why)
            except sqlite3.DatabaseError as error:
                if _class_of(error) not in _NOT_WRITABLE:
                    why = error
        raise _explained(why, self.path) from why

    def _prepared(self, connection: sqlite3.Connection, *, to_write: bool = True) -> sqlite3.Connection:
        try:
            if to_write:
                connection.execute(f"PRAGMA busy_timeout = {_BUSY_MS}")
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = NORMAL")
                connection.execute("PRAGMA foreign_keys = ON")
                # What is deleted is overwritten: a removed document must not stay readable in the file.
                connection.execute("PRAGMA secure_delete = ON")
            else:
                connection.execute("PRAGMA temp_store = MEMORY")
            connection.execute(f"PRAGMA cache_size = -{self._cache_mib * 1024}")
            migrate(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _state(self) -> tuple[int, ...] | None:
        """By what it is seen that somebody has written; None while something waits in the log, or without a
        file."""
        try:
            file = self.path.stat()
        except OSError:
            return None
        try:
            waiting = self.path.with_name(self.path.name + "-wal").stat().st_size
        except OSError:
            waiting = 0
        return None if waiting else (file.st_ino, file.st_size, file.st_mtime_ns)


def _class_of(error: sqlite3.DatabaseError) -> int:
    """The low byte of the code."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _explained(error: sqlite3.DatabaseError, path: Path) -> LibraryError:
    code = _class_of(error)
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return LibraryDamaged(
            f"The library at {path} is damaged: {error}.",
            fix="Move this file and the folder 'chroma' beside it away (or put a backup in their place), "
            "then ingest the documents again; the documents themselves are untouched.",
        )
    if code == sqlite3.SQLITE_CANTOPEN:
        return LibraryError(
            f"The library at {path} cannot be opened: {error}.",
            fix="Check that the folder exists and may be written to.",
        )
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return LibraryError(
            f"The library at {path} could not be written: {error}.",
            fix="Make room on that disk and run this again: what was stored is safe, the rest is done then.",
        )
    return LibraryError(
        f"The library at {path} cannot be used: {error}.", fix="Check its disk and its rights."
    )
