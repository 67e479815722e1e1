"""--verify names every kind of disagreement, --rebuild mends it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from rag.errors import LibraryBusy, LibraryDamaged, LibraryError
from rag.library import Library, LibraryWriter, keywords, writing
from rag.library.rebuild import re_embed, rebuild_keywords
from rag.library.vectors.chroma import ChromaFolder, flush, seal
from rag.library.vectors.published import Published, name, published
from rag.library.verify import verify
from rag.records import Chunk, Document
from rag.settings import Settings
from tests.rag.library.samples import WordEmbedder, document, paragraphs, put

TEXT = document("first line about apples\nsecond line about pears\nthird line about plums")


@pytest.fixture
def filled(writer: LibraryWriter, embedder: WordEmbedder) -> LibraryWriter:
    put(writer, embedder, "a.txt", TEXT)
    put(writer, embedder, "b.txt", document("苹果和梨", "李子"))
    writer.publish()
    return writer


def reasons(writer: LibraryWriter, settings: Settings) -> list[tuple[str, str]]:
    return [(found.where, found.problem) for found in verify(settings.home, writer.database)]


KEYWORDS: dict[str, tuple[str, str]] = {
    "missing": ("DELETE FROM keywords WHERE rowid = 1", "chunks missing from the keyword index"),
    "orphaned": (
        "INSERT INTO keywords (rowid, words) VALUES (99, 'ghost')",
        "entries of the keyword index whose chunk is gone",
    ),
    "differing": (
        "UPDATE keywords SET words = 'other' WHERE rowid = 2",
        "entries of the keyword index with other words than their chunk",
    ),
}


@pytest.mark.parametrize("kind", KEYWORDS)
def test_a_wrong_keyword_index_is_named_and_mended(
    filled: LibraryWriter, settings: Settings, library: Library, kind: str
) -> None:
    assert reasons(filled, settings) == []
    statement, problem = KEYWORDS[kind]
    filled.database.connection().execute(statement)
    assert reasons(filled, settings) == [("keywords", problem)]
    assert rebuild_keywords(filled.database) == 5
    assert reasons(filled, settings) == []
    assert library.keyword(["default"], ["apples"], 5)
    assert library.keyword(["default"], ["苹果"], 5)


def test_a_corrupted_keyword_index_is_named_and_mended(
    filled: LibraryWriter, settings: Settings, library: Library
) -> None:
    connection = filled.database.connection()
    connection.execute("UPDATE keywords_data SET block = zeroblob(50) WHERE id > 10")
    assert ("keywords") in {where for where, _ in reasons(filled, settings)}
    rebuild_keywords(filled.database)
    assert reasons(filled, settings) == []
    assert library.keyword(["default"], ["pears"], 5)


def tamper(change: Callable[[ChromaFolder], None]) -> Callable[[LibraryWriter, Settings], None]:
    """Changes Chroma as nothing but a defect could: the seal is renewed, so that the files look right."""

    def run(writer: LibraryWriter, settings: Settings) -> None:
        index = published(writer.database.connection())
        assert index
        folder = index.path(settings.home)
        with closing(ChromaFolder(folder)) as chroma:
            change(chroma)
        flush(folder, [1])
        with writer.database.transaction() as connection:
            name(
                connection,
                Published(index.folder, index.generation, index.embedder, seal(folder), index.shape),
            )

    return run


CHROMA = {
    "missing": (
        tamper(lambda chroma: chroma.delete(1, [2])),
        "chunks missing from the vector index",
    ),
    "orphaned": (
        tamper(lambda chroma: chroma.add(1, [77], np.eye(1, 32, dtype=np.float32))),
        "vectors whose chunk is gone",
    ),
    "differing": (
        tamper(lambda chroma: chroma.add(1, [3], np.eye(1, 32, dtype=np.float32))),
        "vectors that differ from the stored embedding",
    ),
    "collection": (
        tamper(lambda chroma: chroma.add(9, [3], np.eye(1, 32, dtype=np.float32))),
        "vectors of a collection that is gone",
    ),
}


@pytest.mark.parametrize("kind", CHROMA)
def test_a_wrong_vector_index_is_named_and_mended(
    filled: LibraryWriter, settings: Settings, kind: str
) -> None:
    change, problem = CHROMA[kind]
    change(filled, settings)
    assert reasons(filled, settings) == [("vectors", problem)]
    filled.publish(anew=True)
    assert reasons(filled, settings) == []


MANIFEST = {
    "UPDATE documents SET chunk_count = 7 WHERE id = 1": "documents with a wrong number of chunks",
    "DELETE FROM members WHERE document = 1": "files whose document is not shown in their collection",
    "UPDATE files SET document = NULL WHERE document = 1": "documents that no file has",
    "DELETE FROM embeddings WHERE chunk = 2": "chunks without an embedding",
    "UPDATE embeddings SET vector = x'00' WHERE chunk = 2": "chunks without an embedding",
    "UPDATE pages SET text = 'x' || text WHERE document = 1": (
        "chunks whose text is not what their document says there"
    ),
}


@pytest.mark.parametrize("statement", MANIFEST)
def test_a_wrong_manifest_is_named(filled: LibraryWriter, settings: Settings, statement: str) -> None:
    filled.database.connection().execute(statement)
    assert ("manifest", MANIFEST[statement]) in reasons(filled, settings)


def test_what_waits_for_publishing_is_no_disagreement(
    filled: LibraryWriter, settings: Settings, embedder: WordEmbedder
) -> None:
    put(filled, embedder, "c.txt", document("later"))
    filled.remove("default", ["/docs/a.txt"])
    assert reasons(filled, settings) == []
    filled.publish()
    assert reasons(filled, settings) == []


def no_rechunk(document: Document) -> list[Chunk]:
    raise AssertionError("nothing is too long")


def test_another_embedder_embeds_everything_from_the_manifest(
    filled: LibraryWriter, settings: Settings, library: Library
) -> None:
    new = WordEmbedder(24, name="new")
    assert re_embed(filled.database, new, no_rechunk) == 5
    assert library.embedder_id == new.id
    assert library.vectors([1]).shape == (1, 24)
    assert library.dense(["default"], new.embed_queries(["pears"])[0], 1)
    filled.publish()
    assert reasons(filled, settings) == []
    assert re_embed(filled.database, new, no_rechunk) == 0


def test_re_embedding_goes_on_where_it_was_interrupted(
    filled: LibraryWriter, library: Library, embedder: WordEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rag.library import rebuild

    monkeypatch.setattr(rebuild, "_GROUP", 1)

    def stop(what: str, done: int, total: int) -> None:
        raise KeyboardInterrupt

    new = WordEmbedder(24, name="new")
    with pytest.raises(KeyboardInterrupt):
        re_embed(filled.database, new, no_rechunk, stop)
    assert new.embedded == 3
    assert library.embedder_id == embedder.id
    assert library.dense(["default"], embedder.embed_queries(["pears"])[0], 1)
    assert re_embed(filled.database, new, no_rechunk) == 2
    assert library.embedder_id == new.id
    assert library.dense(["default"], new.embed_queries(["pears"])[0], 9)


def test_documents_too_long_for_a_new_embedder_are_cut_again(
    filled: LibraryWriter, settings: Settings, library: Library
) -> None:
    def halves(document: Document) -> list[Chunk]:
        cut = []
        for chunk in paragraphs(document):
            middle = chunk.start + len(chunk.text) // 2
            for start, end in ((chunk.start, middle), (middle, chunk.end)):
                piece = replace(chunk, ordinal=len(cut), start=start, end=end, text=document.text[start:end])
                cut.append(piece)
        return cut

    small = WordEmbedder(24, name="small", max_tokens=4)
    assert re_embed(filled.database, small, halves) == 6 + 4
    filled.publish()
    assert reasons(filled, settings) == []
    assert len(library.neighbours(TEXT.sha256, 0, 99)) == 6


def test_missing_and_broken_embeddings_are_made_again(
    filled: LibraryWriter, settings: Settings, library: Library, embedder: WordEmbedder
) -> None:
    connection = filled.database.connection()
    connection.execute("DELETE FROM embeddings WHERE chunk = 1")
    connection.execute("UPDATE embeddings SET vector = x'00' WHERE chunk = 2")
    with pytest.raises(LibraryDamaged, match="--rebuild"):
        library.dense(["default"], embedder.embed_queries(["pears"])[0], 1)
    assert re_embed(filled.database, embedder, no_rechunk) == 3
    filled.publish()
    assert reasons(filled, settings) == []


def test_a_locked_library_names_the_process_that_holds_it(filled: LibraryWriter, settings: Settings) -> None:
    with pytest.raises(LibraryBusy, match=str(os.getpid())), writing(settings, wait_s=0.1):
        pass


def test_a_damaged_manifest_is_named_with_a_way_out(settings: Settings) -> None:
    with writing(settings):
        pass
    path = settings.home / "library.sqlite"
    path.write_bytes(b"not a database at all" * 200)
    with pytest.raises(LibraryDamaged, match="Move this file"):
        Library.open(settings)


def test_a_library_from_the_future_is_refused(settings: Settings) -> None:
    Library.open(settings).close()
    with closing(sqlite3.connect(settings.home / "library.sqlite")) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(LibraryError, match="newer version"):
        Library.open(settings)


def test_a_new_way_of_indexing_words_is_taken_up_by_the_next_writer(
    filled: LibraryWriter, settings: Settings, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keywords, "VERSION", keywords.VERSION + 1)
    monkeypatch.setattr(keywords, "indexed_words", lambda title, heading, text, header: f"novel {text}")
    assert library.keyword(["default"], ["novel"], 5) == []
    assert not keywords.is_current(filled.database.connection())
    rebuild_keywords(filled.database)
    assert keywords.is_current(filled.database.connection())
    assert len(library.keyword(["default"], ["novel"], 9)) == 5
