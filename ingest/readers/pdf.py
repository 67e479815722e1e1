"""PDF: page by page the better text of two libraries, with labels, outline, and headers removed."""

from __future__ import annotations

from ingest.errors import ReadError, Skipped, Unreadable
from ingest.quality import quality
from ingest.readers.base import Content, Source
from ingest.readers.pdf_engines import Pdfium, Pypdf
from ingest.readers.pdf_furniture import without_furniture
from ingest.readers.pdf_headings import StyledLine, headings_from_look, headings_from_outline
from ingest.readers.pdf_text import Hyphens, letters_from_glyph_numbers, reflowed, tidy
from ingest.readers.titles import plausible_title
from rag.records import Page

_DOUBTFUL = 0.85
"""Below this quality of pdfium's page pypdf is asked for the same page."""

_VAIN_ATTEMPTS = 5
"""Pages on which pypdf may fail to do better than an empty page before it is no longer asked."""


def read(source: Source) -> Content:
    engine, second = _opened(source)
    try:
        if engine.pages == 0:
            raise Skipped("a PDF without pages")
        if engine.pages > source.limits.pages:
            raise Unreadable(f"{engine.pages} pages; the limit is {source.limits.pages}")
        outline = engine.outline()
        styled: list[StyledLine] | None = None if outline else []
        raw, scores = _page_texts(engine, second, source, styled)
        if not any(raw):
            which = "its only page is" if engine.pages == 1 else f"its {engine.pages} pages are"
            raise Skipped(f"no text layer: {which} empty or images only (a scan)")
        hyphens = Hyphens(raw)
        texts = [reflowed(hyphens.joined(page)) for page in without_furniture(raw)]
        labels = [engine.label(index) for index in range(engine.pages)]
        title = engine.title()
    finally:
        engine.close()
    pages = tuple(
        # What tidying took away must not hide how bad the page was.
        Page(index, text, label if label != str(index) else None, round(min(score, quality(text)), 3))
        for index, (text, label, score) in enumerate(zip(texts, labels, scores, strict=True), start=1)
    )
    if styled is None:
        headings = headings_from_outline(outline, texts)
    else:
        headings = headings_from_look(
            [StyledLine(line.page, tidy(line.text), line.size, line.bold) for line in styled], texts
        )
    return Content(pages, headings, plausible_title(title))


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
    engine: Pdfium | Pypdf, second: Pypdf | None, source: Source, styled: list[StyledLine] | None
) -> tuple[list[str], list[float]]:
    """Tidied text of every page and its quality as extracted. pypdf is opened only for doubtful pages.

    styled: takes up the lines as they are set, if given.
    """
    texts, scores = [], []
    characters = 0
    in_vain = 0
    gone = second is not None
    for index in range(engine.pages):
        found = engine.text(index, styled)
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
