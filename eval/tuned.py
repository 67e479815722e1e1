"""Engine and library as a strategy wants them: the product's own, with something held back or fixed."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from eval.strategies import SamplingTable, Strategy
from rag.engine.protocol import Engine, EngineInfo, Sampling, Token
from rag.engine.sampling import profile, usual

if TYPE_CHECKING:
    from rag.embedding.protocol import Vectors
    from rag.library import Hit, Library
    from rag.records import Message


class TunedEngine:
    """An engine that draws as the strategy says, from a seed of its own for every question.

    So the answer to a question does not depend on which were asked before it, and a run that was interrupted
    goes on as if it had not been. `reseed` before each question.
    """

    def __init__(self, inner: Engine, strategy: Strategy) -> None:
        self._inner = inner
        self._strategy = strategy
        self._seed = strategy.seed
        self._calls = 0

    def reseed(self, id: str) -> None:
        self._seed = zlib.crc32(f"{self._strategy.seed}\0{id}".encode()) % 2**31
        self._calls = 0

    def info(self) -> EngineInfo:
        info = self._inner.info()
        return replace(info, demo=False) if self._strategy.own_words else info

    def stream(
        self, messages: Sequence[Message], *, sampling: Sampling | None = None, **options: Any
    ) -> Iterator[Token]:
        wanted = self._sampling(sampling)
        seeded = replace(wanted, seed=(self._seed + self._calls) % 2**31)
        self._calls += 1
        return self._inner.stream(messages, sampling=seeded, **options)

    def _sampling(self, asked: Sampling | None) -> Sampling:
        """The strategy's, else the caller's, else the profile that the model's entry names."""
        chosen = self._strategy.sampling
        if isinstance(chosen, SamplingTable):
            return Sampling(**chosen.model_dump())
        if chosen is not None:
            return profile(chosen)
        if asked is not None:
            return asked
        from rag.models.catalogue import entry_of

        return usual(entry_of(self._inner.info().model))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


class HeldBack:
    """A library whose search finds nothing of the hidden documents and is led by the strategy's legs.

    Without its dense leg, all that the words find is equally near in meaning; whether there is evidence at
    all is still decided by the real nearness.
    """

    def __init__(self, inner: Library, strategy: Strategy, collections: Sequence[str]) -> None:
        self._inner = inner
        self._legs = strategy.legs
        self._live = frozenset(
            file.sha256 for file in inner.files(collections) if file.state == "live" and file.sha256
        )
        self._by_words: list[Hit] = []
        self.hidden: frozenset[str] = frozenset()
        """sha256 of documents."""

    def dense(
        self,
        collections: Sequence[str],
        vector: Vectors,
        limit: int,
        documents: Collection[str] | None = None,
    ) -> list[Hit]:
        found = self._inner.dense(collections, vector, limit, self._seen(documents))
        if "dense" in self._legs or limit == 1 or not found:
            return found
        return [replace(hit, score=found[0].score) for hit in self._by_words]

    def keyword(
        self,
        collections: Sequence[str],
        words: Sequence[str],
        limit: int,
        documents: Collection[str] | None = None,
    ) -> list[Hit]:
        if "keyword" not in self._legs:
            return []
        self._by_words = self._inner.keyword(collections, words, limit, self._seen(documents))
        return self._by_words

    def _seen(self, documents: Collection[str] | None) -> Collection[str] | None:
        if not self.hidden:
            return documents
        return (self._live if documents is None else frozenset(documents)) - self.hidden

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


def withheld(strategy: Strategy, ids: Sequence[str]) -> frozenset[str]:
    """The questions whose evidence is hidden: that share of them, the same for the same ids and seed."""
    ordered = sorted(ids, key=lambda id: zlib.crc32(f"withhold\0{strategy.seed}\0{id}".encode()))
    return frozenset(ordered[: round(strategy.withhold * len(ordered))])
