"""`python -m ingest --verify`, `--rebuild` and `--remove`: the library as a whole, without reading files."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING

from rag.cli import frame
from rag.cli.amounts import amount
from rag.errors import NothingToWorkOn, UsageError
from rag.library import LibraryWriter, manifest, writing
from rag.library.database import FILE_NAME
from rag.library.rebuild import re_embed, rebuild_keywords
from rag.library.verify import verify as compare

if TYPE_CHECKING:
    from rag.embedding.protocol import Embedder
    from rag.records import Chunk, Document
    from rag.settings import Settings

_TOLD_EVERY_S = 1.0


def verify(settings: Settings, collection: str | None, *, as_json: bool) -> int:
    """Exit code 0 only if manifest, keyword index and Chroma agree; every disagreement is listed."""
    begin = time.monotonic()
    _check_there_is(settings)
    with writing(settings) as writer:
        _check_collection(writer, collection)
        found = [
            disagreement
            for disagreement in compare(settings.home, writer.database, _Teller())
            if collection is None or disagreement.collection in ("", collection)
        ]
        (chunks,) = writer.database.connection().execute("SELECT count(*) FROM chunks").fetchone()
    if as_json:
        frame.write_json(
            {
                "ok": not found,
                "disagreements": [asdict(disagreement) for disagreement in found],
                "chunks": chunks,
                "seconds": round(time.monotonic() - begin, 3),
            }
        )
    else:
        for disagreement in found:
            inside = f" (collection {disagreement.collection})" if disagreement.collection else ""
            some = ", ".join(map(str, disagreement.chunks))
            print(
                f"{disagreement.where}{inside}: {disagreement.count} × {disagreement.problem}"
                + (f": {some}{' …' if disagreement.count > len(disagreement.chunks) else ''}" if some else "")
            )
        if found:
            print("`python -m ingest --rebuild` makes keyword index and Chroma anew from the manifest.")
        else:
            print(f"Manifest, keyword index and Chroma agree on {amount(chunks, 'chunk')}.")
    return frame.SOME_FAILED if found else frame.DONE


def rebuild(settings: Settings, collection: str | None, *, as_json: bool) -> int:
    """Everything but the text, for all collections: they share one keyword index and one Chroma folder."""
    from rag.embedding import load

    begin = time.monotonic()
    _check_there_is(settings)
    tell = _Teller()
    with writing(settings) as writer:
        _check_collection(writer, collection)
        chunks = rebuild_keywords(writer.database, tell)
        embedder = load(settings)
        try:
            embedded = re_embed(writer.database, embedder, _cutter(settings, embedder), tell)
        finally:
            embedder.close()
        writer.publish(anew=True, progress=lambda done, total: tell("vector index", done, total))
        embedder_id = embedder.id
    seconds = time.monotonic() - begin
    if as_json:
        frame.write_json(
            {"chunks": chunks, "embedded": embedded, "embedder": embedder_id, "seconds": round(seconds, 3)}
        )
    else:
        print(
            f"Keyword index and Chroma are made anew from {amount(chunks, 'chunk')}, of which "
            f"{embedded:,} were embedded ({embedder_id}), in {seconds:.1f} s."
        )
    return frame.DONE


def remove(settings: Settings, collection: str | None, *, as_json: bool) -> int:
    """Takes a collection out of the library with all that is in no other one; files on disk stay.

    `default` is emptied and stays. Raises UsageError without a name or if there is none of that name.
    """
    if collection is None:
        raise UsageError(
            "--remove takes everything out of one collection.", fix="Name it: --remove --collection NAME."
        )
    _check_there_is(settings)
    with writing(settings) as writer:
        _check_collection(writer, collection)
        infos = manifest.collections(writer.database.connection())
        documents = next(info.documents for info in infos if info.name == collection)
        writer.remove_collection(collection)
        writer.publish()
    if as_json:
        frame.write_json({"collection": collection, "removed": documents})
    else:
        print(
            f"Collection {collection}: {amount(documents, 'document')} taken out of the library. "
            "The files themselves are where they were."
        )
    return frame.DONE


def _cutter(settings: Settings, embedder: Embedder) -> Callable[[Document], list[Chunk]]:
    def cut(document: Document) -> list[Chunk]:
        from ingest.chunking import chunk

        chosen = settings.ingest
        return chunk(
            document,
            embedder,
            limit_tokens=chosen.chunk_tokens,
            overlap_tokens=chosen.chunk_overlap_tokens,
        )

    return cut


def _check_there_is(settings: Settings) -> None:
    if not (settings.home / FILE_NAME).is_file():
        raise NothingToWorkOn(
            f"There is no library in {settings.home} yet.", fix="Make one with `python -m ingest FOLDER`."
        )


def _check_collection(writer: LibraryWriter, collection: str | None) -> None:
    names = manifest.collection_ids(writer.database.connection())
    if collection is not None and collection not in names:
        raise UsageError(f"There is no collection {collection!r}.", fix=f"There is: {', '.join(names)}.")


class _Teller:
    """Says on standard error, once a second at most, what is being done and how far it is."""

    def __init__(self) -> None:
        self._told = time.monotonic()

    def __call__(self, what: str, done: int, total: int) -> None:
        now = time.monotonic()
        if total and now - self._told >= _TOLD_EVERY_S:
            self._told = now
            print(f"  {what}: {done:,} of {total:,}", file=sys.stderr, flush=True)
