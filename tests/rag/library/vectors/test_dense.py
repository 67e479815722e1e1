"""The dense leg with real Chroma finds what exact comparison finds."""

from __future__ import annotations

from contextlib import closing

from rag.library import Library, LibraryWriter
from rag.library.vectors.chroma import ChromaFolder
from rag.library.verify import verify
from rag.settings import Settings
from tests.rag.library.samples import WordEmbedder, document, put
from tests.rag.library.vectors.checks import QUESTION, chroma_ids, close, exact, fill, folder, question


def test_chroma_finds_what_exact_comparison_finds(
    writer: LibraryWriter, library: Library, embedder: WordEmbedder, settings: Settings, asked: list[int]
) -> None:
    fill(writer, embedder, 0, 30)
    writer.publish()
    assert library.warm() == ""
    hits = library.dense(["default"], question(embedder), 10)
    assert asked == [1]
    assert close(hits, exact(library, embedder, 10))
    assert len(chroma_ids(writer, settings)) == 150
    assert verify(settings.home, writer.database) == []


def test_an_open_reader_sees_later_commits_at_once(
    writer: LibraryWriter, library: Library, embedder: WordEmbedder, asked: list[int]
) -> None:
    fill(writer, embedder, 0, 20)
    writer.publish()
    library.warm()
    put(writer, embedder, "new.txt", document(QUESTION))
    best = library.dense(["default"], question(embedder), 5)
    assert asked
    assert library.chunks([best[0].chunk_id])[best[0].chunk_id].text == QUESTION
    assert best[0].score > 0.9
    writer.remove("default", ["/docs/new.txt"])
    assert close(library.dense(["default"], question(embedder), 5), exact(library, embedder, 5))


def test_removed_chunks_are_never_returned_and_others_take_their_place(
    writer: LibraryWriter, library: Library, embedder: WordEmbedder, asked: list[int]
) -> None:
    fill(writer, embedder, 0, 20)
    writer.publish()
    library.warm()
    writer.remove("default", [f"/docs/{number}.txt" for number in range(15)])
    hits = library.dense(["default"], question(embedder), 20)
    assert asked
    assert len(hits) == 20
    assert library.chunks(hit.chunk_id for hit in hits).keys() == {hit.chunk_id for hit in hits}
    assert close(hits, exact(library, embedder, 20))


def test_publishing_again_adjusts_a_copy(
    writer: LibraryWriter, library: Library, embedder: WordEmbedder, settings: Settings
) -> None:
    fill(writer, embedder, 0, 20)
    writer.publish()
    first = folder(writer, settings)
    before = chroma_ids(writer, settings)
    writer.publish()
    assert folder(writer, settings) == first
    put(writer, embedder, "0.txt", document("changed"))
    writer.publish()
    second = folder(writer, settings)
    assert second != first
    assert first.is_dir()  # readers may have it open
    now = chroma_ids(writer, settings)
    assert len(before - now) == 5
    assert len(now - before) == 1
    library.warm()
    assert close(library.dense(["default"], question(embedder), 10), exact(library, embedder, 10))
    put(writer, embedder, "1.txt", document("changed too"))
    writer.publish()
    assert not first.exists()
    assert verify(settings.home, writer.database) == []


def test_after_many_deletions_nothing_of_them_is_left(
    writer: LibraryWriter, embedder: WordEmbedder, settings: Settings
) -> None:
    fill(writer, embedder, 0, 20)
    writer.publish()
    writer.remove("default", [f"/docs/{number}.txt" for number in range(20)])
    writer.publish()
    assert chroma_ids(writer, settings) == set()
    assert verify(settings.home, writer.database) == []


def test_collections_with_chinese_names_have_their_own_index(
    writer: LibraryWriter, library: Library, embedder: WordEmbedder, settings: Settings, asked: list[int]
) -> None:
    writer.create_collection("人事 档案")
    fill(writer, embedder, 0, 5)
    put(writer, embedder, "secret.txt", document(QUESTION), collection="人事 档案")
    writer.publish()
    library.warm()
    only = library.dense(["人事 档案"], question(embedder), 10)
    assert len(only) == 1
    assert only[0].chunk_id not in {
        hit.chunk_id for hit in library.dense(["default"], question(embedder), 99)
    }
    assert len(library.dense(["default", "人事 档案"], question(embedder), 99)) == 26
    assert asked == [2, 1, 1, 2]
    writer.remove_collection("人事 档案")
    writer.publish()
    with closing(ChromaFolder(folder(writer, settings))) as chroma:
        assert chroma.collections() == {1}
