"""The options that say which documents may be searched, as several commands have them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import date, datetime, time
from difflib import get_close_matches
from typing import TYPE_CHECKING

from rag.errors import UsageError

if TYPE_CHECKING:
    from rag.library import Library
    from rag.retrieval.filters import Filters


def add_filter_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("which documents")
    group.add_argument(
        "--document",
        action="append",
        metavar="PATH",
        help="only this file, or the files below this folder, by the path as ingested; may be repeated",
    )
    group.add_argument(
        "--kind",
        action="append",
        metavar="KIND",
        help="only files of this kind (pdf, docx, …); may be repeated",
    )
    group.add_argument("--since", metavar="DATE", help="only files changed on this day or later (YYYY-MM-DD)")
    group.add_argument("--until", metavar="DATE", help="only files changed on this day or earlier")


def filters_of(arguments: argparse.Namespace) -> Filters:
    """Raises UsageError for a date that is none, and for days that hold none."""
    from rag.retrieval.filters import Filters

    after = _moment("since", arguments.since, time.min)
    before = _moment("until", arguments.until, time.max)
    if after is not None and before is not None and after.timestamp() > before.timestamp():
        raise UsageError(
            f"--since {arguments.since} is later than --until {arguments.until}: no day lies between them.",
            fix="Exchange the two.",
        )
    return Filters(
        documents=tuple(arguments.document) if arguments.document else None,
        kinds=tuple(arguments.kind) if arguments.kind else None,
        modified_after=after,
        modified_before=before,
    )


def check(filters: Filters, library: Library, collections: Sequence[str]) -> None:
    """Raises UsageError if a document or a kind is asked for that these collections do not have."""
    from rag.retrieval.filters import Filters

    if not filters.restrict:
        return
    files = [file for file in library.files(collections) if file.state == "live"]
    for path in filters.documents or ():
        if not any(Filters(documents=(path,)).admit(file) for file in files):
            near = get_close_matches(path, [file.path for file in files], n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise UsageError(
                f"No document {path!r} is live in these collections.{hint}",
                fix="See the paths with: python -m ingest --status",
            )
    kinds = sorted({file.kind for file in files})
    for kind in filters.kinds or ():
        if not any(Filters(kinds=(kind,)).admit(file) for file in files):
            raise UsageError(
                f"There is no document of the kind {kind!r}.",
                fix=f"Kinds here: {', '.join(kinds) or 'none'}.",
            )


def _moment(option: str, text: str | None, of_day: time) -> datetime | None:
    """A day's beginning or end, or the very moment if a time is given; local unless it names a zone."""
    if text is None:
        return None
    try:
        if len(text) <= len("YYYY-MM-DD"):
            return datetime.combine(date.fromisoformat(text), of_day)
        return datetime.fromisoformat(text)
    except ValueError as error:
        raise UsageError(f"--{option} {text!r} is not a date.", fix="Write it as YYYY-MM-DD.") from error
