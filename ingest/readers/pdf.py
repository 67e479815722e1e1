"""PDF: page by page the better text of two libraries, with labels, outline, and headers removed."""

from __future__ import annotations

import re
import unicodedata

from ingest.errors import ReadError, Skipped, Unreadable
from ingest.quality import quality
from ingest.readers.base import Content, Source
from ingest.readers.pdf_engines import OutlineEntry, Pdfium, Pypdf
from ingest.readers.pdf_furniture import without_furniture
from ingest.readers.pdf_text import Hyphens, letters_from_glyph_numbers, reflowed, tidy
from ingest.readers.titles import plausible_title
from rag.records import PAGE_BREAK, Heading, Page

_DOUBTFUL = 0.85
"""Below this quality of pdfium's page pypdf is asked for the same page."""

_HEADING_NUMBER = re.compile(r"^(?:第?[\d一二三四五六七八九十]+[章节.、)]?|[A-Z]?[\d.]+)+")
_VAIN_ATTEMPTS = 5
"""Pages on which pypdf may fail to do better than an empty page before it is no longer asked."""


def read(source: Source) -> Content:
    engine, second = _opened(source)
    try:
        if engine.pages == 0:
            raise Skipped("a PDF without pages")
        if engine.pages > source.limits.pages:
            raise Unreadable(f"{engine.pages} pages; the limit is {source.limits.pages}")
        raw, scores = _page_texts(engine, second, source)
        if not any(raw):
            which = "its only page is" if engine.pages == 1 else f"its {engine.pages} pages are"
            raise Skipped(f"no text layer: {which} empty or images only (a scan)")
        hyphens = Hyphens(raw)
        texts = [reflowed(hyphens.joined(page)) for page in without_furniture(raw)]
        labels = [engine.label(index) for index in range(engine.pages)]
        outline, title = engine.outline(), engine.title()
    finally:
        engine.close()
    pages = tuple(
        # What tidying took away must not hide how bad the page was.
        Page(index, text, label if label != str(index) else None, round(min(score, quality(text)), 3))
        for index, (text, label, score) in enumerate(zip(texts, labels, scores, strict=True), start=1)
    )
    return Content(pages, headings_from_outline(outline, texts), plausible_title(title))


def _opened(source: Source) -> tuple[Pdfium | Pypdf, Pypdf | None]:
    """The engine to read with; a damaged file that pdfium refuses may still open with pypdf."""
    try:
        return Pdfium(source.data, source.passwords), None
    except Unreadable as refused:
        try:
            second = Pypdf(source.data, source.passwords)
        except Skipped:
            raise
        except ReadError as error:
            raise refused from error
        return second, second


def _page_texts(
    engine: Pdfium | Pypdf, second: Pypdf | None, source: Source
) -> tuple[list[str], list[float]]:
    """Tidied text of every page and its quality as extracted. pypdf is opened only for doubtful pages."""
    texts, scores = [], []
    characters = 0
    in_vain = 0
    gone = second is not None
    for index in range(engine.pages):
        found = engine.text(index)
        text = letters_from_glyph_numbers(found or "")
        score = quality(text)
        if score < _DOUBTFUL and not gone and (score > 0 or in_vain < _VAIN_ATTEMPTS):
            if second is None:
                try:
                    second = Pypdf(source.data, source.passwords)
                except ReadError:
                    # One library cannot load this page and the other one not even the page tree.
                    if found is None:
                        raise
                    gone = True
            other = (second.text(index) if second and index < second.pages else None) or ""
            if quality(other) > score:
                text, score = other, quality(other)
            elif score == 0:
                in_vain += 1
        characters += len(text)
        if characters > source.limits.text_chars:
            raise Unreadable(f"more than {source.limits.text_chars >> 20} million characters of text")
        texts.append(tidy(text))
        scores.append(score)
    return texts, scores


def headings_from_outline(outline: list[OutlineEntry], texts: list[str]) -> tuple[Heading, ...]:
    """The outline's entries at the lines that say the same, else at the top of their page.

    An entry is looked for on its own page only, after the entry before it.
    """
    starts = []
    position = 0
    for text in texts:
        starts.append(position)
        position += len(text) + len(PAGE_BREAK)
    found: list[Heading] = []
    least = 0
    at_hand: tuple[int, _Folded] | None = None
    for entry in outline:
        title = " ".join(entry.title.split())
        if not title or entry.page is None or not 0 <= entry.page < len(texts):
            continue
        if at_hand is None or at_hand[0] != entry.page:
            at_hand = entry.page, _Folded(texts[entry.page])
        page_start = starts[entry.page]
        offset = at_hand[1].line_saying(title, max(0, least - page_start))
        if offset is None:
            if page_start < least:
                continue
            offset = 0
        least = page_start + offset + 1
        found.append(Heading(page_start + offset, entry.level, title))
    found.sort(key=lambda heading: heading.start)
    return tuple(found)


class _Folded:
    """A page's text without white space, case and width, to look for titles in."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._key, self._places = _key(text)

    def line_saying(self, title: str, least: int) -> int | None:
        """Where a line begins that says `title`, from `least` on; a title's number may differ."""
        wanted = _key(title)[0]
        without_number = _HEADING_NUMBER.sub("", wanted)
        for needle in dict.fromkeys((wanted, without_number)):
            at = self._key.find(needle) if len(needle) >= 2 else -1
            while at >= 0:
                place = self._places[at]
                line = self._text.rfind("\n", 0, place) + 1
                # Nothing but a number may stand before the title on its line.
                if place >= least and len(re.sub(r"[\W\d_]+", "", self._text[line:place])) <= 3:
                    return line
                at = self._key.find(needle, at + 1)
        return None


def _key(text: str) -> tuple[str, list[int]]:
    """The text without white space, folded, and for each of its characters its place in `text`."""
    characters, places = [], []
    for place, character in enumerate(text):
        if not character.isspace():
            for folded in unicodedata.normalize("NFKC", character).casefold():
                characters.append(folded)
                places.append(place)
    return "".join(characters), places
