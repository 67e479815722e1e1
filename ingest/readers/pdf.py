"""PDF: page by page the better text of two libraries, or of recognition, with labels, outline and tables."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ingest import heartbeat, ocr
from ingest.errors import ReadError, Skipped, Unreadable
from ingest.quality import POOR, quality
from ingest.readers.base import Content, Limits, Member, Source
from ingest.readers.pdf_engines import Extracted, Pdfium
from ingest.readers.pdf_furniture import without_furniture
from ingest.readers.pdf_headings import StyledLine, headings_from_look, headings_from_outline
from ingest.readers.pdf_layers import Layers, layers_of
from ingest.readers.pdf_salvage import Salvaged, breaks_off, salvaged
from ingest.readers.pdf_scans import STAMP, PageText, distrust_stamps, looks_scanned, recognise
from ingest.readers.pdf_second import Pypdf
from ingest.readers.pdf_structure import loose_fields
from ingest.readers.pdf_tables import tables_of
from ingest.readers.pdf_text import Hyphens, letters_from_glyph_numbers, reflowed, tidy
from ingest.readers.pdf_trust import DOUBTED, is_doubtful, is_named
from ingest.readers.pdf_xfa import NO_WORDS
from ingest.readers.titles import plausible_title
from rag.outside import tesseract_data
from rag.records import Page

_HEADER = b"%PDF-"
_DOUBTFUL = 0.85
"""Below this quality of pdfium's page pypdf is asked for the same page."""

_NO_DOUBT = 0.97
_LOOSE = "Form fields that no page shows:"

_VAIN_ATTEMPTS = 5
"""Pages on which pypdf may fail to do better than an empty page before it is no longer asked."""


def read(source: Source) -> Content:
    if _HEADER not in source.data[:1024]:
        # Without it no library opens the file; the places of its objects are then found by their marks.
        source = replace(source, data=_HEADER + b"1.7\n" + source.data)
    layers = layers_of(source.data, source.passwords)
    if layers is not None:
        source = replace(source, data=layers.shown)
    engine, second = _opened(source)
    try:
        if engine.pages > source.limits.pages:
            raise Unreadable(f"{engine.pages} pages; the limit is {source.limits.pages}")
        outline = engine.outline()
        styled: list[StyledLine] | None = None if outline else []
        pages = _page_texts(engine, second, source, styled)
        advice = _recognised(engine, pages, source.limits)
        if layers is not None:
            _add_hidden(pages, layers)
        form = engine.form()
        loose = loose_fields(source.data, source.passwords) if pages else []
        members = engine.members(source.limits.expanded_bytes)
        if engine.pages == 0 and not members:
            raise Skipped("a PDF without pages")
        if not members and not form and not loose and not any(page.text or page.beside for page in pages):
            if form is not None:
                raise Skipped(NO_WORDS)
            which = "its only page is" if engine.pages == 1 else f"its {engine.pages} pages are"
            raise Skipped(f"no text layer: {which} empty or images only (a scan)", fix=advice)
        if form == "":
            members += (Member("…", b"", NO_WORDS),)
        labels = [engine.label(index) for index in range(engine.pages)]
        title = engine.title()
    finally:
        engine.close()
    if loose:
        form = "\n\n".join(filter(None, (form, "\n".join([_LOOSE, *loose]))))
    texts = _finished(pages, form or "")
    read_pages = tuple(
        Page(
            index,
            text,
            label if label != str(index) else None,
            _quality(page, text),
            page.ocr,
        )
        for index, (text, label, page) in enumerate(zip(texts, labels, pages, strict=True), start=1)
    )
    if styled is None:
        headings = headings_from_outline(outline, texts)
    else:
        headings = headings_from_look(
            [StyledLine(line.page, tidy(line.text), line.size, line.bold) for line in styled], texts
        )
    tables = tables_of(texts, [page.words for page in pages])
    return Content(read_pages, headings, plausible_title(title), tables, members)


def _add_hidden(pages: list[PageText], layers: Layers) -> None:
    """The words of layers that nobody sees stand behind those of their page, and say what they are."""
    words = Pdfium(layers.hidden, ())
    try:
        for index, names in layers.names.items():
            found = words.text(index) if index < min(words.pages, len(pages)) else None
            text = tidy(found.text) if found else ""
            if text:
                which = f" “{'”, “'.join(names)}”" if names else ""
                page = pages[index]
                page.beside.append(f"Hidden layer{which}:\n{text}")
                page.score = page.score or quality(text)
    finally:
        words.close()


def _quality(page: PageText, text: str) -> float:
    """What tidying took away must not hide how bad the page was; nor can it make a good one bad."""
    sure = page.score > _NO_DOUBT and text
    return round(page.score if sure else min(page.score, quality(text)), 3)


def _finished(pages: list[PageText], form: str) -> list[str]:
    """The pages' texts as they are stored: without running lines, words joined, with what stands beside."""
    raw = [page.text for page in pages]
    hyphens = Hyphens(raw)
    texts = [
        text if page.ocr else reflowed(hyphens.joined(text), frozenset(map(hyphens.joined, page.rows)))
        for text, page in zip(without_furniture(raw, [page.heights for page in pages]), pages, strict=True)
    ]
    besides = ["\n".join(filter(None, map(tidy, page.beside))) for page in pages]
    if form and besides:
        besides[0] = "\n\n".join(filter(None, (besides[0], tidy(form))))
    return ["\n\n".join(filter(None, both)) for both in zip(texts, besides, strict=True)]


