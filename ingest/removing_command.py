"""`python -m ingest --remove --collection NAME`: a collection is forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rag.cli import frame
from rag.cli.amounts import amount
from rag.errors import NothingToWorkOn, UsageError
from rag.library import manifest, writing
from rag.library.database import FILE_NAME

if TYPE_CHECKING:
    from rag.settings import Settings


def run(settings: Settings, collection: str | None, *, as_json: bool) -> int:
    """Takes a collection out of the library with all that is in no other one; files on disk stay.

    `default` is emptied and stays. Raises UsageError without a name, NothingToWorkOn if it is not there.
    """
    if collection is None:
        raise UsageError(
            "--remove takes everything out of one collection.", fix="Name it: --remove --collection NAME."
        )
    if not (settings.home / FILE_NAME).is_file():
        raise NothingToWorkOn(f"There is no library in {settings.home} yet.", fix="Nothing is to be done.")
    with writing(settings) as writer:
        every = {info.name: info for info in manifest.collections(writer.database.connection())}
        if collection not in every:
            raise NothingToWorkOn(
                f"There is no collection {collection!r}.", fix=f"There is: {', '.join(every)}."
            )
        gone = every[collection]
        writer.remove_collection(collection)
        writer.publish()
    if as_json:
        frame.write_json({"collection": collection, "removed": gone.documents})
    else:
        print(
            f"Collection {collection}: {amount(gone.documents, 'document')} taken out of the library. "
            "The files themselves are where they were."
        )
    return frame.DONE
