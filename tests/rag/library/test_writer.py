"""What is stored is found, what is replaced or removed is not, and everything happens in one step."""

from __future__ import annotations

import sqlite3

import numpy as np
import pytest

from rag.errors import EmbedderChanged, LibraryError
from rag.library import Library, LibraryWriter
from rag.records import Page
from rag.settings import Settings
from tests.rag.library.asking import EN, counts, found_by_meaning, found_by_word
from tests.rag.library.samples import WordEmbedder, document, paragraphs, put, source

ZH = document("员工每年享有三十天年假。", "差旅由安娜预订。", title="制度")


def test_a_stored_document_comes_back_as_it_was(
    writer: LibraryWriter, library: Library, embedder: WordEmbedder
) -> None:
    put(writer, embedder, "a/rules.txt", EN)
    assert library.document(EN.sha256) == EN
    stored = library.neighbours(EN.sha256, 0, 99)
    assert [(chunk.text, chunk.pages, chunk.heading) for chunk in stored] == [
        (chunk.text, chunk.pages, chunk.heading) for chunk in paragraphs(EN)
    ]
    assert all(EN.text[chunk.start : chunk.end] == chunk.text for chunk in stored)
    assert library.neighbours(EN.sha256, 1, 1) == stored[1:2]
    (info,) = library.files()
    assert (info.path, info.state, info.pages, info.chunks) == ("a/rules.txt", "live", 2, 3)
    assert str(info.absolute) == "/docs/a/rules.txt"
    assert library.paths([stored[0].id], ["default"]) == {stored[0].id: [("default", "a/rules.txt")]}
    assert library.collections()[0].chunks == 3


def test_it_is_found_by_word_and_by_meaning_in_both_languages(
    writer: LibraryWriter, library: Library, embedder: WordEmbedder
) -> None:
    put(writer, embedder, "en.txt", EN)
    put(writer, embedder, "zh.txt", ZH)
    assert found_by_word(library, "allowance") == ["The holiday allowance is thirty days."]
    assert found_by_word(library, "年假") == ["员工每年享有三十天年假。"]
    assert found_by_word(library, "nowhere", "没有") == []
    assert found_by_meaning(library, embedder, "Travel is booked by Ann.")[0] == "Travel is booked by Ann."
    hits = library.dense(["default"], embedder.embed_queries(["员工每年享有三十天年假"])[0], 2)
    assert len(hits) == 2
    assert hits[0].score >= hits[1].score
    assert library.chunks([hits[0].chunk_id])[hits[0].chunk_id].text == "员工每年享有三十天年假。"


def test_stored_vectors_are_those_given(
    writer: LibraryWriter, library: Library, embedder: WordEmbedder
) -> None:
    put(writer, embedder, "en.txt", EN)
    ids = [chunk.id for chunk in library.neighbours(EN.sha256, 0, 99)]
    vectors = library.vectors(ids[::-1])
    assert vectors.shape == (3, 32)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    sample = library.sample_vectors(["default"], 2, seed=1)
    assert sample.shape == (2, 32)
    assert np.array_equal(sample, library.sample_vectors(["default"], 2, seed=1))
    with pytest.raises(LibraryError):
        library.vectors([*ids, 999])


def test_a_changed_file_is_answered_from_its_new_text_only(
    writer: LibraryWriter, library: Library, embedder: WordEmbedder
) -> None:
    put(writer, embedder, "a.txt", document("The limit is 250 euros."))
    before = {chunk.id for chunk in library.chunks(range(100)).values()}
    put(writer, embedder, "a.txt", document("The limit is 400 euros."))
    assert found_by_word(library, "limit") == ["The limit is 400 euros."]
    assert found_by_word(library, "250") == []
    assert found_by_meaning(library, embedder, "limit") == ["The limit is 400 euros."]
    assert before.isdisjoint(library.chunks(range(100)))
    assert counts(library) == {
        "files": 1, "documents": 1, "pages": 1, "chunks": 1, "embeddings": 1, "members": 1, "keywords": 1,
    }  # fmt: skip


def test_chunk_numbers_are_never_used_again(
    writer: LibraryWriter, library: Library, embedder: WordEmbedder
) -> None:
    seen: set[int] = set()
    for version in range(4):
        put(writer, embedder, "a.txt", document(f"version {version}"))
        now = set(library.chunks(range(100)))
        assert now.isdisjoint(seen)
        seen |= now
        writer.remove("default", ["/docs/a.txt"])


def test_the_same_bytes_at_two_paths_are_stored_once_and_listed_twice(
    writer: LibraryWriter, library: Library, embedder: WordEmbedder
) -> None:
    put(writer, embedder, "a.txt", EN)
    writer.link("default", source("copy/b.txt"), EN.sha256)
    assert counts(library)["documents"] == 1
    chunk = library.neighbours(EN.sha256, 0, 0)[0]
    assert library.paths([chunk.id], ["default"])[chunk.id] == [
        ("default", "a.txt"),
        ("default", "copy/b.txt"),
    ]
    assert [info.path for info in library.files_of(EN.sha256, ["default"])] == ["a.txt", "copy/b.txt"]
    writer.remove("default", ["/docs/a.txt"])
    assert found_by_word(library, "allowance")
    writer.remove("default", ["/docs/copy/b.txt"])
    assert found_by_word(library, "allowance") == []
    assert set(counts(library).values()) == {0}


def test_files_of_the_same_name_in_two_folders_are_two_files(
    writer: LibraryWriter, library: Library, embedder: WordEmbedder
) -> None:
    put(writer, embedder, "x/note.txt", document("one apple"))
    put(writer, embedder, "y/note.txt", document("two pears"))
    writer.remove("default", ["/docs/x/note.txt"])
    assert found_by_word(library, "apple", "pears") == ["two pears"]


