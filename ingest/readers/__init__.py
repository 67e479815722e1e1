"""One file → one document. A module here for each format; this page picks it by the file's content."""

from __future__ import annotations

import hashlib
import importlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, cast

from ingest.errors import ReadError, Skipped, Unreadable
from ingest.kinds import recognise
from ingest.readers.base import Content, Limits, Source
from rag.records import Document

__all__ = ["Content", "Limits", "ReadError", "Skipped", "Source", "Unreadable", "read", "read_bytes"]

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
    recognised = recognise(data, name)
    kind = recognised.kind
    reader = cast(_Reader, importlib.import_module(_MODULES[kind]))
    try:
        content = reader.read(Source(data, name, tuple(password), limits, recognised.decoded))
    except ReadError:
        raise
    except (MemoryError, RecursionError) as error:
        raise Unreadable(f"too large or too deeply nested to be read ({type(error).__name__})") from error
    except Exception as error:
        raise Unreadable(f"damaged {kind}: {type(error).__name__}: {_one_line(error)}") from error
    if not any(page.text.strip() for page in content.pages):
        raise Skipped("it holds no text")
    return Document(hashlib.sha256(data).hexdigest(), kind, content.pages, content.headings, content.title)


def _one_line(error: Exception) -> str:
    line = " ".join(str(error).split())
    return line if len(line) <= 200 else line[:199] + "…"
