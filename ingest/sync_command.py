"""`python -m ingest PATH…`: the ingest itself, shown as it goes and summed up at the end."""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ingest.progress import shown
from ingest.readers_command import close_first
from ingest.sync import Report
from ingest.sync import run as sync
from ingest.watching import follow
from ingest.wording import ranges
from rag.cli import frame
from rag.cli.amounts import amount
from rag.cli.naming import plain

if TYPE_CHECKING:
    from rag.settings import Settings


def run(
    settings: Settings,
    paths: Sequence[Path],
    collection: str,
    *,
    keep_missing: bool,
    passwords: Sequence[str],
    watch: bool,
    as_json: bool,
    readers: Sequence[str] | None = None,
) -> int:
    """One ingest, or with `watch` one after the other; each gives a summary, or one JSON object a line.

    readers: the words after --readers; None leaves the collection's list as it is.
    """
    if readers:
        close_first(settings, paths, collection, readers)

    def tell(report: Report) -> None:
        if as_json:
            frame.write_json(report.as_json())
        else:
            print(summary(report, collection), flush=True)

    with shown() as show:
        if watch:
            follow(
                settings,
                paths,
                collection,
                keep_missing=keep_missing,
                passwords=passwords,
                progress=show,
                told=tell,
                stop=threading.Event(),
            )
            return frame.INTERRUPTED
        report = sync(
            settings, paths, collection, keep_missing=keep_missing, passwords=passwords, progress=show
        )
    tell(report)
    if report.interrupted:
        print("Interrupted. What was stored is safe; the next run goes on from here.", file=sys.stderr)
        return frame.INTERRUPTED
    if report.empty:
        print("Nothing was found there.", file=sys.stderr)
        return frame.NOTHING_FOUND
    return frame.SOME_FAILED if report.failed else frame.DONE


def summary(report: Report, collection: str) -> str:
    """The report for a person: counts, then every file that gave nothing, with its reason."""
    counts = {
        "added": len(report.added),
        "updated": len(report.updated),
        "unchanged": report.unchanged,
        "removed": len(report.removed),
        "skipped": len(report.skipped),
        "failed": len(report.failed),
    }
    said = ", ".join(f"{count:,} {what}" for what, count in counts.items() if count) or "no files"
    lines = [
        f"{said} in {report.seconds:.1f} s.",
        f"Collection {collection}: {amount(report.documents, 'document')}, {amount(report.chunks, 'chunk')}.",
    ]
    for title, entries in (("Skipped", report.skipped), ("Failed", report.failed)):
        if entries:
            lines.append(f"{title}:")
            lines += [f"  {plain(path)}: {plain(reason)}" for path, reason in sorted(entries)]
    if report.pages_without_text:
        lines.append("Pages without text that can be trusted (scans, broken fonts, damage):")
        lines += [f"  {plain(path)}: {ranges(pages)}" for path, pages in sorted(report.pages_without_text)]
    return "\n".join(lines)