def test_a_file_that_can_no_longer_be_read_stops_answering(
    writer: LibraryWriter, library: Library, embedder: WordEmbedder
) -> None:
    put(writer, embedder, "a.txt", EN)
    writer.note_attempts("default", [(source("a.txt"), 1)], "r1")
    writer.set_aside("default", source("a.txt"), "failed", "damaged", recipe="r1", died=True)
    assert found_by_word(library, "allowance") == []
    (info,) = library.files()
    assert (info.state, info.reason, info.chunks, info.tries) == ("failed", "damaged", 0, 1)
    with pytest.raises(LibraryError):
        library.document(EN.sha256)


def test_a_failed_step_leaves_everything_as_it_was(
    writer: LibraryWriter, library: Library, embedder: WordEmbedder
) -> None:
    put(writer, embedder, "a.txt", EN)
    before = counts(library), library.generation
    changed = document("something else")
    writer.database.connection().execute(
        "CREATE TEMP TRIGGER refuse BEFORE INSERT ON embeddings BEGIN SELECT RAISE(ABORT, 'no'); END"
    )
    with pytest.raises(sqlite3.IntegrityError):
        put(writer, embedder, "a.txt", changed)
    assert (counts(library), library.generation) == before
    assert found_by_word(library, "allowance")


def test_vectors_of_two_embedders_are_never_mixed(
    writer: LibraryWriter, library: Library, embedder: WordEmbedder
) -> None:
    assert library.embedder_id is None
    put(writer, embedder, "a.txt", EN)
    other = WordEmbedder(name="other")
    with pytest.raises(EmbedderChanged, match="--rebuild"):
        writer.use_embedder(other.id, other.dimension)
    with pytest.raises(EmbedderChanged):
        library.dense(["default"], np.ones(16, np.float32) / 4, 3)
    writer.remove("default", ["/docs/a.txt"])
    put(writer, WordEmbedder(48), "a.txt", EN)
    assert library.embedder_id == "words-48@1"
    assert found_by_meaning(library, WordEmbedder(48), "days")


def test_equal_texts_have_known_vectors(writer: LibraryWriter, embedder: WordEmbedder) -> None:
    put(writer, embedder, "a.txt", EN)
    connection = writer.database.connection()
    (stored,) = connection.execute("SELECT digest FROM chunks WHERE ordinal = 1").fetchone()
    known = writer.known_vectors([stored, b"unknown digest.."])
    assert list(known) == [stored]
    assert known[stored].shape == (32,)


def test_word_statistics_count_chunks(
    writer: LibraryWriter, library: Library, embedder: WordEmbedder
) -> None:
    put(writer, embedder, "en.txt", EN)
    statistics = library.keyword_statistics(["days", "ann", "年假"])
    assert statistics.chunks == 3
    assert statistics.document_frequency == {"days": 2, "ann": 1, "年假": 0}


def test_a_name_that_is_no_text_can_be_stored(
    writer: LibraryWriter, library: Library, embedder: WordEmbedder
) -> None:
    name = b"/docs/caf\xe9.txt".decode("utf-8", "surrogateescape")
    odd = source("caf\\xe9.txt")
    odd = type(odd)(name, odd.root, odd.path, odd.size, odd.mtime_ns)
    put(writer, embedder, "en.txt", EN)
    writer.link("default", odd, EN.sha256)
    assert str(library.files()[0].absolute) == name
    assert name in {stored.location for stored in writer.stored_files("default")}
    writer.remove("default", [name])
    assert len(library.files()) == 1


def test_pages_without_numbers_and_with_labels_come_back(
    writer: LibraryWriter, library: Library, embedder: WordEmbedder
) -> None:
    made = type(EN)("ab" * 32, "html", (Page(None, "whole file", "top", 0.25),))
    put(writer, embedder, "a.html", made)
    assert library.document(made.sha256) == made
    assert library.files()[0].pages == 0


def test_nothing_of_a_removed_text_stays_on_the_disk(
    writer: LibraryWriter, library: Library, embedder: WordEmbedder, settings: Settings
) -> None:
    put(writer, embedder, "kept.txt", document("an unremarkable sentence " * 20))
    put(
        writer,
        embedder,
        "secret.txt",
        document("xylophonequartz is the codeword " * 200, title="zugzwangium"),
    )
    library.close()

    def on_disk(word: bytes) -> bool:
        return any(word in path.read_bytes() for path in settings.home.glob("library.sqlite*"))

    assert on_disk(b"xylophonequartz")
    writer.remove("default", ["/docs/secret.txt"])
    writer.publish()
    assert not on_disk(b"xylophonequartz")
    assert not on_disk(b"zugzwangium")
    assert on_disk(b"unremarkable")
    assert found_by_word(library, "unremarkable")


def test_turnover_counts_the_chunks_that_came_since(
    writer: LibraryWriter, library: Library, embedder: WordEmbedder
) -> None:
    assert library.turnover(["default"], 0) == (0, 0)
    put(writer, embedder, "a.txt", document("one", "two"))
    before = library.generation
    put(writer, embedder, "b.txt", document("three", "four", "five"))
    assert library.turnover(["default"], before) == (5, 3)
    assert library.turnover(["default"], library.generation) == (5, 0)
    writer.remove("default", ["/docs/a.txt"])
    assert library.turnover(["default"], before) == (3, 3)
    assert library.turnover(["nothing"], 0) == (0, 0)
