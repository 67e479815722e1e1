"""Recognising the pages of a PDF whose text cannot be had otherwise, within limits of time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ingest.ocr import Recognised, Tesseract
from ingest.quality import POOR, quality
from ingest.readers.pdf_figures import Words

STAMP = 150
"""Letters that a page may have and still be a scan with a stamp on it."""

PICTURE = 0.6
"""Share of a page from which a picture may be the page itself."""


@dataclass(slots=True)
class PageText:
    """A page's text and how far it can be trusted. ocr: it was recognised in a picture. beside, words,
    heights, rows: see `Extracted`."""

    text: str
    score: float
    beside: list[str] = field(default_factory=list)
    words: dict[str, Words] = field(default_factory=dict)
    heights: dict[str, float] = field(default_factory=dict)
    rows: frozenset[str] = frozenset()
    ocr: bool = False


def looks_scanned(text: str, share: float) -> bool:
    """Whether a page with this text, this much of which one picture covers, is a scan all the same."""
    return share >= PICTURE and sum(map(str.isalnum, text)) <= STAMP


def distrust_stamps(pages: Sequence[PageText], scanned: Sequence[int]) -> None:
    """Scans that say nothing but what other scans of the document say, too, are pages without text.

    A program that leaves its name on each page it scans must not make them look like pages of text.
    """
    said: dict[str, list[int]] = {}
    for index in scanned:
        if pages[index].text.strip():
            said.setdefault(_without_figures(pages[index].text), []).append(index)
    for indices in said.values():
        if len(indices) > 1:
            for index in indices:
                pages[index].score = min(pages[index].score, POOR / 2)


def recognise(
    pages: Sequence[PageText],
    doubtful: Sequence[int],
    drawn: Callable[[int], Any],
    reader: Tesseract,
    *,
    page_s: float,
    file_s: float,
    force: bool,
    told: Callable[[], None],
) -> None:
    """Put what is recognised in the place of what the doubtful pages have, where it is better.

    drawn: a page as a PIL image, None if there is nothing to see on it. page_s, file_s: seconds for one
    page, and after which no other page is begun. force: what is recognised is better, if it can be trusted
    at all. told: called after each page.
    """
    deadline = time.monotonic() + file_s
    for index in doubtful:
        left = deadline - time.monotonic()
        if left <= 0:
            break
        image = drawn(index)
        if image is None:
            continue
        found = reader.recognise(image, min(page_s, left))
        told()
        if found is not None:
            _take(pages[index], found, force)


def _take(page: PageText, found: Recognised, force: bool) -> None:
    score = min(quality(found.text), found.confidence)
    known = page.text.strip() if page.score >= POOR and not force else ""
    if score < POOR or len(found.text) < 2 * len(known):
        return
    # What was text already is surer than what was recognised of the same.
    squeezed = "".join(found.text.split()).casefold()
    rest = [line for line in known.split("\n") if "".join(line.split()).casefold() not in squeezed]
    page.text = "\n".join([*rest, found.text])
    page.score = score
    page.ocr = True


def _without_figures(text: str) -> str:
    return "".join("#" if character.isdigit() else character for character in "".join(text.split()))
