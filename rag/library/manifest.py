"""Reading the manifest: what is in the library, and the text of it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from rag.errors import LibraryError
from rag.library.columns import path_value
from rag.library.records import CollectionInfo, FileInfo
from rag.records import Chunk, Document, Heading, Page, Table

_CHUNK = "c.id, d.sha256, c.ordinal, c.start, c.end, c.text, c.pages, c.heading, c.tokens, c.table_header"


def generation(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT value FROM meta WHERE key = 'generation'").fetchone()[0])


def embedder_id(connection: sqlite3.Connection) -> str | None:
    """Embedder.id of the one whose vectors are in use; None before the first one."""
    row = connection.execute(
        "SELECT e.name FROM embedders e JOIN meta m ON e.id = m.value WHERE m.key = 'embedder'"
    ).fetchone()
    return str(row[0]) if row else None


def collection_ids(connection: sqlite3.Connection, names: Iterable[str] | None = None) -> dict[str, int]:
    """Numbers by name; of all collections if none are named. Unknown names are left out."""
    every = {
        str(name): int(number) for number, name in connection.execute("SELECT id, name FROM collections")
    }
    return every if names is None else {name: every[name] for name in names if name in every}


def collections(connection: sqlite3.Connection) -> list[CollectionInfo]:
    rows = connection.execute(
        """
        SELECT c.name, c.readers,
               (SELECT count(*) FROM files f WHERE f.collection = c.id),
               (SELECT count(*) FROM members m WHERE m.collection = c.id),
               (SELECT coalesce(sum(d.chunk_count), 0) FROM members m JOIN documents d ON d.id = m.document
                WHERE m.collection = c.id)
        FROM collections c ORDER BY c.id
        """
    )
    return [
        CollectionInfo(
            name, None if readers is None else tuple(json.loads(readers)), files, documents, chunks
        )
        for name, readers, files, documents, chunks in rows
    ]


def chunk_count(connection: sqlite3.Connection, collection: int) -> int:
    """Live chunks of a collection, by its number."""
    (count,) = connection.execute(
        "SELECT coalesce(sum(d.chunk_count), 0) FROM members m JOIN documents d ON d.id = m.document "
        "WHERE m.collection = ?",
        (collection,),
    ).fetchone()
    return int(count)


def turnover(connection: sqlite3.Connection, names: Sequence[str], generation: int) -> tuple[int, int]:
    """Live chunks of these collections, and those of them that joined after that generation."""
    inside = ",".join(map(str, collection_ids(connection, names).values()))
    live, new = connection.execute(
        "SELECT coalesce(sum(d.chunk_count), 0), coalesce(sum(d.chunk_count * (m.since > ?)), 0) "
        f"FROM members m JOIN documents d ON d.id = m.document WHERE m.collection IN ({inside})",
        (generation,),
    ).fetchone()
    return int(live), int(new)


def files(connection: sqlite3.Connection, names: Sequence[str] | None = None) -> list[FileInfo]:
    """By collection, root and path. `names`: only these collections."""
    return _files(connection, "TRUE" if names is None else f"c.name IN ({_marks(names)})", tuple(names or ()))


def files_of(connection: sqlite3.Connection, sha256: str, names: Sequence[str]) -> list[FileInfo]:
    """The paths under which a document is live in these collections."""
    return _files(connection, f"d.sha256 = ? AND c.name IN ({_marks(names)})", (sha256, *names))


def _files(connection: sqlite3.Connection, where: str, values: tuple[Any, ...]) -> list[FileInfo]:
    rows = connection.execute(
        f"""
        SELECT c.name, f.location, f.root, f.path, f.size, f.state, f.reason, f.sha256, f.updated,
               coalesce(a.tries, 0), d.kind, d.title, d.page_count, d.chunk_count, d.pages_without_text,
               holder.path, (SELECT count(*) FROM files m WHERE m.container = f.id), f.mtime_ns,
               d.pages_recognised
        FROM files f JOIN collections c ON c.id = f.collection LEFT JOIN documents d ON d.id = f.document
             LEFT JOIN files holder ON holder.id = f.container
             LEFT JOIN attempts a ON a.collection = f.collection AND a.location = f.location
        WHERE {where} ORDER BY c.id, f.root, f.path
        """,
        values,
    )
    return [_file(row) for row in rows]


def _file(row: Sequence[Any]) -> FileInfo:
    (name, location, root, path, size, state, reason, sha256, updated, tries) = row[:10]
    (kind, title, pages, chunks, without, container, members, mtime_ns, recognised) = row[10:]
    return FileInfo(
        collection=name,
        absolute=path_value(location),
        root=root,
        path=path,
        size=size,
        state=state,
        reason=reason,
        kind=kind or ("folder" if state == "live" else ""),
        title=title or "",
        pages=pages or 0,
        chunks=chunks or 0,
        pages_without_text=tuple(json.loads(without)) if without else (),
        sha256=sha256,
        updated=updated,
        tries=tries,
        container=container or "",
        members=members,
        modified=mtime_ns / 1e9,
        pages_recognised=tuple(json.loads(recognised)) if recognised else (),
    )


def document(connection: sqlite3.Connection, sha256: str) -> Document:
    """Raises LibraryError if no such document is live."""
    row = connection.execute(
        "SELECT id, kind, title, headings, tables, pages_recognised FROM documents WHERE sha256 = ?",
        (sha256,),
    ).fetchone()
    if row is None:
        raise LibraryError(
            f"The library holds no document {sha256[:12]}….", fix="It was removed or changed: search again."
        )
    pages = connection.execute(
        "SELECT number, text, label, quality FROM pages WHERE document = ? ORDER BY ordinal", (row[0],)
    )
    recognised = set(json.loads(row[5]))
    return Document(
        sha256=sha256,
        kind=row[1],
        title=row[2],
        headings=tuple(Heading(*heading) for heading in json.loads(row[3])),
        tables=tuple(Table(*table) for table in json.loads(row[4])),
        pages=tuple(
            Page(number, text, label, quality, number in recognised) for number, text, label, quality in pages
        ),
    )


def tables(connection: sqlite3.Connection, sha256: str) -> tuple[Table, ...]:
    """Of a live document, without its text; () if it is not live."""
    row = connection.execute("SELECT tables FROM documents WHERE sha256 = ?", (sha256,)).fetchone()
    return tuple(Table(*table) for table in json.loads(row[0])) if row else ()


def document_numbers(connection: sqlite3.Connection, sha256s: Iterable[str]) -> list[int]:
    """The numbers of these documents; those that are not there are left out."""
    return [
        int(row[0])
        for sha256 in sha256s
        for row in connection.execute("SELECT id FROM documents WHERE sha256 = ?", (sha256,))
    ]


def chunks(connection: sqlite3.Connection, ids: Iterable[int]) -> dict[int, Chunk]:
    """By number; those that are gone are left out."""
    return {
        chunk.id: chunk
        for row in by_ids(
            connection, f"SELECT {_CHUNK} FROM chunks c JOIN documents d ON d.id = c.document WHERE c.id", ids
        )
        for chunk in (_chunk(row),)
    }


def neighbours(connection: sqlite3.Connection, sha256: str, first: int, last: int) -> list[Chunk]:
    """The chunks of a document with first ≤ ordinal ≤ last, in order."""
    rows = connection.execute(
        f"SELECT {_CHUNK} FROM chunks c JOIN documents d ON d.id = c.document "
        "WHERE d.sha256 = ? AND c.ordinal BETWEEN ? AND ? ORDER BY c.ordinal",
        (sha256, first, last),
    )
    return [_chunk(row) for row in rows]


def paths(
    connection: sqlite3.Connection, ids: Iterable[int], names: Sequence[str]
) -> dict[int, list[tuple[str, str]]]:
    """(collection, path) of every place where a chunk's document is live, in these collections only."""
    numbers = collection_ids(connection, names)
    if not numbers:
        return {}
    inside = ",".join(str(number) for number in numbers.values())
    by_number = {number: name for name, number in numbers.items()}
    found: dict[int, list[tuple[str, str]]] = {}
    for chunk, collection, path in by_ids(
        connection,
        # CROSS JOIN and +: from the few chunks to their files, not through all files of a collection.
        "SELECT c.id, f.collection, f.path FROM chunks c CROSS JOIN files f ON f.document = c.document "
        f"WHERE +f.collection IN ({inside}) AND c.id",
        ids,
        "ORDER BY f.collection, f.root, f.path",
    ):
        found.setdefault(int(chunk), []).append((by_number[collection], path))
    return found


