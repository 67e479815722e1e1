"""Makes a Chroma folder that holds what the manifest holds, and names it in the manifest."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from rag.errors import LibraryDamaged, LibraryError
from rag.library import manifest
from rag.library.database import Database
from rag.library.embeddings import StoredEmbedder, current_embedder, live_ids, vectors
from rag.library.vectors.chroma import DATABASE, SHAPE, ChromaFolder, damage, flush, seal
from rag.library.vectors.published import FOLDER, Published, name, published

Progress = Callable[[int, int], None]
"""Told (vectors done, vectors in all)."""

_MOST_DELETED = 0.2
"""Chroma keeps a deleted vector as a blank in its graph; with a larger share the graph is built anew."""
_GROUP = 500


def publish(
    home: Path, database: Database, *, anew: bool = False, progress: Progress | None = None
) -> Published | None:
    """Bring the published index into step with the manifest. Only for the holder of the writer's lock.

    The folder that readers have open is left as it is: the work is done in a copy, which the last
    transaction names. Nothing happens when the index is in step already, unless `anew` asks to build it
    from the stored embeddings alone. Returns the index that is published now. Raises LibraryError when
    the disk is full or refuses; then the old index stays in use, and searches stay right.
    """
    connection = database.connection()
    last = published(connection)
    embedder = current_embedder(connection)
    generation = manifest.generation(connection)
    if embedder is None or (is_in_step(connection) and not anew):
        return last
    wanted = {
        number: live_ids(connection, [number]) for number in manifest.collection_ids(connection).values()
    }
    folder = _new_folder(home, last)
    try:
        changed = None
        if last and not anew and _reusable(last, embedder, home):
            changed = _adjusted_copy(last.path(home), folder, wanted, connection, progress)
        if changed is None:
            shutil.rmtree(folder, ignore_errors=True)
            with closing(ChromaFolder(folder)) as chroma:
                changed = _bring_into_step(chroma, wanted, {}, connection, progress)
        flush(folder, changed)
        index = Published(folder.name, generation, embedder.number, seal(folder), dict(SHAPE))
        with database.transaction() as writing:
            if published(writing) != last or manifest.generation(writing) != generation:
                raise LibraryDamaged("Another process has changed the library meanwhile.")
            name(writing, index)
    except (OSError, LibraryDamaged, sqlite3.OperationalError) as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise LibraryError(
            f"The vector index could not be written to {folder}: {error}",
            fix="Searches stay right without it, only slower. Make room on the disk and ingest again.",
        ) from error
    except BaseException:  # somebody stopped it
        shutil.rmtree(folder, ignore_errors=True)
        raise
    _sweep(home, {index.folder, *([last.folder] if last else [])})
    return index


def is_in_step(connection: sqlite3.Connection) -> bool:
    """Whether the published index shows the present generation (or there is nothing to show)."""
    last = published(connection)
    if last is None:
        return current_embedder(connection) is None
    return last.generation == manifest.generation(connection)


def _reusable(last: Published, embedder: StoredEmbedder, home: Path) -> bool:
    return last.embedder == embedder.number and last.shape == SHAPE and not damage(last.path(home), last.seal)


def _adjusted_copy(
    source: Path,
    folder: Path,
    wanted: dict[int, list[int]],
    connection: sqlite3.Connection,
    progress: Progress | None,
) -> list[int] | None:
    """The last index, copied and brought into step; None if it is better built anew."""
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns(DATABASE + "*"))
    # Readers may have Chroma's database open and write to it when they open it: not a matter for cp.
    with (
        closing(sqlite3.connect(source / DATABASE)) as original,
        closing(sqlite3.connect(folder / DATABASE)) as copy,
    ):
        original.backup(copy)
    try:
        with closing(ChromaFolder(folder)) as chroma:
            present = {number: chroma.ids(number) for number in chroma.collections()}
            blanks = sum(len(present[number] - set(wanted.get(number, ()))) for number in present)
            if blanks > _MOST_DELETED * sum(map(len, present.values())):
                return None
            return _bring_into_step(chroma, wanted, present, connection, progress)
    except LibraryDamaged:
        return None


def _bring_into_step(
    chroma: ChromaFolder,
    wanted: dict[int, list[int]],
    present: dict[int, set[int]],
    connection: sqlite3.Connection,
    progress: Progress | None,
) -> list[int]:
    """Add and delete until Chroma holds exactly the wanted numbers. Returns the collections that changed."""
    for number in present.keys() - wanted.keys():
        chroma.drop(number)
    missing = {
        number: [id_ for id_ in ids if id_ not in present.get(number, ())] for number, ids in wanted.items()
    }
    total = sum(map(len, missing.values()))
    done = 0
    changed = []
    for number, ids in wanted.items():
        surplus = sorted(present.get(number, set()).difference(ids))
        if not surplus and not missing[number]:
            continue
        changed.append(number)
        chroma.adding(number)
        chroma.delete(number, surplus)
        for begin in range(0, len(missing[number]), _GROUP):
            group = missing[number][begin : begin + _GROUP]
            chroma.add(number, group, vectors(connection, group))
            done += len(group)
            if progress:
                progress(done, total)
    return changed


def _new_folder(home: Path, last: Published | None) -> Path:
    """One that was never used; folders that a killed writer left behind are swept after publishing."""
    names = [path.name for path in (home / FOLDER).glob("*")] + ([last.folder] if last else [])
    return home / FOLDER / str(max((int(name) for name in names if name.isdigit()), default=0) + 1)


def _sweep(home: Path, kept: set[str]) -> None:
    """Remove all folders but the published one and the one before it, which readers may have open."""
    for path in (home / FOLDER).iterdir():
        if path.name not in kept:
            shutil.rmtree(path, ignore_errors=True)
