"""`python -m ingest --text FILE…`: what would be indexed of each file, without indexing anything."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from ingest.errors import ReadError
from ingest.quality import POOR
from ingest.readers import Limits, read
from ingest.walk import walk
from rag.errors import NothingToWorkOn
from rag.records import Document

DONE, SOME_FAILED, NOTHING = 0, 3, 4


def run_text(
    paths: Sequence[Path],
    out: TextIO,
    *,
    as_json: bool = False,
    password: Sequence[str] = (),
    limits: Limits | None = None,
) -> int:
    """Writes each file's text to `out`; a folder stands for all files under it. Returns the exit code.

    as_json: one line a file, {"path", "kind", "title", "pages": [{"page", "label", "text", "quality"}]} or
    {"path", "skipped": reason}; the path is as given, for a folder's files with the folder in front. Exit
    code 3 if a file was left out, 4 if there was no file at all.
    """
    seen = left_out = 0
    for given in paths:
        try:
            for found in walk(given):
                seen += 1
                shown = str(given / found.relative) if given.is_dir() else str(given)
                left_out += not _one(shown, found.path, found.skip, out, as_json, password, limits)
        except NothingToWorkOn as error:
            left_out += 1
            _skipped(str(given), error.message, out, as_json)
    if not seen:
        return NOTHING
    return SOME_FAILED if left_out else DONE


def _one(
    shown: str,
    path: Path,
    skip: str | None,
    out: TextIO,
    as_json: bool,
    password: Sequence[str],
    limits: Limits | None,
) -> bool:
    """Whether the file gave a text."""
    if skip is not None:
        _skipped(shown, skip, out, as_json)
        return False
    try:
        document = read(path, password=password, limits=limits)
    except ReadError as error:
        _skipped(shown, error.reason, out, as_json)
        return False
    if as_json:
        pages = [
            {"page": page.number, "label": page.label, "text": page.text, "quality": page.quality}
            for page in document.pages
        ]
        line = {"path": shown, "kind": document.kind, "title": document.title, "pages": pages}
        _write(json.dumps(line, ensure_ascii=False), out)
    else:
        _write(_plain(shown, document), out)
    return True


def _plain(shown: str, document: Document) -> str:
    parts = [f"==> {_one_line(shown)} ({document.kind})"]
    for page in document.pages:
        if page.number is not None:
            label = f", called {page.label}" if page.label else ""
            warning = "" if page.quality >= POOR else ", not indexed: no trustworthy text"
            parts.append(f"--- page {page.number}{label}, quality {page.quality:.2f}{warning}")
        parts.append(page.text)
    return "\n".join(parts) + "\n"


def _skipped(shown: str, reason: str, out: TextIO, as_json: bool) -> None:
    if as_json:
        _write(json.dumps({"path": shown, "skipped": reason}, ensure_ascii=False), out)
    else:
        _write(f"==> {_one_line(shown)}\nskipped: {reason}\n", out)


def _write(text: str, out: TextIO) -> None:
    # A name may hold bytes that are no text, which a terminal's encoding refuses.
    out.write(text.encode("utf-8", "backslashreplace").decode("utf-8") + "\n")


def _one_line(name: str) -> str:
    return name.replace("\n", "\\n").replace("\r", "\\r")