def same_text(
    connection: sqlite3.Connection, ids: Iterable[int], names: Sequence[str], limit: int
) -> dict[int, list[int]]:
    """For each of these chunks up to `limit` others that were embedded as the same text and are live in one
    of these collections; chunks without any are left out."""
    inside = ",".join(str(number) for number in collection_ids(connection, names).values())
    found: dict[int, list[int]] = {}
    for number in ids:
        rows = connection.execute(
            "SELECT o.id FROM chunks c CROSS JOIN chunks o ON o.digest = c.digest AND o.id <> c.id "
            "WHERE c.id = ? AND EXISTS (SELECT 1 FROM members m WHERE m.document = o.document "
            f"AND m.collection IN ({inside})) LIMIT ?",
            (number, limit),
        ).fetchall()
        if rows:
            found[number] = [int(row[0]) for row in rows]
    return found


def live_of(connection: sqlite3.Connection, ids: Iterable[int], collections: Iterable[int]) -> set[int]:
    """Those of these chunk numbers that are live in at least one of these collections."""
    inside = ",".join(str(number) for number in collections)
    return {
        int(row[0])
        for row in by_ids(
            connection,
            # As a condition of the few chunks: a join would go through all documents of a collection.
            "SELECT c.id FROM chunks c WHERE EXISTS (SELECT 1 FROM members m "
            f"WHERE m.document = c.document AND m.collection IN ({inside})) AND c.id",
            ids,
        )
    }


