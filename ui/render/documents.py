"""The documents table: every known file with its state and the reason for it."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from rag.library import CollectionInfo, FileInfo
from ui.language import Texts
from ui.render.element import Html, button, element, joined, path_html
from ui.render.reasons import reason_text

PAGE_SIZE = 100
"""Rows shown before the reader asks for more."""

_STATES = {"live": "live", "failed": "failed", "skipped": "skipped"}
_COLUMNS = ("file", "kind", "pages", "chunks", "state", "updated")


def documents_html(
    files: Sequence[FileInfo],
    texts: Texts,
    *,
    wanted: str = "",
    limit: int = PAGE_SIZE,
    several: bool = False,
    own: Callable[[Path], bool] = lambda path: False,
    removable: bool = True,
    now: float | None = None,
) -> Html:
    """`wanted`: words that names, kinds or reasons must hold. `several`: show each file's collection.
    `own`: whether a file came through this page (such a file is deleted for good). `removable`: whether
    documents are added and removed through the page at all.
    """
    if not files:
        return element(
            "div",
            element("h3", texts("documents.none")),
            element("p", texts("documents.none.hint")) if removable else None,
            element("p", element("code", "python -m ingest ./folder")) if removable else None,
            class_="nothing",
        )
    words = wanted.casefold().split()
    found = [file for file in files if all(word in _searchable(file) for word in words)]
    found.sort(key=lambda file: (file.state == "live", -file.updated, file.path))
    if not found:
        return element("div", element("p", texts("documents.no_match", wanted=wanted)), class_="nothing")
    now = time.time() if now is None else now
    heads = [element("span", texts(f"column.{name}"), role="columnheader", class_=name) for name in _COLUMNS]
    more = None
    if len(found) > limit:
        label = texts("documents.more", n=min(PAGE_SIZE, len(found) - limit))
        more = button(label, "link show-more", data_limit=limit + PAGE_SIZE)
    return joined(
        element("p", _summary(files, texts), class_="summary"),
        element(
            "div",
            element(
                "div", *heads, element("span", role="columnheader", class_="act"), class_="head", role="row"
            ),
            *(
                _row(file, texts, several, own(file.absolute) if removable else None, now)
                for file in found[:limit]
            ),
            class_="files",
            role="table",
            aria_label=texts("nav.documents"),
        ),
        more,
    )


def collection_choices(collections: Sequence[CollectionInfo], texts: Texts) -> list[tuple[str, str]]:
    """(label, name) for the choice of collections; labels are shown as text by gradio."""
    return [
        (texts("collection.label", name=collection.name, n=collection.documents), collection.name)
        for collection in collections
    ]


def ranges(pages: Iterable[int]) -> str:
    """1, 2, 3, 7 → "1–3, 7".

    >>> ranges([7, 1, 2, 3])
    '1–3, 7'
    """
    runs: list[list[int]] = []
    for page in sorted(pages):
        if runs and runs[-1][1] == page - 1:
            runs[-1][1] = page
        else:
            runs.append([page, page])
    return ", ".join(str(first) if first == last else f"{first}–{last}" for first, last in runs)


def ago(seconds: float, texts: Texts) -> str:
    """How long ago, in words; the date when it is a month or more."""
    if seconds < 60:
        return texts("ago.now")
    for unit, size, limit in (("minutes", 60, 3600), ("hours", 3600, 86400), ("days", 86400, 30 * 86400)):
        if seconds < limit:
            return texts(f"ago.{unit}", n=int(seconds // size))
    return time.strftime("%Y-%m-%d", time.localtime(time.time() - seconds))


def _summary(files: Sequence[FileInfo], texts: Texts) -> str:
    # A document at several paths counts once.
    documents = {file.sha256: file for file in files if file.state == "live" and file.chunks}
    parts = [
        texts("documents.live", n=len(documents)),
        texts("documents.chunks", n=sum(file.chunks for file in documents.values())),
    ]
    for state in ("skipped", "failed"):
        count = sum(file.state == state for file in files)
        if count:
            parts.append(texts(f"documents.{state}", n=count))
    return " · ".join(parts)


def _searchable(file: FileInfo) -> str:
    return f"{file.path} {file.title} {file.kind} {file.reason} {file.collection} {file.state}".casefold()


def _row(file: FileInfo, texts: Texts, several: bool, own: bool | None, now: float) -> Html:
    """own: None for a file that cannot be removed here."""
    state = _STATES.get(file.state, "working")

    def cell(name: str, content: str, title: str | None = None) -> Html:
        class_ = name if content else f"{name} none"
        return element("span", content or "–", class_=class_, role="cell", title=title)

    return element(
        "div",
        element(
            "div",
            path_html(file.path),
            element("div", *_details(file, texts, several), class_="details"),
            class_="file",
            role="cell",
        ),
        cell("kind", file.kind),
        cell("pages", _number(file.pages, texts("count.pages", n=file.pages))),
        cell("chunks", _number(file.chunks, texts("documents.chunks", n=file.chunks))),
        cell("state", element("b", texts(f"state.{state}"), class_=f"state-{state}")),
        cell("updated", ago(now - file.updated, texts), title=_modified(file, texts)),
        # What lies in a file can only go with it.
        cell("act", Html("") if file.container or own is None else _delete(file, texts, own=own)),
        class_=f"row {state}",
        role="row",
    )


def _modified(file: FileInfo, texts: Texts) -> str | None:
    """The day that a search by date goes by; files of unknown date have none."""
    if not file.modified:
        return None
    day = time.strftime("%Y-%m-%d", time.localtime(file.modified))
    return texts("documents.modified", date=day)


def _details(file: FileInfo, texts: Texts, several: bool) -> list[Html]:
    # In front, where the eye finds it whatever the length of the rest.
    details = [element("span", file.collection, class_="collection")] if several else []
    if file.title and _plain(file.title) not in _plain(file.path):
        details.append(element("span", file.title, class_="title"))
    if file.reason:
        details.append(element("span", reason_text(file.reason, texts), class_="reason", title=file.reason))
    if file.pages_without_text:
        line = texts("documents.without_text", pages=ranges(file.pages_without_text))
        details.append(element("span", line, class_="reason"))
    if file.pages_recognised:
        line = texts("documents.recognised", pages=ranges(file.pages_recognised))
        details.append(element("span", line, class_="reason"))
    return details


def _plain(name: str) -> str:
    """Without what titles made of file names put for their separators."""
    return re.sub(r"[\s_\-.]+", " ", name).casefold().strip()


def _number(value: int, phrase: str) -> Html:
    # The phrase is shown where the table has no room for a head.
    return joined(element("b", f"{value:,}"), element("i", phrase)) if value else Html("")


def _delete(file: FileInfo, texts: Texts, *, own: bool) -> Html:
    label = texts("documents.delete", name=file.path)
    key = json.dumps([file.collection, str(file.absolute)])
    return button(
        _BIN, "delete", data_key=key, data_name=file.path, data_own=int(own), title=label, aria_label=label
    )


_BIN = element(
    "svg",
    element("path", d="M3.5 5.5h13M8 5.5V4h4v1.5M5.5 5.5l.7 10.5h7.6l.7-10.5M8.5 8.5v4.5M11.5 8.5v4.5"),
    viewBox="0 0 20 20",
    width=16,
    height=16,
    aria_hidden="true",
    fill="none",
    stroke="currentColor",
    **{"stroke-width": "1.5", "stroke-linecap": "round", "stroke-linejoin": "round"},
)
