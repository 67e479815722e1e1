"""Page images: which file may be drawn for whom, and the process that draws it."""

from __future__ import annotations

import asyncio
import hashlib
import json
import sys
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rag.library import Library
from rag.records import PAGE_BREAK, Document

_TIMEOUT_S = 30
_CACHE_BYTES = 48 << 20


class PageUnavailable(Exception):
    """The page cannot be shown. status: the HTTP status that says so."""

    def __init__(self, reason: str, status: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.status = status


@dataclass(frozen=True, slots=True)
class Drawn:
    png: bytes
    pages: int
    boxes: int


class PageImages:
    """Draws pages of live PDFs and keeps the last ones in memory. Safe for many requests at once."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._cache: OrderedDict[tuple[str, int, tuple[str, ...]], Drawn] = OrderedDict()
        self._lock = threading.Lock()
        self._drawers = asyncio.Semaphore(2)

    async def page(
        self, sha256: str, number: int, spans: Sequence[tuple[int, int]], collections: Sequence[str]
    ) -> Drawn:
        """spans: of the document's text, to be boxed where they lie on this page. collections: those that the
        asker may read; a document outside them is answered like one that does not exist."""
        path, quotes = await asyncio.to_thread(self._source, sha256, number, spans, collections)
        key = (sha256, number, tuple(quotes))
        with self._lock:
            if key in self._cache:
                self._cache.move_to_end(key)
                return self._cache[key]
        async with self._drawers:
            drawn = await _draw(path, number, quotes)
        with self._lock:
            self._cache[key] = drawn
            while sum(len(kept.png) for kept in self._cache.values()) > _CACHE_BYTES:
                self._cache.popitem(last=False)
        return drawn

    def _source(
        self, sha256: str, number: int, spans: Sequence[tuple[int, int]], collections: Sequence[str]
    ) -> tuple[Path, list[str]]:
        files = self._library.files_of(sha256, collections) if collections else []
        if not files:
            raise PageUnavailable("there is no such document", 404)
        if files[0].kind != "pdf":
            raise PageUnavailable("only pages of PDF files can be drawn", 404)
        if all(file.container for file in files):
            raise PageUnavailable("it lies in another file, and such pages are not drawn", 404)
        path = next((file.absolute for file in files if _holds(file.absolute, sha256)), None)
        if path is None:
            raise PageUnavailable("the file has been changed or moved since it was added", 410)
        return path, quotes_on(self._library.document(sha256), number, spans)


def quotes_on(document: Document, number: int, spans: Sequence[tuple[int, int]]) -> list[str]:
    """The parts of the spans (of the document's text) that lie on this page."""
    quotes, start = [], 0
    for page in document.pages:
        end = start + len(page.text)
        if page.number == number:
            for first, last in spans:
                part = document.text[max(first, start) : min(last, end)].strip()
                if part:
                    quotes.append(part)
        start = end + len(PAGE_BREAK)
    return quotes


def _holds(path: Path, sha256: str) -> bool:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == sha256
    except OSError:
        return False


async def _draw(path: Path, number: int, quotes: Sequence[str]) -> Drawn:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "ui.drawing",
        cwd=Path(__file__).parent.parent,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    wanted = json.dumps({"path": str(path), "page": number, "quotes": list(quotes)}).encode()
    try:
        png, said = await asyncio.wait_for(process.communicate(wanted), _TIMEOUT_S)
    except TimeoutError:
        process.kill()
        await process.wait()
        raise PageUnavailable(f"drawing it took longer than {_TIMEOUT_S} s", 422) from None
    except asyncio.CancelledError:
        process.kill()
        raise
    if process.returncode == 0:
        facts = json.loads(said.splitlines()[0])
        return Drawn(png, facts["pages"], facts["boxes"])
    if process.returncode == 3:
        raise PageUnavailable(json.loads(said.splitlines()[0])["problem"], 422)
    raise PageUnavailable(f"the program that draws pages ended with code {process.returncode}", 422)
