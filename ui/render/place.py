"""A place of a document with what stands around it, for documents whose pages cannot be drawn."""

from __future__ import annotations

from collections.abc import Sequence

from rag.records import Document
from ui.language import Texts
from ui.render.element import Html, element
from ui.render.marks import Span, marked_html, merged
from ui.render.numbered import unit

_AROUND = 1600
"""Characters that are shown before and behind the place."""
_LONGEST = 20_000
"""Characters of the place itself, at most."""


def place_html(document: Document, spans: Sequence[tuple[int, int]], texts: Texts) -> Html:
    """The document's text around the first of the spans, all of them marked; with page numbers, where the
    format has pages. Spans outside the text mark nothing."""
    text = document.text
    inside = [(max(0, first), min(last, len(text))) for first, last in spans if first < last]
    inside = [(first, last) for first, last in inside if first < last] or [(0, 0)]
    first, last = min(inside)
    begin = _line(text, first - _AROUND, -1)
    end = _line(text, min(last, first + _LONGEST) + _AROUND, 1)
    pages = []
    for page, start in zip(document.pages, document.page_starts, strict=True):
        stop = start + len(page.text)
        shown, shown_end = max(begin, start), min(end, stop)
        if shown >= shown_end:
            continue
        part = text[shown:shown_end]
        marks = merged([Span(a - shown, b - shown, "quoted") for a, b in inside], len(part))
        name = page.label
        if not name and page.number is not None:
            named = unit(f".{document.kind}", 1, texts).capitalize()
            name = texts("place.page", page=page.number, unit=named)
        pages += [
            element("h3", name) if name else None,
            element(
                "blockquote",
                "… " if shown > start else None,
                marked_html(part, marks),
                " …" if shown_end < stop else None,
                class_="passage",
            ),
        ]
    return element("div", *pages, class_="place-text")


def _line(text: str, at: int, direction: int) -> int:
    """The end of a line within 200 characters of `at` in that direction, else `at`; inside the text."""
    if at <= 0 or at >= len(text):
        return max(0, min(at, len(text)))
    if direction < 0:
        found = text.find("\n", at, at + 200)
        return at if found < 0 else found + 1
    found = text.rfind("\n", max(0, at - 200), at)
    return at if found < 0 else found
