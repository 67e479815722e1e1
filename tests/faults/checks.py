"""What must hold of a library whatever happened to the process that wrote it."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from contextlib import closing
from pathlib import Path

from rag.library import Library, writing
from rag.library.verify import verify
from rag.settings import Settings

State = Mapping[str, str]
"""Path relative to the folder → SHA-256 of its bytes."""


def on_disk(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


def live(library: Library) -> dict[str, str]:
    return {info.path: info.sha256 or "" for info in library.files() if info.state == "live"}


def check_as_before_or_after(settings: Settings, before: State, after: State) -> None:
    """Straight after the kill, before anything mends: every file is wholly what it was or what it is now."""
    with closing(Library.open(settings)) as library:
        now = live(library)
        for path in before.keys() | after.keys() | now.keys():
            allowed = {before.get(path), after.get(path)}
            assert now.get(path) in allowed, f"{path} is {now.get(path)}, which is neither of {allowed}"
        for info in library.files():
            if info.state == "live":
                assert info.sha256
                document = library.document(info.sha256)
                chunks = library.neighbours(info.sha256, 0, 10_000)
                assert len(chunks) == info.chunks > 0
                assert [chunk.ordinal for chunk in chunks] == list(range(len(chunks)))
                assert all(document.text[chunk.start : chunk.end] == chunk.text for chunk in chunks)
                # Found by both legs: the vector of a chunk is its own nearest.
                vectors = library.vectors([chunk.id for chunk in chunks])
                nearest = library.dense(["default"], vectors[0], 1)
                assert nearest[0].score > 0.999
        words = [hit.chunk_id for hit in library.keyword(["default"], ["holiday", "年假"], 10_000)]
        assert len(words) == len(set(words))
        assert library.chunks(words).keys() == set(words)


def check_complete(settings: Settings, folder: Path, aside: Collection[str] = ()) -> None:
    """After a run that ended by itself: the library is the folder, and everything agrees.

    aside: paths that give no document.
    """
    with closing(Library.open(settings)) as library:
        expected = {path: sha256 for path, sha256 in on_disk(folder).items() if path not in aside}
        assert live(library) == expected
        held = {info.sha256: info.chunks for info in library.files() if info.state == "live"}
        (collection,) = library.collections()
        assert collection.documents == len(held)
        assert collection.chunks == sum(held.values())
    with writing(settings) as writer:
        assert verify(settings.home, writer.database) == []
        connection = writer.database.connection()
        for table in ("documents", "chunks", "embeddings", "keywords"):
            (rows,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
            assert rows == (len(held) if table == "documents" else sum(held.values())), table
    assert len(list((settings.home / "chroma").iterdir())) <= 2
