"""What runs need, opened once and shared: embedders, engines, libraries of data sets.

Strategies that differ in engine or chunk settings get their own; equal settings share.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from eval.datasets import Dataset
from eval.remembering import RememberingEmbedder
from rag.errors import UsageError

if TYPE_CHECKING:
    from rag.embedding.protocol import Embedder
    from rag.engine.protocol import Engine
    from rag.library import Library
    from rag.settings import Settings

_ENGINES_AT_ONCE = 1
"""A model may fill the card: another one is loaded only when this one is gone."""


@dataclass(frozen=True, slots=True)
class Bench:
    """A library to ask, and what it holds. docs: hash of it. report: what the ingest says of its files."""

    settings: Settings
    library: Library
    embedder: Embedder
    collections: list[str]
    docs: str
    report: dict[str, Any]


class Laboratory:
    """Closes everything at the end of a `with`. work: where libraries of data sets and vectors are kept."""

    def __init__(self, work: Path) -> None:
        self.work = work
        self._closing = ExitStack()
        self._embedders: dict[str, Embedder] = {}
        self._engines: dict[str, Engine] = {}
        self._benches: dict[str, Bench] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for engine in self._engines.values():
            engine.close()
        self._closing.close()

    def embedder(self, settings: Settings) -> Embedder:
        from rag import embedding

        key = settings.embedding.model_dump_json()
        if key not in self._embedders:
            made = RememberingEmbedder(embedding.load(settings), self.work / "vectors.sqlite")
            self._closing.callback(made.close)
            self._embedders[key] = made
        return self._embedders[key]

    def engine(self, settings: Settings) -> Engine:
        """Not started yet. An engine with other settings is closed first."""
        from rag import engine

        key = settings.engine.model_dump_json()
        if key not in self._engines:
            while len(self._engines) >= _ENGINES_AT_ONCE:
                self._engines.pop(next(iter(self._engines))).close()
            self._engines[key] = engine.load(settings)
        return self._engines[key]

    def bench(self, dataset: Dataset, settings: Settings, collections: Sequence[str]) -> Bench:
        """The data set's own documents; or, if collections are named, those of the library of `settings`."""
        key = settings.embedding.model_dump_json() + settings.ingest.model_dump_json() + repr(collections)
        if key not in self._benches:
            made = self._existing(settings, collections) if collections else self._own(dataset, settings)
            self._closing.callback(made.library.close)
            self._benches[key] = made
        made = self._benches[key]
        home = made.settings.home
        return Bench(
            settings.model_copy(update={"home": home}),
            made.library,
            made.embedder,
            made.collections,
            made.docs,
            made.report,
        )

    def _own(self, dataset: Dataset, settings: Settings) -> Bench:
        from eval.scratch import prepare
        from rag.library import DEFAULT_COLLECTION, Library

        dataset.need_docs()
        embedder = self.embedder(settings)
        scratch = prepare(dataset, settings, embedder, self.work)
        library = Library.open(scratch.settings)
        return Bench(scratch.settings, library, embedder, [DEFAULT_COLLECTION], scratch.docs, scratch.report)

    def _existing(self, settings: Settings, collections: Sequence[str]) -> Bench:
        from rag.library import Library

        library = Library.open(settings)
        known = [each.name for each in library.collections()]
        unknown = [name for name in collections if name not in known]
        if unknown:
            library.close()
            raise UsageError(f"There is no collection {unknown[0]!r}.", fix=f"There are: {', '.join(known)}.")
        return Bench(
            settings, library, self.embedder(settings), list(collections), *held(library, collections)
        )


def held(library: Library, collections: Sequence[str]) -> tuple[str, dict[str, Any]]:
    """Hash and report of what an existing library holds in these collections."""
    live = [file for file in library.files(collections) if file.state == "live"]
    total = hashlib.sha256()
    for file in sorted(live, key=lambda file: (file.collection, file.path)):
        total.update(f"{file.collection}\0{file.path}\0{file.sha256}\0".encode("utf-8", "surrogateescape"))
    total.update((library.embedder_id or "").encode())
    chunks = sum(each.chunks for each in library.collections() if each.name in collections)
    return total.hexdigest(), {"documents": len(live), "chunks": chunks, "skipped": [], "failed": []}


class Resident:
    """A laboratory for a service that has everything open already; it opens and closes nothing.

    Strategies that need another engine, embedder or chunking cannot be run with it: see `suits`.
    """

    def __init__(self, work: Path, settings: Settings, library: Library, embedder: Embedder, engine: Engine):
        self.work = work
        self._settings = settings
        self._library = library
        self._embedder = embedder
        self._engine = engine

    def suits(self, settings: Settings) -> bool:
        """Whether these settings can be tried without loading anything else."""
        return all(
            getattr(settings, section) == getattr(self._settings, section)
            for section in ("engine", "embedding", "ingest")
        )

    def engine(self, settings: Settings) -> Engine:
        self._check(settings)
        return self._engine

    def bench(self, dataset: Dataset, settings: Settings, collections: Sequence[str]) -> Bench:
        self._check(settings)
        return Bench(
            settings,
            self._library,
            self._embedder,
            list(collections),
            *held(self._library, collections),
        )

    def _check(self, settings: Settings) -> None:
        if not self.suits(settings):
            raise UsageError(
                "This strategy needs another model or other chunks than the page has loaded.",
                fix="Run it at the command line: python -m eval answers.",
            )
