"""A library of sentences on holidays, and the right answer from the manifest alone."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import numpy as np

from rag.embedding.protocol import Vectors
from rag.library import Hit, Library, LibraryWriter
from rag.library.vectors.chroma import ChromaFolder
from rag.library.vectors.published import published
from rag.settings import Settings
from tests.rag.library.samples import WordEmbedder, document, put

QUESTION = "holiday allowance of the engineers"


def question(embedder: WordEmbedder) -> Vectors:
    return embedder.embed_queries([QUESTION])[0]


def exact(library: Library, embedder: WordEmbedder, limit: int) -> list[Hit]:
    """The right answer, from the manifest alone."""
    with closing(Library(library._settings)) as cold:
        return cold.dense(["default"], question(embedder), limit)


def fill(writer: LibraryWriter, embedder: WordEmbedder, first: int, last: int) -> None:
    for number in range(first, last):
        lines = "\n".join(
            f"holiday number {number} line {line} allowance {line * number}" for line in range(5)
        )
        put(writer, embedder, f"{number}.txt", document(lines))


def folder(writer: LibraryWriter, settings: Settings) -> Path:
    index = published(writer.database.connection())
    assert index is not None
    return index.path(settings.home)


def chroma_ids(writer: LibraryWriter, settings: Settings) -> set[int]:
    with closing(ChromaFolder(folder(writer, settings))) as chroma:
        return set().union(*(chroma.ids(number) for number in chroma.collections()))


def close(first: list[Hit], second: list[Hit]) -> bool:
    return [hit.chunk_id for hit in first] == [hit.chunk_id for hit in second] and bool(
        np.allclose([hit.score for hit in first], [hit.score for hit in second], atol=1e-5)
    )
