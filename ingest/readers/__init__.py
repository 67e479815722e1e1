"""One file → one document. A module here for each format; this page picks it by the file's content."""

from __future__ import annotations

import hashlib
import importlib
import os
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol, cast

from ingest.errors import ReadError, Skipped, Unreadable
from ingest.kinds import recognise
from ingest.quality import quality
from ingest.readers.base import Content, Limits, Source
from ingest.readers.titles import title_from_name
from rag.records import Document, Page

__all__ = ["Content", "Limits", "ReadError", "Skipped", "Source", "Unreadable", "read", "read_bytes"]

_HALF_CHARACTER = re.compile("[\ud800-\udfff]")
_JUDGED = 200_000
"""Characters of a page without a number that its quality is told from."""

_MODULES = {
    "pdf": "ingest.readers.pdf",
    "docx": "ingest.readers.docx",
    "html": "ingest.readers.html",
    "markdown": "ingest.readers.markdown",
    "text": "ingest.readers.text",
}


class _Reader(Protocol):
    def read(self, source: Source) -> Content: ...


def read(path: Path, *, password: Sequence[str] = (), limits: Limits | None = None) -> Document:
    """The document in the file at `path`; its sha256 is that of the very bytes that were read.

    password: tried in turn on a locked file. Raises Skipped or Unreadable with a reason; nothing else,
    except what ends the process (memory, time).
    """
    limits = limits or Limits()
    try:
        size = os.path.getsize(path)
        if size > limits.file_bytes:
            raise Skipped(f"{size >> 20} MiB large; the limit is {limits.file_bytes >> 20} MiB")
        data = path.read_bytes()
    except OSError as error:
        raise Unreadable(f"cannot be opened: {error.strerror}") from error
    return read_bytes(data, path.name, password=password, limits=limits)


def read_bytes(
    data: bytes, name: str, *, password: Sequence[str] = (), limits: Limits | None = None
) -> Document:
    """As `read`, for bytes at hand (an upload, an attachment). `name` is used as a hint only."""
    limits = limits or Limits()
    kind = "file"
    try:
        recognised = recognise(data, name)
        kind = recognised.kind
        reader = cast(_Reader, importlib.import_module(_MODULES[kind]))
        content = reader.read(Source(data, name, tuple(password), limits, recognised.decoded))
    except ReadError:
        raise
    except (MemoryError, RecursionError) as error:
        raise Unreadable(f"too large or too deeply nested to be read ({type(error).__name__})") from error
    except Exception as error:
        raise Unreadable(f"damaged {kind}: {type(error).__name__}: {_one_line(error)}") from error
    if not any(page.text.strip() for page in content.pages):
        raise Skipped("it holds no text")
    pages = tuple(_storable(page) for page in content.pages)
    title = content.title or title_from_name(name)
    return Document(hashlib.sha256(data).hexdigest(), kind, pages, content.headings, title)


def _storable(page: Page) -> Page:
    """Without half characters, which no database or JSON takes; offsets stay. Pages without a number
    get their quality here, the others have it from their reader."""
    text = _HALF_CHARACTER.sub("\ufffd", page.text)
    score = round(quality(text[:_JUDGED]), 3) if page.number is None else page.quality
    return replace(page, text=text, quality=score)


def _one_line(error: Exception) -> str:
    line = " ".join(str(error).split())
    return line if len(line) <= 200 else line[:199] + "…"