def _opened(source: Source) -> tuple[Pdfium | Pypdf, Pypdf | None]:
    """The engine to read with; a damaged file that pdfium refuses may still open with pypdf, and of one
    that neither opens, whole pages may be left."""
    cut = breaks_off(source.data)
    rest = salvaged(source.data) if cut else None
    # A library may open it and read letters whose font is lost.
    engine = _with_text(rest) if rest and rest.lost else None
    if engine is not None:
        return engine, None
    try:
        return Pdfium(source.data, source.passwords), None
    except Unreadable as refused:
        try:
            second = Pypdf(source.data, source.passwords)
        except Skipped:
            raise
        except ReadError as error:
            rest = rest if cut else salvaged(source.data)
            engine = _with_text(rest) if rest else None
            if engine is None:
                raise refused from error
            return engine, None
        return second, second


def _with_text(rest: Salvaged) -> Pdfium | None:
    """None if its pages say nothing, as when what could decrypt them is lost."""
    engine = Pdfium(rest.data, ())
    for index in range(engine.pages):
        page = engine.text(index)
        if page and page.text.strip():
            return engine
    engine.close()
    return None


def _page_texts(
    engine: Pdfium | Pypdf, second: Pypdf | None, source: Source, styled: list[StyledLine] | None
) -> list[PageText]:
    """Tidied text of every page and its quality as extracted. pypdf is opened only for doubtful pages.

    styled: takes up the lines as they are set, if given.
    """
    asked = _Second(source, second)
    pages = []
    characters = 0
    for index in range(engine.pages):
        found = engine.text(index, styled)
        shown = found or Extracted("")
        text = letters_from_glyph_numbers(shown.text)
        score = quality(text)
        guessed = is_doubtful(shown.unmapped, text)
        if guessed:
            score = min(score, DOUBTED)
        if score < _DOUBTFUL:
            text, score = asked.better(index, text, score, loaded=found is not None, guessed=guessed)
        characters += len(text) + sum(map(len, shown.beside))
        if characters > source.limits.text_chars:
            raise Unreadable(f"more than {source.limits.text_chars >> 20} million characters of text")
        if not text.strip() and shown.beside:
            score = quality("\n".join(shown.beside))
        pages.append(PageText(tidy(text), score, shown.beside, shown.words, shown.heights, shown.rows))
    return pages


@dataclass(slots=True)
class _Second:
    """pypdf, opened when a page is doubtful and asked no longer when it is of no help."""

    source: Source
    opened: Pypdf | None
    gone: bool = False
    in_vain: int = 0

    def __post_init__(self) -> None:
        self.gone = self.opened is not None

    def better(
        self, index: int, text: str, score: float, *, loaded: bool, guessed: bool
    ) -> tuple[str, float]:
        """The better text of a page and its quality. Raises ReadError if neither library can load it.

        guessed: the letters may be others; then the same letters are no better.
        """
        if self.gone or (score == 0 and self.in_vain >= _VAIN_ATTEMPTS):
            return text, score
        if self.opened is None:
            try:
                self.opened = Pypdf(self.source.data, self.source.passwords)
            except ReadError:
                # One library cannot load this page and the other one not even the page tree.
                if not loaded:
                    raise
                self.gone = True
                return text, score
        found = self.opened.text(index) if index < self.opened.pages else None
        other = found.text if found else ""
        if guessed and not is_named(other, text):
            return text, score
        if quality(other) > score:
            return other, quality(other)
        self.in_vain += score == 0
        return text, score


def _recognised(engine: Pdfium | Pypdf, pages: list[PageText], limits: Limits) -> str:
    """Recognise the text of pages that have none, or none to be trusted. Returns what would have helped."""
    scanned = [
        index
        for index, page in enumerate(pages)
        if page.score >= POOR
        and sum(map(str.isalnum, page.text)) <= STAMP
        and looks_scanned(page.text, engine.picture_share(index))
    ]
    doubtful = sorted({*scanned, *(index for index, page in enumerate(pages) if page.score < POOR)})
    if limits.ocr == "force":
        doubtful = list(range(len(pages)))
    advice = ""
    if doubtful and limits.ocr != "off":
        found = tesseract_data()
        languages = ocr.languages_for(found, limits.ocr_languages) if found else ()
        if found and languages:
            reader = ocr.Tesseract(found, languages)
            try:
                recognise(
                    pages,
                    doubtful,
                    engine.drawn,
                    reader,
                    page_s=limits.ocr_page_s,
                    file_s=limits.ocr_file_s,
                    force=limits.ocr == "force",
                    told=heartbeat.beat,
                )
            finally:
                reader.close()
        else:
            advice = "Install Tesseract with the data of its language to have it recognised."
    distrust_stamps(pages, [index for index in scanned if not pages[index].ocr])
    return advice
