"""Connections to the manifest: one a thread, the same settings everywhere."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rag.errors import LibraryDamaged, LibraryError
from rag.library.data_folder import make_data_folder
from rag.library.migrations import migrate

FILE_NAME = "library.sqlite"
_BUSY_MS = 30_000


class Database:
    """The SQLite file of a data folder. Any number of processes and threads may hold one.

    Readers see every commit at once and never wait for a writer (write-ahead log). Raises
    LibraryDamaged where the file is not a database, LibraryError where it cannot be reached, SettingsError
    where the data folder cannot be made.
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
        if connection is None:
            connection = self._threads.connection = self._open()
        return connection

    def close(self) -> None:
        """Close this thread's connection; those of other threads go with their threads."""
        connection: sqlite3.Connection | None = getattr(self._threads, "connection", None)
        if connection is not None:
            connection.close()
            self._threads.connection = None

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing. Only the holder of the writer's lock uses this; its threads take turns."""
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

    def _open(self) -> sqlite3.Connection:
        try:
            connection = sqlite3.connect(self.path, timeout=_BUSY_MS / 1000, isolation_level=None)
        except sqlite3.Error as error:
            raise LibraryError(
                f"The library at {self.path} cannot be opened: {error}.",
                fix="Check that the folder exists and may be written to.",
            ) from error
        try:
            connection.execute(f"PRAGMA busy_timeout = {_BUSY_MS}")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA foreign_keys = ON")
            # What is deleted is overwritten: a removed document must not stay readable in the file.
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute(f"PRAGMA cache_size = -{self._cache_mib * 1024}")
            migrate(connection)
        except sqlite3.DatabaseError as error:
            connection.close()
            raise _explained(error, self.path) from error
        except BaseException:
            connection.close()
            raise
        return connection


def _explained(error: sqlite3.DatabaseError, path: Path) -> LibraryError:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the low byte is the class of the error
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return LibraryDamaged(
            f"The library at {path} is damaged: {error}.",
            fix="Move this file and the folder 'chroma' beside it away (or put a backup in their place), "
            "then ingest the documents again; the documents themselves are untouched.",
        )
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return LibraryError(
            f"The library at {path} could not be written: {error}.",
            fix="Make room on that disk and run this again: what was stored is safe, the rest is done then.",
        )
    return LibraryError(
        f"The library at {path} cannot be used: {error}.", fix="Check its disk and its rights."
    )
