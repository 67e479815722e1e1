"""Steps are applied once each, in order, all or none."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from threading import Thread

import pytest

from rag.errors import LibraryError
from rag.schema_steps import bring_up

FIRST = ("CREATE TABLE a (x)", "INSERT INTO a VALUES (1)")
SECOND = ("INSERT INTO a VALUES (2)",)


def newer(version: int) -> LibraryError:
    return LibraryError(f"schema {version}", fix="Update.")


def opened(path: Path | str = ":memory:") -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None, timeout=30)


def rows(connection: sqlite3.Connection) -> list[int]:
    return [x for (x,) in connection.execute("SELECT x FROM a ORDER BY x")]


def test_only_new_steps_are_applied() -> None:
    connection = opened()
    bring_up(connection, [FIRST], newer)
    assert rows(connection) == [1]
    bring_up(connection, [FIRST, SECOND], newer)
    bring_up(connection, [FIRST, SECOND], newer)
    assert rows(connection) == [1, 2]


def test_a_step_that_fails_leaves_nothing_behind() -> None:
    connection = opened()
    bring_up(connection, [FIRST], newer)
    with pytest.raises(sqlite3.OperationalError):
        bring_up(connection, [FIRST, (*SECOND, "INSERT INTO b VALUES (1)")], newer)
    assert rows(connection) == [1]
    bring_up(connection, [FIRST, SECOND], newer)
    assert rows(connection) == [1, 2]


def test_a_later_versions_database_is_left_alone() -> None:
    connection = opened()
    bring_up(connection, [FIRST, SECOND], newer)
    with pytest.raises(LibraryError, match="schema 2"):
        bring_up(connection, [FIRST], newer)
    assert not connection.in_transaction
    assert rows(connection) == [1, 2]


def test_several_at_once_apply_each_step_once(tmp_path: Path) -> None:
    def upgrade() -> None:
        connection = opened(tmp_path / "a.sqlite")
        bring_up(connection, [FIRST, SECOND], newer)
        connection.close()

    threads = [Thread(target=upgrade) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert rows(opened(tmp_path / "a.sqlite")) == [1, 2]
