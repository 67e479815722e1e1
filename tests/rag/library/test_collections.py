"""Collections see their own documents only, and share the stored ones."""

from __future__ import annotations

import pytest

from rag.errors import UsageError
from rag.library import Library, LibraryWriter
from tests.rag.library.asking import EN, counts, found_by_meaning, found_by_word
from tests.rag.library.samples import WordEmbedder, document, put, source


def test_collections_do_not_see_each_other(
    writer: LibraryWriter, library: Library, embedder: WordEmbedder
) -> None:
    writer.create_collection("人事 档案")
    writer.set_readers("人事 档案", ["ann"])
    put(writer, embedder, "a.txt", EN)
    put(writer, embedder, "secret.txt", document("Ann earns a holiday bonus."), collection="人事 档案")
    assert [info.readers for info in library.collections()] == [None, ("ann",)]
    assert "Ann earns a holiday bonus." not in found_by_word(library, "holiday", "Ann")
    assert "Ann earns a holiday bonus." not in found_by_meaning(
        library, embedder, "Ann earns a holiday bonus."
    )
    both = ["default", "人事 档案"]
    assert "Ann earns a holiday bonus." in found_by_word(library, "holiday", collections=both)
    assert found_by_meaning(library, embedder, "Ann earns a holiday bonus.", both)[0].startswith("Ann earns")
    assert found_by_word(library, "holiday", collections=["no such"]) == []
    assert found_by_meaning(library, embedder, "holiday", []) == []


def test_a_document_in_two_collections_stays_in_the_other(
    writer: LibraryWriter, library: Library, embedder: WordEmbedder
) -> None:
    writer.create_collection("other")
    put(writer, embedder, "a.txt", EN)
    writer.link("other", source("a.txt"), EN.sha256)
    chunk = library.neighbours(EN.sha256, 0, 0)[0]
    assert library.paths([chunk.id], ["other"]) == {chunk.id: [("other", "a.txt")]}
    writer.remove("default", ["/docs/a.txt"])
    assert found_by_word(library, "allowance") == []
    assert found_by_word(library, "allowance", collections=["other"])
    writer.remove_collection("other")
    assert counts(library)["chunks"] == 0
    assert [info.name for info in library.collections()] == ["default"]
    writer.remove_collection("default")
    assert [info.name for info in library.collections()] == ["default"]


def test_a_new_recipe_replaces_the_chunks_in_every_collection(
    writer: LibraryWriter, library: Library, embedder: WordEmbedder
) -> None:
    writer.create_collection("other")
    put(writer, embedder, "a.txt", EN)
    writer.link("other", source("a.txt"), EN.sha256)
    old = set(library.chunks(range(100)))
    put(writer, embedder, "a.txt", EN, recipe="r2")
    new = set(library.chunks(range(100)))
    assert len(new) == 3
    assert old.isdisjoint(new)
    for name in ("default", "other"):
        assert len(library.dense([name], embedder.embed_queries(["days"])[0], 10)) == 3
        assert {stored.document_recipe for stored in writer.stored_files(name)} == {"r2"}


@pytest.mark.parametrize("name", ["", " ", " a", "a\n", "a\x00"])
def test_a_collection_needs_a_printable_name(writer: LibraryWriter, name: str) -> None:
    with pytest.raises(UsageError):
        writer.create_collection(name)


def test_many_better_hits_elsewhere_do_not_hide_those_of_a_collection(
    writer: LibraryWriter, library: Library, embedder: WordEmbedder
) -> None:
    writer.create_collection("small")
    for number in range(12):
        put(writer, embedder, f"{number}.txt", document(f"holiday holiday {number}"))
    put(
        writer,
        embedder,
        "s.txt",
        document("a long line in which holiday stands once only"),
        collection="small",
    )
    for limit in (1, 2, 99):
        assert found_by_word(library, "holiday", collections=["small"])[:limit] == [
            "a long line in which holiday stands once only"
        ]
    hits = library.keyword(["small"], ["holiday"], 1)
    assert len(hits) == 1
