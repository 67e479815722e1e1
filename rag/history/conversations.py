"""Conversations of each person, kept over restarts."""

from __future__ import annotations

import sqlite3
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from rag.access import Asker, readable
from rag.errors import AccessDenied, LibraryError, RagError
from rag.history.schema import migrate
from rag.history.stored import from_json, to_json
from rag.records import Answer, Evidence, Turn
from rag.text.language import language

if TYPE_CHECKING:
    from rag.library import Library

FILE_NAME = "conversations.sqlite"
ASKED, WITHHELD = "collections", "withheld"
"""In the coverage of a kept answer: the collections that it was asked of; that it is withheld."""
_BUSY_S = 30.0
_TITLE_LENGTH = 80
_EMPTY_FOR_S = 24 * 3600
"""A conversation that has no turn after this time was never begun."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """created, updated: seconds since 1970. turns: how many questions it has."""

    id: str
    title: str
    created: float
    updated: float
    turns: int


class Conversations:
    """The conversations of a data folder; each belongs to one person, and nobody else ever sees it.

    A person is the name in `Asker`; all who come without a login share the nameless one. Any number of
    processes and threads may hold one of these: every call opens the database for itself.

    >>> conversations = Conversations(settings.home)                          # doctest: +SKIP
    >>> number = conversations.new(asker)                                     # doctest: +SKIP
    >>> conversations.add(asker, number, answer)                              # doctest: +SKIP

    Every call with an `id` raises AccessDenied if the asker has no such conversation.
    """

    def __init__(self, home: Path) -> None:
        self._path = home / FILE_NAME

    def new(self, asker: Asker, title: str = "") -> str:
        """The id of a new, empty conversation. Without a title the first question becomes it."""
        now = time.time()
        number = uuid.uuid4().hex
        with self._transaction() as connection:
            connection.execute(
                "DELETE FROM conversations WHERE created < ? AND NOT EXISTS "
                "(SELECT 1 FROM turns WHERE turns.conversation = conversations.id)",
                (now - _EMPTY_FOR_S,),
            )
            connection.execute(
                "INSERT INTO conversations VALUES (?, ?, ?, ?, ?)",
                (number, asker.name or "", _title(title), now, now),
            )
        return number

    def all(self, asker: Asker) -> list[Conversation]:
        """The asker's conversations that have at least one turn, the latest first."""
        with self._transaction() as connection:
            rows = connection.execute(
                "SELECT c.id, c.title, c.created, c.updated, count(*) FROM conversations c "
                "JOIN turns t ON t.conversation = c.id WHERE c.owner = ? "
                "GROUP BY c.id ORDER BY c.updated DESC, c.id",
                (asker.name or "",),
            ).fetchall()
        return [Conversation(*row) for row in rows]

    def rename(self, asker: Asker, id: str, title: str) -> None:
        with self._transaction() as connection:
            self._own(connection, asker, id)
            connection.execute("UPDATE conversations SET title = ? WHERE id = ?", (_title(title), id))

    def delete(self, asker: Asker, id: str) -> None:
        """With all its turns, for good."""
        with self._transaction() as connection:
            self._own(connection, asker, id)
            connection.execute("DELETE FROM conversations WHERE id = ?", (id,))

    def add(self, asker: Asker, id: str, answer: Answer) -> int:
        """Put a question and its answer at the end; returns the number of turns."""
        now = time.time()
        with self._transaction() as connection:
            title = self._own(connection, asker, id)
            (ordinal,) = connection.execute(
                "SELECT coalesce(max(ordinal) + 1, 0) FROM turns WHERE conversation = ?", (id,)
            ).fetchone()
            connection.execute(
                "INSERT INTO turns VALUES (?, ?, ?, ?, ?)",
                (id, ordinal, now, answer.question, to_json(answer)),
            )
            connection.execute(
                "UPDATE conversations SET updated = ?, title = ? WHERE id = ?",
                (now, title or _title(answer.question), id),
            )
        return int(ordinal) + 1

    def answers(self, asker: Asker, id: str, library: Library) -> list[Answer]:
        """All turns in order, as they were shown, the text of the evidence as the library has it now.

        Evidence that has left the library has the text "". An answer that rests on a collection which the
        asker may not read any more is withheld: only its question is left, and WITHHELD in its coverage. So
        is one that names documents without citing them (none was found, or each was asked) if such a
        collection was among those that it was asked of (ASKED in its coverage). For a person with a name, one
        that has gone counts as closed: it may have been closed to them before.
        """
        with self._transaction() as connection:
            self._own(connection, asker, id)
            rows = connection.execute(
                "SELECT answer FROM turns WHERE conversation = ? ORDER BY ordinal", (id,)
            ).fetchall()
        existing = library.collections()
        open_to_asker = set(readable(asker, existing))
        closed = {collection.name for collection in existing} - open_to_asker

        def unreadable(collection: str) -> bool:
            return collection not in open_to_asker if asker.name else collection in closed

        text_of = _TextOf(library, sorted(open_to_asker))
        answers = [_told(from_json(row[0], text_of), open_to_asker) for row in rows]
        return [_withheld(answer) if _rests_on(answer, unreadable) else answer for answer in answers]

    def turns(self, asker: Asker, id: str, library: Library) -> list[Turn]:
        """The conversation as `Answerer.ask` wants it."""
        return [Turn(answer.question, answer.text) for answer in self.answers(asker, id, library)]

    def _own(self, connection: sqlite3.Connection, asker: Asker, id: str) -> str:
        """The title of the asker's conversation."""
        row = connection.execute(
            "SELECT title FROM conversations WHERE id = ? AND owner = ?", (id, asker.name or "")
        ).fetchone()
        if row is None:
            raise AccessDenied("There is no such conversation of yours.", fix="Open one from the list.")
        return str(row[0])

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self._path, timeout=_BUSY_S, isolation_level=None)) as connection:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA foreign_keys = ON")
                connection.execute("PRAGMA secure_delete = ON")
                migrate(connection)
                connection.execute("BEGIN IMMEDIATE")
                try:
                    yield connection
                except BaseException:
                    connection.execute("ROLLBACK")
                    raise
                connection.execute("COMMIT")
        except (sqlite3.Error, OSError) as error:
            raise RagError(
                f"The conversations at {self._path} cannot be used: {error}.",
                fix="Check disk and rights; a damaged file can be moved away: it holds conversations only.",
            ) from error


