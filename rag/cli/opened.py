"""Library, embedder and engine of one command line, opened when they are needed and closed at its end."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import ExitStack
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING, Self

from rag.errors import EmbedderChanged, NothingToWorkOn, UsageError

if TYPE_CHECKING:
    from rag.embedding.protocol import Embedder
    from rag.engine.protocol import Engine
    from rag.library import Library
    from rag.settings import Settings


def add_collection_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--collection",
        action="append",
        nargs="+",
        default=[],
        metavar="NAME",
        help="only in these collections; may be given several times (default: all)",
    )


def separate(arguments: argparse.Namespace) -> None:
    """Makes one list of the collections and finds a QUESTION that was written behind their names.

    `--collection legal "What …?"` reads the question as a second name; where none was given elsewhere, the
    last word behind the names is it.
    """
    groups: list[list[str]] = arguments.collection
    if arguments.question is None and arguments.batch is None and groups and len(groups[-1]) > 1:
        arguments.question = groups[-1].pop()
    arguments.collection = [name for group in groups for name in group]


class Opened:
    """What a question needs. Whoever is at the command line owns the data folder and reads all of it."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._closing = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.close()

    @cached_property
    def library(self) -> Library:
        from rag.library import Library

        library = Library.open(self.settings)
        self._closing.callback(library.close)
        return library

    @cached_property
    def embedder(self) -> Embedder:
        """Raises EmbedderChanged if the library was made with another one."""
        from rag import embedding

        embedder = embedding.load(self.settings)
        self._closing.callback(embedder.close)
        stored = self.library.embedder_id
        if stored is not None and stored != embedder.id:
            raise EmbedderChanged(
                f"The library was embedded by {stored}, the settings name {embedder.id}.",
                fix="Run `python -m ingest --rebuild` to embed it anew, or set the embedder back.",
            )
        return embedder

    @cached_property
    def engine(self) -> Engine:
        from rag import engine

        loaded = engine.load(self.settings)
        self._closing.callback(loaded.close)
        return loaded

    def collections(self, wanted: Sequence[str]) -> list[str]:
        """Names of the collections to search.

        Raises UsageError for one that does not exist, NothingToWorkOn if there is no document in them.
        """
        from rag.access import OWNER, readable

        existing = self.library.collections()
        names = [collection.name for collection in existing]
        unknown = [name for name in wanted if name not in names]
        if unknown:
            raise UsageError(f"There is no collection {unknown[0]!r}.", fix=f"There are: {', '.join(names)}.")
        chosen = readable(OWNER, existing, wanted)
        if not any(collection.documents for collection in existing if collection.name in chosen):
            where = f" in {', '.join(wanted)}" if wanted else ""
            raise NothingToWorkOn(
                f"There are no documents{where} yet.", fix="Take some in with: python -m ingest FOLDER"
            )
        return chosen
