"""One file → one document. A module here for each format; this page picks it by the file's content.

What all share
base, blocks    what a reader is given and gives; paragraphs, headings and tables put together
titles, captions, table_headers, list_numerals, symbols, formulas
                what formats have in common
archive, zip, embedded, member_names, locked_office, office_properties
                packages, what lies in them, passwords

PDF
pdf             page by page the better text of two libraries, or of recognition
pdf_engines, pdf_second
                the two libraries: pdfium, pypdf
pdf_text, pdf_raised, pdf_lines, pdf_columns, pdf_columnwise, pdf_furniture, pdf_headings
                words, lines, columns, running lines and headings put right
pdf_tables, pdf_table_headers, pdf_figures, pdf_places, pdf_ruled, pdf_grids
                tables, by where their words stand and what lines are drawn
pdf_trust, pdf_scans, pdf_pictures
                pages that have to be recognised
pdf_annotations, pdf_xfa, pdf_members
                forms, remarks, files inside
pdf_structure, pdf_layers
                fields that no page shows, layers that nobody sees
pdf_salvage     what is whole of a damaged file

Office and its like
docx, docx_text, docx_styles, docx_numbering
pptx, pptx_places, drawing_text, drawn_order
xlsx, xlsx_styles, xlsb, xls, sheets, sheet_margins, number_formats
odf, odt, ods, odp, odp_places, odf_objects, odf_locked
rtf, rtf_tokens, rtf_words, rtf_layout
epub, legacy, xml_office

Web, mail, data
html, html_main, html_fields, html_plain, html_tables, html_tags, mhtml
eml, mbox, mail_parts, mail_headers, mail_payload, mail_signed, mail_text,
calendar_cards
msg, msg_items, tnef, compressed_rtf
separated, json_text, notebook, settings_file, yaml_records, xml, xml_mending, xml_records
markdown, markdown_headings, code, text
"""

from __future__ import annotations

import hashlib
import importlib
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, cast

from ingest import zip_salvage
from ingest.errors import GIVE_PASSWORD, LOCKED, ReadError, Skipped, Unreadable
from ingest.kinds import recognise
from ingest.quality import quality
from ingest.readers.base import Content, Limits, Member, Source
from ingest.readers.titles import title_from_name
from rag.records import Document, Page

__all__ = [
    "Content",
    "Found",
    "Limits",
    "Member",
    "ReadError",
    "Skipped",
    "Source",
    "Unreadable",
    "find",
    "find_in_bytes",
    "read",
    "read_bytes",
]

