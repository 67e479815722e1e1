"""`--readers`: who may read a collection, set for one that is there or for one that is about to be made."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rag.access import readers_named, readers_said
from rag.cli import frame
from rag.errors import NothingToWorkOn, UsageError
from rag.library import manifest, writing
from rag.library.database import FILE_NAME

if TYPE_CHECKING:
    from rag.settings import Settings


def run(settings: Settings, collection: str | None, words: Sequence[str], *, as_json: bool) -> int:
    """Sets the list of a collection. The list is given whole: whoever it does not name may not read.

    Raises UsageError for a list that is none, and for a collection that is not named or not there;
    NothingToWorkOn without a library.
    """
    if collection is None:
        raise UsageError(
            "--readers says who may read one collection.", fix="Name it: --collection NAME --readers …"
        )
    readers = named(words)
    new = f"python -m ingest FOLDER --collection {collection} --readers {' '.join(words)}"
    if not (settings.home / FILE_NAME).is_file():
        raise NothingToWorkOn(f"There is no library in {settings.home} yet.", fix=f"Make one: {new}")
    with writing(settings) as writer:
        every = {info.name: info.readers for info in manifest.collections(writer.database.connection())}
        if collection not in every:
            raise UsageError(
                f"There is no collection {collection!r}.",
                fix=f"There is: {', '.join(every)}. One that is new is closed from the beginning by {new}",
            )
        before = every[collection]
        writer.set_readers(collection, readers)
    if as_json:
        frame.write_json({"collection": collection, "readers": _listed(readers), "before": _listed(before)})
    else:
        print(
            f"Collection {collection}: read by {readers_said(readers)} (before: {readers_said(before)}). "
            "Pages that are open follow at once."
        )
    return frame.DONE


def close_first(settings: Settings, paths: Sequence[Path], collection: str, words: Sequence[str]) -> None:
    """Before an ingest: the collection has this list before the first file is in it, new or not.

    Raises as `run` does, and NothingToWorkOn for a path that is not there; nothing is changed then.
    """
    readers = named(words)
    for path in paths:
        if not path.expanduser().exists():
            raise NothingToWorkOn(f"There is no file or folder at {path}.", fix="Check the path.")
    with writing(settings) as writer:
        writer.create_collection(collection, readers)
        writer.set_readers(collection, readers)


def named(words: Sequence[str]) -> tuple[str, ...] | None:
    """The list that the words after --readers name. Raises UsageError, for a folder's name too: whatever
    stands after --readers is taken for a person."""
    for word in words:
        if Path(word).is_dir():
            raise UsageError(
                f"{word!r} is a folder, and stands where names of readers do.",
                fix="Put paths before --readers; for a person of that name run this in another folder.",
            )
    return readers_named(words)


def _listed(readers: Sequence[str] | None) -> list[str] | None:
    return None if readers is None else list(readers)
