"""Changing the library. Every method is one transaction: it happened, or it did not."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager

from rag.embedding.protocol import Vectors
from rag.errors import LibraryError
from rag.library import filerows, keywords, storing
from rag.library.database import Database
from rag.library.embeddings import current_embedder
from rag.library.lock import writer_lock
from rag.library.rebuild import rebuild_keywords
from rag.library.records import Source, StoredFile
from rag.library.vectors.apart import publish_apart
from rag.library.whole import WholeLibrary
from rag.records import Chunk, Document, FileState
from rag.settings import Settings

WAIT_S = 3.0
"""How long a second writer waits for the first before it gives up."""
_CACHE_MIB = 2
"""A writer with several threads has as many caches, and is to stay small however large the library is."""


class LibraryWriter(WholeLibrary):
    """The library for its one writer. Get it from `writing`; it is bound to the thread that did.

    What is put is found by every reader's next search. The vector index over it is brought into step by
    `publish`, once, when the work is done.
    """

    # -- files -----------------------------------------------------------------------------------

    def stored_files(self, collection: str) -> list[StoredFile]:
        """Every path of a collection as the manifest remembers it."""
        connection = self._database.connection()
        return filerows.stored_files(connection, self._number(connection, collection))

    def document_recipe(self, sha256: str) -> str | None:
        """How a stored document was made; None if no document has this hash."""
        row = (
            self._database.connection()
            .execute("SELECT recipe FROM documents WHERE sha256 = ?", (sha256,))
            .fetchone()
        )
        return str(row[0]) if row else None

    def contains(self, sha256: str) -> int:
        """How many files lie in a stored document; 0 if no document has this hash."""
        row = (
            self._database.connection()
            .execute("SELECT contains FROM documents WHERE sha256 = ?", (sha256,))
            .fetchone()
        )
        return int(row[0]) if row else 0

    def note_seen(self, collection: str, sources: Iterable[Source]) -> None:
        """Paths that are going to be read, for the list of documents; known ones stay as they are."""
        with self._database.transaction() as connection:
            number = self._number(connection, collection)
            for source in sources:
                filerows.note_seen(connection, number, source)

    def reopen(self, collection: str, location: str) -> None:
        """The files that lie in this one are going to change one by one, before it is written itself: if that
        is interrupted, its own bytes do not vouch for them."""
        with self._database.transaction() as connection:
            filerows.reopen(connection, self._number(connection, collection), location)

    def note_attempts(self, collection: str, attempts: Iterable[tuple[Source, int]], recipe: str) -> None:
        """(source, how often its reading was begun, this time included), before it is read.

        Forgotten when something comes of it (`put`, `link`) or `forget_attempts` says that nothing died.
        """
        with self._database.transaction() as connection:
            number = self._number(connection, collection)
            for source, tries in attempts:
                filerows.note_attempt(connection, number, source, recipe, tries)

    def forget_attempts(self, collection: str, locations: Iterable[str]) -> None:
        with self._database.transaction() as connection:
            number = self._number(connection, collection)
            for location in locations:
                filerows.forget_attempts(connection, number, location)

    def put(
        self,
        collection: str,
        source: Source,
        document: Document,
        chunks: Sequence[Chunk],
        digests: Sequence[bytes],
        vectors: Vectors,
        *,
        recipe: str,
        pages_without_text: Sequence[int] = (),
        inside: str | None = None,
        contains: int = 0,
        members: Collection[str] = (),
        words: Sequence[str] | None = None,
    ) -> None:
        """Make `document` what is live under `source`, in the place of what was.

        chunks: in order; their ids are ignored, new ones are given. digests: of the text each vector was
        made from. vectors: shape (len(chunks), dimension). If the document was stored with another recipe
        its chunks are replaced wherever it is live.

        inside: the location of the file on disk that this one lies in, which must be known already.
        contains: how many files lie in these bytes. members: the locations of those that lie in this file;
        others that are known are forgotten. words: of each chunk, from `keywords.words_of`, where they could
        be made beforehand.
        """
        with self._database.transaction() as connection:
            embedder = current_embedder(connection)
            if embedder is None:
                raise LibraryError("No embedder was named before storing.", fix="Call use_embedder first.")
            if vectors.shape != (len(chunks), embedder.dimension):
                raise LibraryError(
                    f"{len(chunks)} chunks came with vectors of the shape {vectors.shape}; "
                    f"({len(chunks)}, {embedder.dimension}) was expected.",
                    fix="This is a defect; please report it.",
                )
            number = self._number(connection, collection)
            stored = storing.insert_document(
                connection,
                document,
                chunks,
                digests,
                recipe=recipe,
                pages_without_text=pages_without_text,
                contains=contains,
                words=words,
            )
            storing.insert_vectors(connection, stored.chunk_ids, embedder.number, vectors)
            filerows.set_live(
                connection, number, source, stored.number, document.sha256, recipe, inside=inside
            )
            filerows.keep_members(connection, number, source.location, members)
            storing.drop_unused(connection, number)

    def link(
        self,
        collection: str,
        source: Source,
        sha256: str,
        *,
        inside: str | None = None,
        members: Collection[str] = (),
    ) -> bool:
        """Make an already stored document live under `source` too. False if it is not stored (any more).

        inside, members: as for `put`.
        """
        with self._database.transaction() as connection:
            row = connection.execute(
                "SELECT id, recipe FROM documents WHERE sha256 = ?", (sha256,)
            ).fetchone()
            if row is None:
                return False
            number = self._number(connection, collection)
            filerows.set_live(connection, number, source, row[0], sha256, row[1], inside=inside)
            filerows.keep_members(connection, number, source.location, members)
            storing.drop_unused(connection, number)
        return True

    def put_folder(
        self,
        collection: str,
        source: Source,
        reason: str,
        sha256: str,
        *,
        recipe: str,
        inside: str | None = None,
        members: Collection[str] = (),
    ) -> None:
        """Make `source` live as a folder of the files that lie in it: it has no text of its own (`reason`).

        inside, members: as for `put`.
        """
        with self._database.transaction() as connection:
            number = self._number(connection, collection)
            filerows.set_folder(connection, number, source, reason, sha256, recipe, inside=inside)
            filerows.keep_members(connection, number, source.location, members)
            storing.drop_unused(connection, number)

    def touch(self, collection: str, sources: Iterable[Source]) -> None:
        """The content under these paths is as before; only what is remembered about the files changes."""
        with self._database.transaction() as connection:
            number = self._number(connection, collection)
            for source in sources:
                filerows.touch(connection, number, source)

    def set_aside(
        self,
        collection: str,
        source: Source,
        state: FileState,
        reason: str,
        *,
        recipe: str,
        sha256: str | None = None,
        died: bool = False,
        inside: str | None = None,
        members: Collection[str] = (),
    ) -> None:
        """Nothing is live under `source` (any more), and why: state "skipped" or "failed".

        died: the reading ended with the death of the reader, so its attempts are still counted. inside,
        members: as for `put`.
        """
        with self._database.transaction() as connection:
            number = self._number(connection, collection)
            filerows.set_aside(connection, number, source, state, reason, recipe, sha256, inside=inside)
            filerows.keep_members(connection, number, source.location, members)
            if not died:
                filerows.forget_attempts(connection, number, source.location)
            storing.drop_unused(connection, number)

    def remove(self, collection: str, locations: Iterable[str]) -> None:
        """Forget these files on disk, what lies in them, and every document that is live nowhere else: all in
        one step."""
        with self._database.transaction() as connection:
            number = self._number(connection, collection)
            for location in locations:
                filerows.remove(connection, number, location)
            storing.drop_unused(connection, number)

    # -- the vector index --------------------------------------------------------------------------

    def publish(self, *, anew: bool = False, progress: Callable[[int, int], None] | None = None) -> None:
        """At the end of the work: bring the vector index into step, and leave nothing of what was removed.

        Raises LibraryError if the disk refuses: searches stay right.
        """
        with self._database.transaction() as connection:
            tidied = keywords.tidy(connection)
        if tidied:
            # The log may hold the removed text too; a reader that is in the middle of a search keeps it.
            self._database.connection().execute("PRAGMA wal_checkpoint(TRUNCATE)")
        publish_apart(self._home, self._database, anew=anew, progress=progress)


@contextmanager
def writing(settings: Settings, *, wait_s: float = WAIT_S) -> Iterator[LibraryWriter]:
    """Hold the writer's lock of a data folder. Raises LibraryBusy if another process or thread holds it,
    LibraryError if nothing can be written there."""
    with writer_lock(settings.home, wait_s=wait_s):
        database = Database(settings.home, cache_mib=_CACHE_MIB)
        try:
            database.require_writable()
            if not keywords.is_current(database.connection()):
                rebuild_keywords(database)
            yield LibraryWriter(settings, database)
        finally:
            database.close()


__all__ = ["LibraryWriter", "Source", "StoredFile", "writing"]