_HALF_CHARACTER = re.compile("[\ud800-\udfff]")
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""They print nothing; shown at a terminal, some of them would steer it."""
_JUDGED = 200_000
"""Characters of a page without a number that its quality is told from."""

_MODULES = {
    "pdf": "pdf",
    "docx": "docx",
    "pptx": "pptx",
    "xlsx": "xlsx",
    "xlsb": "xlsb",
    "xls": "xls",
    "odt": "odt",
    "ods": "ods",
    "odp": "odp",
    "rtf": "rtf",
    "epub": "epub",
    "doc": "legacy",
    "ppt": "legacy",
    "eml": "eml",
    "msg": "msg",
    "tnef": "tnef",
    "mbox": "mbox",
    "zip": "zip",
    "html": "html",
    "mhtml": "mhtml",
    "markdown": "markdown",
    "csv": "separated",
    "json": "json_text",
    "jsonl": "json_text",
    "yaml": "settings_file",
    "toml": "settings_file",
    "ini": "settings_file",
    "xml": "xml",
    "code": "code",
    "text": "text",
}


class _Reader(Protocol):
    def read(self, source: Source) -> Content: ...


@dataclass(frozen=True, slots=True)
class Found:
    """What one file gave: a document, members (files inside it), or both.

    document: None if the file holds members but no text of its own; `reason` then says so in one line.
    members: not read yet; hand each to `find_in_bytes` with its name.
    """

    document: Document | None
    members: tuple[Member, ...] = ()
    reason: str = ""


def find(path: Path, *, password: Sequence[str] = (), limits: Limits | None = None) -> Found:
    """What is in the file at `path`; the document's sha256 is that of the very bytes that were read.

    password: tried in turn on a locked file. Raises Skipped or Unreadable with a reason; nothing else,
    except what ends the process (memory, time).
    """
    limits = limits or Limits()
    try:
        size = os.path.getsize(path)
        if size > limits.file_bytes:
            raise Skipped(f"{size >> 20} MiB large; the limit is {limits.file_bytes >> 20} MiB")
        data = path.read_bytes()
    except OSError as error:
        raise Unreadable(f"cannot be opened: {error.strerror}") from error
    return find_in_bytes(data, path.name, password=password, limits=limits)


def find_in_bytes(
    data: bytes, name: str, *, password: Sequence[str] = (), limits: Limits | None = None
) -> Found:
    """As `find`, for bytes at hand (an upload, a member). `name` is used as a hint only."""
    limits = limits or Limits()
    kind = "file"
    try:
        rest = zip_salvage.salvaged(data, limits.expanded_bytes) if zip_salvage.breaks_off(data) else None
        recognised = recognise(rest or data, name)
        kind = recognised.kind
        source = Source(rest or data, name, tuple(password), limits, recognised.decoded)
        if kind == "locked-office":
            kind, source = _opened(source)
        content = reader_of(kind).read(source)
        if rest is not None:
            if not content.members and not any(page.text.strip() for page in content.pages):
                raise Unreadable("damaged: its main part is missing")
            content = replace(content, members=(*content.members, Member("…", b"", zip_salvage.LOST)))
    except ReadError:
        raise
    except (MemoryError, RecursionError) as error:
        raise Unreadable(f"too large or too deeply nested to be read ({type(error).__name__})") from error
    except Exception as error:
        raise Unreadable(f"damaged {kind}: {type(error).__name__}: {_one_line(error)}") from error
    if not any(page.text.strip() for page in content.pages):
        if content.members:
            return Found(None, content.members, _only_members(len(content.members)))
        raise Skipped("it holds no text")
    pages = tuple(_storable(page) for page in content.pages)
    headings = tuple(replace(heading, title=_printed(heading.title)) for heading in content.headings)
    title = _printed(content.title or "") or title_from_name(name)
    document = Document(hashlib.sha256(data).hexdigest(), kind, pages, headings, title, content.tables)
    return Found(document, content.members)


def read(path: Path, *, password: Sequence[str] = (), limits: Limits | None = None) -> Document:
    """The document in the file at `path`, without its members. Raises as `find`; Skipped if it has none."""
    return _document(find(path, password=password, limits=limits))


def read_bytes(
    data: bytes, name: str, *, password: Sequence[str] = (), limits: Limits | None = None
) -> Document:
    """As `read`, for bytes at hand. `name` is used as a hint only."""
    return _document(find_in_bytes(data, name, password=password, limits=limits))


def content_of(source: Source) -> Content:
    """What stands in a file that is a part of another and not a document of its own. Raises as `find`."""
    recognised = recognise(source.data, source.name)
    return reader_of(recognised.kind).read(replace(source, decoded=recognised.decoded))


def reader_of(kind: str) -> _Reader:
    """The module that reads files of this kind (`ingest.kinds.READABLE`)."""
    return cast(_Reader, importlib.import_module(f"ingest.readers.{_MODULES[kind]}"))


def _opened(source: Source) -> tuple[str, Source]:
    from ingest.readers.locked_office import decrypted

    data = decrypted(source)
    if data is None:
        raise Skipped(LOCKED, fix=GIVE_PASSWORD)
    recognised = recognise(data, source.name)
    return recognised.kind, replace(source, data=data, decoded=recognised.decoded)


def _document(found: Found) -> Document:
    if found.document is None:
        raise Skipped(found.reason)
    return found.document


def _only_members(count: int) -> str:
    files = "1 file, which is read" if count == 1 else f"{count} files, which are read"
    return f"it holds no text itself but {files} as documents of their own"


def _storable(page: Page) -> Page:
    """Pages without a number get their quality here, the others have it from their reader."""
    score = round(quality(page.text[:_JUDGED]), 3) if page.number is None else page.quality
    return replace(page, text=_printed(page.text), quality=score)


def _printed(text: str) -> str:
    """Without half characters, which no database or JSON takes, and without control characters; as long."""
    return _CONTROLS.sub(" ", _HALF_CHARACTER.sub("\ufffd", text))


def _one_line(error: Exception) -> str:
    line = " ".join(str(error).split())
    return line if len(line) <= 200 else line[:199] + "…"
