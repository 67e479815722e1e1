"""Embeds the chunks of several documents together and hands on each document as soon as it is complete."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ingest.sync.outcomes import Prepared
from rag.embedding.protocol import Embedder, Vectors
from rag.library.embeddings import digest

FIRST_WINDOW = 32
LARGEST_WINDOW = 1024
WINDOW_S = 4.0
"""What a window should take: short enough that little is lost by a kill, long enough to sort by length."""


@dataclass(slots=True)
class Embedded:
    """A document on its way: the rows of `vectors` whose index is in `missing` are still to be computed."""

    prepared: Prepared
    digests: list[bytes]
    vectors: Vectors
    missing: deque[int] = field(default_factory=deque)
    open: int = 0

    def fill(self, row: int, vector: Vectors) -> None:
        self.vectors[row] = vector
        self.open -= 1


class Embedding:
    """known: stored vectors by digest; what has one is not embedded again."""

    def __init__(
        self, embedder: Embedder, known: Callable[[Sequence[bytes]], Mapping[bytes, Vectors]]
    ) -> None:
        self._embedder = embedder
        self._known = known
        self._waiting: deque[Embedded] = deque()
        self._window = FIRST_WINDOW
        self._missing = 0
        self._asked: dict[bytes, list[tuple[Embedded, int]]] = {}
        """Rows that wait for a text which stands in the window for another row already."""
        self.computed = 0

    def add(self, prepared: Prepared) -> int:
        """Returns how many of its chunks need no embedding, since an equal text is stored or asked for."""
        digests = [digest(text) for text in prepared.texts]
        known = self._known(digests)
        vectors = np.zeros((len(digests), self._embedder.dimension), np.float32)
        work = Embedded(prepared, digests, vectors)
        for row, name in enumerate(digests):
            if name in known:
                vectors[row] = known[name]
                continue
            work.open += 1
            if name in self._asked:
                self._asked[name].append((work, row))
            else:
                self._asked[name] = []
                work.missing.append(row)
        self._missing += len(work.missing)
        self._waiting.append(work)
        return len(digests) - len(work.missing)

    @property
    def idle(self) -> bool:
        return not self._waiting

    @property
    def full(self) -> bool:
        """There is enough for a window: taking in more documents would only hold memory."""
        return self._missing >= self._window

    def step(self, progress: Callable[[int], None]) -> list[Embedded]:
        """Embed one window. Returns the documents that are complete now, in their order."""
        taken: list[tuple[Embedded, int]] = []
        for work in self._waiting:
            while work.missing and len(taken) < self._window:
                taken.append((work, work.missing.popleft()))
            if len(taken) >= self._window:
                break
        if taken:
            begin = time.monotonic()
            texts = [work.prepared.texts[row] for work, row in taken]
            for (work, row), vector in zip(
                taken, self._embedder.embed_passages(texts, progress), strict=True
            ):
                work.fill(row, vector)
                for twin, twin_row in self._asked.pop(work.digests[row]):
                    twin.fill(twin_row, vector)
            self._missing -= len(taken)
            self.computed += len(taken)
            self._fit_window(len(taken), time.monotonic() - begin)
        complete = [work for work in self._waiting if not work.open]
        self._waiting = deque(work for work in self._waiting if work.open)
        return complete

    def _fit_window(self, size: int, seconds: float) -> None:
        if size == self._window and seconds < WINDOW_S / 2:
            self._window = min(2 * self._window, LARGEST_WINDOW)
        elif seconds > 2 * WINDOW_S:
            self._window = max(self._window // 2, FIRST_WINDOW)
