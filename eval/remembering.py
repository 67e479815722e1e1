"""An embedder that remembers every vector on disk, so that a repeated measurement embeds nothing."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from rag.embedding.protocol import Embedder, Vectors


class RememberingEmbedder:
    """Implements `Embedder` by asking `inner` only for texts that the file does not know.

    The file holds vectors under the hash of embedder id, role and text, so it can serve any embedder,
    chunking and data set; it can be removed at any time.
    """

    def __init__(self, inner: Embedder, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._inner = inner
        self._lock = threading.Lock()
        self._file = sqlite3.connect(path, check_same_thread=False, timeout=60)
        self._file.execute("pragma journal_mode = wal")
        self._file.execute("pragma synchronous = off")
        self._file.execute(
            "create table if not exists vectors (key blob primary key, vector blob) without rowid"
        )
        self.embedded = 0
        """Texts that the inner embedder had to work on."""

    @property
    def id(self) -> str:
        return self._inner.id

    @property
    def dimension(self) -> int:
        return self._inner.dimension

    @property
    def max_tokens(self) -> int:
        return self._inner.max_tokens

    def token_offsets(self, text: str) -> list[tuple[int, int]]:
        return self._inner.token_offsets(text)

    def embed_passages(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        return self._embed("passage", texts, progress)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self._embed("query", texts, None)

    def close(self) -> None:
        """Closes the file and the inner embedder."""
        with self._lock:
            self._file.close()
        self._inner.close()

    def _embed(self, role: str, texts: Sequence[str], progress: Callable[[int], None] | None) -> Vectors:
        keys = [self._key(role, text) for text in texts]
        result = np.empty((len(texts), self.dimension), np.float32)
        unknown = []
        with self._lock:
            for index, key in enumerate(keys):
                row = self._file.execute("select vector from vectors where key = ?", (key,)).fetchone()
                if row:
                    result[index] = np.frombuffer(row[0], np.float32)
                else:
                    unknown.append(index)
        if progress and len(unknown) < len(texts):
            progress(len(texts) - len(unknown))
        if unknown:
            missing = [texts[index] for index in unknown]
            fresh = (
                self._inner.embed_passages(missing, progress)
                if role == "passage"
                else self._inner.embed_queries(missing)
            )
            result[unknown] = fresh
            with self._lock, self._file:
                self._file.executemany(
                    "insert or replace into vectors values (?, ?)",
                    [(keys[index], row.tobytes()) for index, row in zip(unknown, fresh, strict=True)],
                )
            self.embedded += len(unknown)
        return result

    def _key(self, role: str, text: str) -> bytes:
        return hashlib.sha256(f"{self.id}\0{role}\0{text}".encode("utf-8", "surrogatepass")).digest()
