"""`python -m ingest --status`: what is in the library, and which files are not live and why."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from ingest.wording import pages
from rag.access import readers_said
from rag.cli import frame
from rag.cli.amounts import amount
from rag.cli.naming import plain
from rag.errors import NothingToWorkOn, UsageError
from rag.library import CollectionInfo, FileInfo, manifest
from rag.library.database import FILE_NAME, Database

if TYPE_CHECKING:
    from rag.settings import Settings


def run(settings: Settings, collection: str | None, *, as_json: bool) -> int:
    if not (settings.home / FILE_NAME).is_file():
        raise NothingToWorkOn(
            f"There is no library in {settings.home} yet.", fix="Make one with `python -m ingest FOLDER`."
        )
    connection = Database(settings.home).connection()
    every = manifest.collections(connection)
    infos = [info for info in every if collection in (None, info.name)]
    if not infos:
        raise UsageError(
            f"There is no collection {collection!r}.",
            fix="There is: " + ", ".join(info.name for info in every) + ".",
        )
    files = manifest.files(connection, [info.name for info in infos])
    embedder = manifest.embedder_id(connection)
    if as_json:
        frame.write_json(
            {
                "home": str(settings.home),
                "embedder": embedder,
                "collections": [_as_json(info, files) for info in infos],
                "files": [_file_as_json(file) for file in files],
            }
        )
        return frame.DONE
    print(f"Library: {settings.home}")
    print(f"Embedder: {embedder or 'none yet'}")
    for info in infos:
        states = Counter(file.state for file in files if file.collection == info.name)
        said = ", ".join(f"{count:,} {state}" for state, count in sorted(states.items())) or "no files"
        print(
            f"{info.name}: {amount(info.documents, 'document')}, {amount(info.chunks, 'chunk')}; "
            f"{said}; read by {readers_said(info.readers)}"
        )
    _print_problems(files)
    return frame.DONE


def _print_problems(files: list[FileInfo]) -> None:
    for file in files:
        if file.state != "live":
            reason = file.reason or "waits to be read: run the ingest again"
            print(f"  {file.state}: {plain(file.path)}: {plain(reason)}")
            continue
        if file.pages_without_text:
            print(f"  without text: {plain(file.path)}: {pages(file.pages_without_text)}")
        if file.pages_recognised:
            print(f"  recognised in pictures: {plain(file.path)}: {pages(file.pages_recognised)}")


def _as_json(info: CollectionInfo, files: list[FileInfo]) -> dict[str, Any]:
    return {
        "name": info.name,
        "readers": None if info.readers is None else list(info.readers),
        "documents": info.documents,
        "chunks": info.chunks,
        "states": dict(Counter(file.state for file in files if file.collection == info.name)),
    }


def _file_as_json(file: FileInfo) -> dict[str, Any]:
    return {
        "collection": file.collection,
        "path": file.path,
        "root": file.root,
        "container": file.container or None,
        "members": file.members,
        "state": file.state,
        "reason": file.reason,
        "kind": file.kind,
        "size": file.size,
        "pages": file.pages,
        "chunks": file.chunks,
        "pages_without_text": list(file.pages_without_text),
        "pages_recognised": list(file.pages_recognised),
        "sha256": file.sha256,
    }
