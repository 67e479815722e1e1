"""The child process that reads files: `python -m ingest.reading_worker`, started by `ingest.reading`.

It takes one request after the other from its standard input and answers each on its standard output: first
for the file itself, then, if files lie in it, for each of those. It imports the readers and nothing else,
bounds its own memory, and dies with its parent. Both directions are JSON behind its length: what a hostile
file makes of this process must not be able to run code in the parent, as a pickle could.
"""

from __future__ import annotations

import json
import os
import re
import struct
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from ingest import heartbeat
from ingest.contents import Part, parts
from ingest.readers import Limits, ReadError, Skipped
from rag import child
from rag.records import Document, Heading, Page, Table

LENGTH = struct.Struct(">Q")
_HALF = re.compile("[\ud800-\udfff]")


def part_as_json(part: Part) -> dict[str, Any]:
    return {
        "name": whole(part.name),
        "size": part.size,
        "sha256": part.sha256,
        "document": None if part.document is None else as_json(part.document),
        "reason": whole(part.reason),
        "skipped": part.skipped,
        "folder": part.folder,
        "contains": part.contains,
    }


def part_from_json(value: dict[str, Any]) -> Part:
    document = value["document"]
    return Part(**{**value, "document": None if document is None else from_json(document)})


def as_json(document: Document) -> dict[str, Any]:
    return {
        "sha256": document.sha256,
        "kind": document.kind,
        "title": document.title and whole(document.title),
        "pages": [
            (page.number, whole(page.text), page.label and whole(page.label), page.quality, page.ocr)
            for page in document.pages
        ],
        "headings": [(heading.start, heading.level, whole(heading.title)) for heading in document.headings],
        "tables": [(table.start, table.end, table.header_end) for table in document.tables],
    }


def whole(text: str) -> str:
    """Half characters, which no database stores, become U+FFFD one by one: every place stays."""
    return _HALF.sub("\ufffd", text)


def from_json(value: dict[str, Any]) -> Document:
    return Document(
        sha256=value["sha256"],
        kind=value["kind"],
        title=value["title"],
        pages=tuple(Page(*page) for page in value["pages"]),
        headings=tuple(Heading(*heading) for heading in value["headings"]),
        tables=tuple(Table(*table) for table in value["tables"]),
    )


def request(
    path: str, passwords: tuple[str, ...], limits: Limits, memory_bytes: int, without: Sequence[str] = ()
) -> bytes:
    """memory_bytes: what the child may use for this file beyond what it uses at rest. without: names of
    files in it that are not to be read (again)."""
    return framed(
        {
            "path": path,
            "passwords": passwords,
            "limits": asdict(limits),
            "memory": memory_bytes,
            "without": list(without),
        }
    )


def framed(value: dict[str, Any]) -> bytes:
    data = json.dumps(value).encode("ascii")
    return LENGTH.pack(len(data)) + data


def main() -> None:
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    # What a library prints must not end up among the answers.
    os.dup2(2, 1)
    child.die_with_parent()
    child.be_first_to_go()
    _serve(requests, answers)


def _serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    def tell(value: dict[str, Any]) -> None:
        answers.write(framed(value))
        answers.flush()

    heartbeat.listen(lambda: tell({"busy": True}))
    while length := requests.read(LENGTH.size):
        asked = json.loads(requests.read(*LENGTH.unpack(length)))
        _bound_memory(asked["memory"])
        try:
            answer(Path(asked["path"]), asked["passwords"], Limits(**asked["limits"]), asked["without"], tell)
        except MemoryError:
            tell({"memory": True})


def answer(
    path: Path,
    passwords: list[str],
    limits: Limits,
    without: list[str],
    tell: Callable[[dict[str, Any]], None],
) -> None:
    """Tells {"part": …} of the file itself; if files lie in it, also {"begun": name} and {"part": …} of
    each of these, at last {"end": true}. {"skipped": reason} or {"failed": reason} if the file gives nothing.
    Before any of these {"busy": true} at each beat (`ingest.heartbeat`).

    Raises MemoryError at the bound.
    """
    inside = False
    try:
        for part in parts(
            path, passwords, limits, without=without, begun=lambda name: tell({"begun": whole(name)})
        ):
            inside = inside or part.contains > 0
            tell({"part": part_as_json(part)})
    except Skipped as error:
        tell({"skipped": whole(error.reason)})
    except ReadError as error:
        tell({"failed": whole(error.reason)})
    if inside:
        tell({"end": True})


def _bound_memory(allowed: int) -> None:
    """Of the address space, since Linux bounds nothing else: what is used now and `allowed` more."""
    import resource

    try:
        used = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return  # not Linux: the parent watches this process alone
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (used + allowed, most))


if __name__ == "__main__":
    main()