def chunk_numbers(
    connection: sqlite3.Connection, collections: Iterable[int], documents: Sequence[int] | None = None
) -> list[int]:
    """Of the chunks that are live in one of these collections, and in one of these documents if any are
    named; ascending."""
    inside = ",".join(map(str, collections))
    of = "" if documents is None else f"AND m.document IN ({','.join(map(str, documents))})"
    rows = connection.execute(
        "SELECT DISTINCT c.id FROM members m JOIN chunks c ON c.document = m.document "
        f"WHERE m.collection IN ({inside}) {of} ORDER BY c.id"
    )
    return [int(row[0]) for row in rows]


def _chunk(row: Sequence[Any]) -> Chunk:
    number, sha256, ordinal, start, end, text, pages, heading, tokens, table_header = row
    return Chunk(
        document=sha256,
        ordinal=ordinal,
        start=start,
        end=end,
        text=text,
        pages=_values(pages),
        heading=_values(heading),
        tokens=tokens,
        id=number,
        table_header=table_header,
    )


@lru_cache(maxsize=4096)
def _values(column: str) -> tuple[Any, ...]:
    """A list of pages or titles. Remembered: neighbouring chunks share them, and a search reads many."""
    return tuple(json.loads(column))


def by_ids(
    connection: sqlite3.Connection, select: str, ids: Iterable[int], tail: str = ""
) -> Iterable[Sequence[Any]]:
    """Rows of `select … IN (ids) tail`; in groups, because SQLite bounds a statement's length."""
    wanted = [int(number) for number in ids]
    for begin in range(0, len(wanted), 5000):
        group = wanted[begin : begin + 5000]
        yield from connection.execute(f"{select} IN ({','.join(map(str, group))}) {tail}")


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))
