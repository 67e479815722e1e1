"""A reader process with a container format of the tests' own, so that every case can be written down.

A file that begins with `BOX` is JSON: {"text": its own text or none, "members": {name: content}}; a content
that is an object is a box itself, {"skip": reason} cannot be had, any other is a text that
`tests.ingest.deadly_worker` obeys.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from ingest import contents, reading_worker
from ingest.errors import Skipped
from ingest.readers import Found, Member
from rag.records import Document, Page
from tests.ingest import deadly_worker


def box(text: str | None = None, **members: Any) -> bytes:
    """The bytes of a box. Names are given with `__` for "/" and `_` for "."."""
    named = {name.replace("__", "/").replace("_", "."): content for name, content in members.items()}
    return b"BOX" + json.dumps({"text": text, "members": named}).encode()


def find_in_bytes(data: bytes, name: str, **options: Any) -> Found:
    if not data.startswith(b"BOX"):
        return deadly_worker.find_in_bytes(data, name, **options)
    content = json.loads(data[3:])
    members = tuple(_member(name, inside) for name, inside in content["members"].items())
    text = content["text"]
    if text is None:
        if not members:
            raise Skipped("it holds no text")
        return Found(None, members, "it holds no text itself")
    return Found(Document(hashlib.sha256(data).hexdigest(), "box", (Page(None, text),)), members)


def find(path: Path, **options: Any) -> Found:
    return find_in_bytes(path.read_bytes(), path.name, **options)


def _member(name: str, content: Any) -> Member:
    if isinstance(content, str):
        return Member(name, content.encode())
    if "skip" in content:
        return Member(name, b"", content["skip"])
    return Member(name, b"BOX" + json.dumps(content).encode())


if __name__ == "__main__":
    contents.find, contents.find_in_bytes = find, find_in_bytes
    reading_worker.main()
