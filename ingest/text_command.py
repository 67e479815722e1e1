"""`python -m ingest --text FILE…`: what would be indexed of each file, without indexing anything."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from ingest.gathered import Reading
from ingest.quality import POOR
from ingest.reading import Bounds, Reader
from ingest.walk import walk
from rag.errors import NothingToWorkOn
from rag.records import Document

DONE, SOME_FAILED, NOTHING = 0, 3, 4


def run_text(
    paths: Sequence[Path],
    out: TextIO,
    bounds: Bounds,
    *,
    as_json: bool = False,
    password: Sequence[str] = (),
) -> int:
    """Writes each file's text to `out`; a folder stands for all files under it, and what lies in a file
    follows it under its own path. Files are read as an ingest reads them, in a child process within
    `bounds`. Returns the exit code.

    as_json: one line a file, {"path", "kind", "title", "pages": [{"page", "label", "text", "quality",
    "ocr"}]} or {"path", "skipped": reason}; the path is as given, for a folder's files with the folder in
    front. A file without text of its own in which others lie has the kind "folder", no pages, and a
    "reason". Exit code 3 if a file was left out, 4 if there was no file at all.
    """
    shown = _Shown(out, as_json)
    with Reader(bounds, password) as reader:
        for given in paths:
            try:
                for found in walk(given):
                    shown.files += 1
                    path = str(given / found.relative) if given.is_dir() else str(given)
                    if found.skip is not None:
                        shown.left_out(path, found.skip)
                    else:
                        _show(path, reader.read(found.path), shown)
            except NothingToWorkOn as error:
                shown.left_out(str(given), error.message)
    if not shown.files:
        return NOTHING
    return SOME_FAILED if shown.left_out_files else DONE


def _show(path: str, reading: Reading, shown: _Shown) -> None:
    if reading.document is not None:
        shown.document(path, reading.document)
    elif reading.folder:
        shown.folder(path, reading.reason)
    else:
        shown.left_out(path, reading.reason)
    for part in reading.members:
        inside = f"{path}/{part.name}"
        if part.document is not None:
            shown.document(inside, part.document)
        elif part.folder:
            shown.folder(inside, part.reason)
        else:
            shown.left_out(inside, part.reason)


class _Shown:
    def __init__(self, out: TextIO, as_json: bool) -> None:
        self._out = out
        self._as_json = as_json
        self.files = self.left_out_files = 0

    def document(self, path: str, document: Document) -> None:
        if not self._as_json:
            self._write(_plain(path, document))
            return
        pages = [
            {
                "page": page.number,
                "label": page.label,
                "text": page.text,
                "quality": page.quality,
                "ocr": page.ocr,
            }
            for page in document.pages
        ]
        self._line({"path": path, "kind": document.kind, "title": document.title, "pages": pages})

    def folder(self, path: str, reason: str) -> None:
        if self._as_json:
            self._line({"path": path, "kind": "folder", "title": None, "pages": [], "reason": reason})
        else:
            self._write(f"==> {_one_line(path)} (folder)\n{reason}\n")

    def left_out(self, path: str, reason: str) -> None:
        self.left_out_files += 1
        if self._as_json:
            self._line({"path": path, "skipped": reason})
        else:
            self._write(f"==> {_one_line(path)}\nskipped: {reason}\n")

    def _line(self, value: dict[str, object]) -> None:
        self._write(json.dumps(value, ensure_ascii=False))

    def _write(self, text: str) -> None:
        # A name may hold bytes that are no text, which a terminal's encoding refuses.
        self._out.write(text.encode("utf-8", "backslashreplace").decode("utf-8") + "\n")


def _plain(shown: str, document: Document) -> str:
    parts = [f"==> {_one_line(shown)} ({document.kind})"]
    for page in document.pages:
        if page.number is not None:
            label = f", called {page.label}" if page.label else ""
            warning = "" if page.quality >= POOR else ", not indexed: no trustworthy text"
            warning += ", recognised in a picture" if page.ocr else ""
            parts.append(f"--- page {page.number}{label}, quality {page.quality:.2f}{warning}")
        parts.append(page.text)
    return "\n".join(parts) + "\n"


def _one_line(name: str) -> str:
    return name.replace("\n", "\\n").replace("\r", "\\r")
