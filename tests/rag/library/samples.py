"""Documents and a deterministic embedder for the library's tests."""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from rag.embedding.protocol import Embedder, Vectors
from rag.library import LibraryWriter, Source, writing
from rag.library.embeddings import digest
from rag.records import Chunk, Document, Heading, Page
from rag.settings import Settings
from rag.text.context import embedding_text
from rag.text.words import words


class WordEmbedder:
    """Each word has its own random direction; a text's vector is their sum. Equal texts, equal vectors."""

    def __init__(self, dimension: int = 32, name: str = "words", max_tokens: int = 512) -> None:
        self.dimension = dimension
        self.id = f"{name}-{dimension}@1"
        self.max_tokens = max_tokens
        self.embedded = 0
        self._directions: dict[str, Vectors] = {}

    def token_offsets(self, text: str) -> list[tuple[int, int]]:
        return [match.span() for match in re.finditer(r"[一-鿿]|\w+|[^\w\s]", text)]

    def embed_passages(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        self.embedded += len(texts)
        if progress:
            progress(len(texts))
        return self.embed_queries(texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        rows = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in words(text) or [text]:
                row += self._direction(word)
            row /= np.linalg.norm(row)
        return rows

    def _direction(self, word: str) -> Vectors:
        if word not in self._directions:
            seed = zlib.crc32(f"{self.id} {word}".encode())
            row = np.random.default_rng(seed).normal(size=self.dimension)
            self._directions[word] = row.astype(np.float32)
        return self._directions[word]

    def close(self) -> None:
        pass


def document(*pages: str, kind: str = "text", title: str | None = None, salt: str = "") -> Document:
    """One whose identity is its pages' text (and `salt`)."""
    sha256 = hashlib.sha256("\f".join((salt, *pages)).encode()).hexdigest()
    numbered = tuple(Page(number, text) for number, text in enumerate(pages, start=1))
    return Document(sha256, kind, numbered, (Heading(0, 1, "Top"),), title)


def paragraphs(document: Document) -> list[Chunk]:
    """A chunk for each line."""
    chunks = []
    for match in re.finditer(r"[^\n]+", document.text):
        page = document.text[: match.start()].count("\n\n") + 1
        chunks.append(
            Chunk(
                document.sha256,
                len(chunks),
                match.start(),
                match.end(),
                match.group(),
                pages=(page,),
                heading=("Top",),
                tokens=len(match.group().split()),
            )
        )
    return chunks


def source(path: str, root: str = "/docs", size: int = 1, mtime_ns: int = 1) -> Source:
    return Source(f"{root}/{path}", root, path, size, mtime_ns, examined=1.0)


def put(
    writer: LibraryWriter,
    embedder: Embedder,
    path: str,
    document: Document,
    *,
    collection: str = "default",
    recipe: str = "r1",
    chunks: Sequence[Chunk] | None = None,
) -> None:
    """Store `document` under `path` as an ingest would; without `chunks`, cut into its lines."""
    writer.use_embedder(embedder.id, embedder.dimension)
    chunks = paragraphs(document) if chunks is None else chunks
    texts = [embedding_text(chunk, document.title) for chunk in chunks]
    writer.put(
        collection,
        source(path),
        document,
        chunks,
        [digest(text) for text in texts],
        embedder.embed_passages(texts),
        recipe=recipe,
    )


def fill(home: Path, embedder: Embedder, papers: Mapping[str, str | Document]) -> Settings:
    """A library of these texts or documents, by their paths; the settings that open it."""
    settings = Settings(home=home)
    with writing(settings) as writer:
        for path, paper in papers.items():
            put(writer, embedder, path, paper if isinstance(paper, Document) else document(paper, salt=path))
        writer.publish()
    return settings
