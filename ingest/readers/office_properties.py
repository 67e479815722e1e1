"""The title that an Office document's properties give it."""

from __future__ import annotations

from ingest.readers.archive import Archive
from ingest.readers.docx_text import local
from ingest.readers.titles import plausible_title


def title_of(archive: Archive) -> str | None:
    """None where there is none, or where it is no title but a converter's or a file's name."""
    for kind, part in archive.related("").values():
        if kind == "core-properties" and part in archive:
            for element in archive.aside(part):
                if local(element) == "title":
                    return plausible_title(element.text)
    return None
