"""`python -m benchmarks.hostile FOLDER`: hostile files, each with what should become of it, and what does.

FOLDER holds the files (or has them in `files`) and `index.tsv`, whose first line names its columns: file,
expected (text, skip, text-or-skip, limit), must_contain, may_contain, must_not_contain (fragments separated
by ‖) and note. `names-and-links.tar`, if it is there, is unpacked into a copy first. Every file is read as an
ingest reads it: found by the walk, read in a child process within the limits of the settings, with the files
inside it.

Fragments are compared without white space after NFKC. The exit code is 1 if any row is not as expected.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import shutil
import sys
import tarfile
import tempfile
import threading
import time
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ingest.gathered import Reading
from ingest.quality import POOR
from ingest.reading import Bounds, Reader
from ingest.walk import FoundFile, walk
from rag import settings as settings_module
from rag.records import Document

SEPARATOR = "‖"
_LOOK_EVERY_S = 0.02


@dataclass(slots=True)
class Row:
    """One line of the index and its outcome."""

    file: str
    expected: str
    must: list[str]
    may: list[str]
    must_not: list[str]
    note: str
    got: str = "not found by the walk"
    problems: list[str] = field(default_factory=list)
    missing_welcome: list[str] = field(default_factory=list)
    seconds: float = 0.0
    peak_mib: float = 0.0

    @property
    def right(self) -> bool:
        return not self.problems


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hostile", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    asked = parser.parse_args(argv)
    rows = read_index(asked.folder / "index.tsv")
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="hostile-") as scratch:
        place = _laid_out(asked.folder, Path(scratch))
        with Memory() as memory:
            for row in try_all(rows, place, memory):
                if not asked.json:
                    print(shown(row), flush=True)
            peak = memory.highest
    seconds = time.monotonic() - started
    wrong = [row for row in rows if not row.right]
    if asked.json:
        whole = {"wrong": len(wrong), "seconds": round(seconds, 1), "peak_mib": round(peak)}
        print(json.dumps({"rows": [as_json(row) for row in rows], **whole}, ensure_ascii=False))
    else:
        print(
            f"{len(rows) - len(wrong)} of {len(rows)} rows as expected, {seconds:.0f} s, "
            f"at most {peak:.0f} MiB in the readers"
        )
    return 1 if wrong else 0


def read_index(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as lines:
        return [
            Row(
                line["file"],
                line["expected"],
                _fragments(line.get("must_contain")),
                _fragments(line.get("may_contain")),
                _fragments(line.get("must_not_contain")),
                line.get("note") or "",
            )
            for line in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        ]


def try_all(rows: list[Row], place: Path, memory: Memory) -> Iterator[Row]:
    found = {file.relative: file for file in walk(place)}
    settings = settings_module.load()
    with Reader(Bounds.of(settings)) as reader:
        for row in rows:
            memory.restart()
            started = time.monotonic()
            if row.file.endswith("/"):
                inside = [file for name, file in found.items() if name.startswith(row.file)]
                _judge_folder(row, [(file, _read(reader, file)) for file in inside])
            elif row.file in found:
                judge(row, _read(reader, found[row.file]))
            else:
                row.problems.append("the walk does not name it")
            row.seconds = time.monotonic() - started
            row.peak_mib = memory.peak
            yield row


def _read(reader: Reader, file: FoundFile) -> Reading:
    return Reading(reason=file.skip, skipped=True) if file.skip is not None else reader.read(file.path)


def judge(row: Row, reading: Reading) -> None:
    own = usable(reading.document)
    inside = "\n".join(usable(part.document) for part in reading.members)
    row.got = outcome(reading, own)
    texts = f"{own}\n{inside}"
    if row.expected == "text" and not (own or inside).strip():
        row.problems.append("no text")
    if row.expected == "skip" and row.got == "text" and not _text_is_welcome(row.note):
        row.problems.append("read, though it should have been left out")
    if row.got != "text" and not reading.reason and not reading.document:
        row.problems.append("left out without a reason")
    if row.expected == "text" or (row.expected == "text-or-skip" and row.got == "text"):
        row.problems += [f"lacks {fragment!r}" for fragment in row.must if not holds(texts, fragment)]
        row.missing_welcome = [fragment for fragment in row.may if not holds(texts, fragment)]
    row.problems += [f"has {fragment!r}" for fragment in row.must_not if holds(texts, fragment)]
    if reading.members:
        row.got += "; inside: " + ", ".join(
            f"{part.name} ({'text' if usable(part.document) else part.reason or 'no text'})"
            for part in reading.members[:5]
        )


def _judge_folder(row: Row, readings: list[tuple[FoundFile, Reading]]) -> None:
    """A folder of links and the like: each entry is named, and what must not come out does not."""
    row.got = "; ".join(
        f"{file.path.name}: {outcome(reading, usable(reading.document))}" for file, reading in readings
    )
    if not readings:
        row.problems.append("the walk names nothing in it")
    for file, reading in readings:
        text = usable(reading.document)
        row.problems += [f"{file.relative} has {part!r}" for part in row.must_not if holds(text, part)]
        if not text and not reading.reason:
            row.problems.append(f"{file.relative} is left out without a reason")


def usable(document: Document | None) -> str:
    """The text that would be indexed: pages below the bar of quality are reported instead."""
    return "\n".join(page.text for page in document.pages if page.quality >= POOR) if document else ""


def outcome(reading: Reading, own: str) -> str:
    if reading.document is not None and own.strip():
        return "text"
    if reading.document is not None:
        pages = [page.number for page in reading.document.pages if page.quality < POOR]
        return f"skip: no text on pages {pages[:5]}{'…' if len(pages) > 5 else ''}"
    if reading.stopped:
        return f"limit: {reading.reason}"
    return f"skip: {reading.reason}" if reading.skipped or reading.folder else f"failed: {reading.reason}"


def _text_is_welcome(note: str) -> bool:
    return any(words in note for words in ("text if supported", "or text", "OCR: text", "unsupported format"))


def holds(text: str, fragment: str) -> bool:
    return _bare(fragment) in _bare(text)


def _bare(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split())


def shown(row: Row) -> str:
    mark = "ok   " if row.right else "WRONG"
    line = (
        f"{mark} {row.seconds:6.2f} s {row.peak_mib:6.0f} MiB  {row.file}: {row.expected} → {row.got[:160]}"
    )
    for problem in row.problems:
        line += f"\n        {problem}"
    if row.missing_welcome:
        line += f"\n        (would be welcome: {', '.join(map(repr, row.missing_welcome))})"
    return line


def as_json(row: Row) -> dict[str, object]:
    return {
        "file": row.file,
        "expected": row.expected,
        "got": row.got,
        "right": row.right,
        "problems": row.problems,
        "missing_welcome": row.missing_welcome,
        "seconds": round(row.seconds, 2),
        "peak_mib": round(row.peak_mib),
    }


class Memory:
    """Watches what the child processes hold, in MiB: `peak` since `restart`, `highest` of all."""

    def __init__(self) -> None:
        self.peak = self.highest = 0.0
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Memory:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def restart(self) -> None:
        self.peak = 0.0

    def _watch(self) -> None:
        while not self._done.wait(_LOOK_EVERY_S):
            held = sum(map(_resident, _descendants(os.getpid()))) / (1 << 20)
            self.peak = max(self.peak, held)
            self.highest = max(self.highest, held)


def _descendants(pid: int) -> Iterable[int]:
    waiting = [pid]
    while waiting:
        parent = waiting.pop()
        for task in Path(f"/proc/{parent}/task").glob("*/children"):
            try:
                children = [int(child) for child in task.read_text().split()]
            except OSError:
                continue
            yield from children
            waiting += children


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def _laid_out(folder: Path, scratch: Path) -> Path:
    """The folder itself, or a copy with what its archive of odd names and links holds."""
    files = folder / "files" if (folder / "files").is_dir() else folder
    packed = next((place / "names-and-links.tar" for place in (folder, files)
                   if (place / "names-and-links.tar").is_file()), None)  # fmt: skip
    if packed is None:
        return files
    place = scratch / "files"
    shutil.copytree(files, place, symlinks=True)
    with tarfile.open(packed) as archive:
        archive.extractall(place, filter="fully_trusted")
    return place


def _fragments(cell: str | None) -> list[str]:
    return [part.strip() for part in (cell or "").split(SEPARATOR) if part.strip()]


if __name__ == "__main__":
    sys.exit(main())
