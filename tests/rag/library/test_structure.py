"""Tables, repeated headers and recognised pages come back from the manifest as they were put there."""

from __future__ import annotations

from dataclasses import replace

from rag.library import Library, writing
from rag.library.embeddings import digest
from rag.library.keywords import indexed_words
from rag.records import Chunk, Document, Page, Table
from rag.settings import Settings
from rag.text.context import embedding_text
from tests.rag.library.samples import WordEmbedder, source

TEXT = "Town | Inhabitants\nOslo | 717\nBergen | 291"
TOWNS = Document(
    "a" * 64,
    "pdf",
    (Page(1, TEXT, "i", 0.8, ocr=True), Page(2, "Set by a printer.")),
    tables=(Table(0, len(TEXT), 18),),
)


def test_tables_headers_and_recognised_pages(settings: Settings) -> None:
    cut = TEXT.index("Bergen")
    chunks = [
        Chunk(TOWNS.sha256, 0, 0, cut - 1, TEXT[: cut - 1], (1,)),
        Chunk(TOWNS.sha256, 1, cut, len(TEXT), TEXT[cut:], (1,), table_header="Town | Inhabitants"),
    ]
    embedder = WordEmbedder()
    texts = [embedding_text(chunk, None) for chunk in chunks]
    assert texts[1] == "Town | Inhabitants\nBergen | 291"
    with writing(settings) as writer:
        writer.use_embedder(embedder.id, embedder.dimension)
        writer.put(
            "default",
            source("towns.pdf"),
            TOWNS,
            chunks,
            [digest(text) for text in texts],
            embedder.embed_passages(texts),
            recipe="r",
        )
        writer.publish()
    library = Library.open(settings)
    try:
        assert library.document(TOWNS.sha256) == TOWNS
        (file,) = library.files()
        assert file.pages_recognised == (1,)
        # Both chunks are found by the name of a column, the second one by its repeated header only.
        found = library.keyword(["default"], ["inhabitants"], 5)
        assert len(found) == 2
        stored = library.chunks([hit.chunk_id for hit in found])
        assert {chunk.table_header for chunk in stored.values()} == {"", "Town | Inhabitants"}
        assert [replace(chunk, id=0) for chunk in library.neighbours(TOWNS.sha256, 0, 9)] == chunks
    finally:
        library.close()


def test_title_headings_and_header_are_indexed_once_each() -> None:
    assert indexed_words("Towns", ("Towns", "Table 1"), "Bergen", "Town name").split().count("town") == 2