class _TextOf:
    """Evidence → its text in the library, if its document is live where the asker may read."""

    def __init__(self, library: Library, collections: list[str]) -> None:
        self._library = library
        self._collections = collections
        self._texts: dict[str, str | None] = {}

    def __call__(self, evidence: Evidence) -> str | None:
        if evidence.document not in self._texts:
            self._texts[evidence.document] = self._text(evidence.document)
        text = self._texts[evidence.document]
        return None if text is None else text[evidence.start : evidence.end]

    def _text(self, sha256: str) -> str | None:
        if not self._library.files_of(sha256, self._collections):
            return None
        try:
            return self._library.document(sha256).text
        except LibraryError:
            return None  # it went between the two calls


def _told(answer: Answer, open_to_asker: set[str]) -> Answer:
    """Without copies in collections that the asker may not read any more."""
    evidence = [
        replace(item, copies=tuple(copy for copy in item.copies if copy.collection in open_to_asker))
        for item in answer.evidence
    ]
    return replace(answer, evidence=tuple(evidence))


def _rests_on(answer: Answer, unreadable: Callable[[str], bool]) -> bool:
    if any(unreadable(item.collection) for item in answer.evidence):
        return True
    names_uncited = not answer.evidence or not answer.found or answer.coverage.get("mode") == "every"
    asked = answer.coverage.get(ASKED)
    return names_uncited and isinstance(asked, list) and any(map(unreadable, asked))


def _withheld(answer: Answer) -> Answer:
    text = (
        "这个回答依据的文档您已无权查看。"
        if language(answer.question) == "zh"
        else "This answer rests on documents that you may no longer read."
    )
    return replace(
        answer,
        text=text,
        evidence=(),
        citations=(),
        unsupported=(),
        found=False,
        coverage={WITHHELD: True},
        thought="",
    )


def _title(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _TITLE_LENGTH else line[: _TITLE_LENGTH - 1] + "…"
