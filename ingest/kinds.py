"""What kind of file this is, told by its content. The name only decides between kinds of plain text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from ingest.encoding import Decoded, decode
from ingest.errors import Skipped, Unreadable
from ingest.kinds_containers import OLE, is_zip, ole_kind, zip_kind
from ingest.kinds_signatures import known_signature
from ingest.kinds_text import mail_kind, text_kind

READABLE = (
    "pdf", "docx", "pptx", "xlsx", "xlsb", "xls", "odt", "ods", "odp", "rtf", "epub", "doc", "ppt",
    "locked-office", "eml", "msg", "tnef", "mbox", "zip",
    "html", "mhtml", "markdown", "csv", "json", "jsonl", "yaml", "toml", "ini", "xml", "code", "text",
)  # fmt: skip
"""locked-office: a document of Office that is wholly encrypted; what it is shows once it is opened."""

IN_A_PDF = "As a page of a PDF its text would be recognised."

_PDF_WITHOUT_HEADER = re.compile(
    rb"[\x00\s]{0,64}(?:%!PS-Adobe-[\d.]+ PDF-|(?:%[^\r\n]{0,200}[\r\n]+){0,4}\d{1,8} \d{1,5} obj\b)"
)
"""It begins with its first object, or with the older header that a few programs write."""

_ENDS_AS_ZIP = b"PK\x05\x06"
_LONGEST_ZIP_END = 22 + 65_535
_TNEF = b"\x78\x9f\x3e\x22"
_OLD_WORKBOOKS = (b"\x09\x00\x04\x00", b"\x09\x02\x06\x00", b"\x09\x04\x06\x00", b"\x09\x08\x08\x00\x00\x05")
"""Workbooks of Excel 2 to 5 that are not inside an OLE file."""


@dataclass(frozen=True, slots=True)
class Recognised:
    """kind: one of READABLE. decoded: the text, for the kinds that are text."""

    kind: str
    decoded: Decoded | None = None


def kind_of(path: Path) -> str:
    """One of READABLE. Raises Skipped, naming what the file is, for every other kind."""
    try:
        return kind_of_bytes(path.read_bytes(), path.name)
    except OSError as error:
        raise Unreadable(f"cannot be opened: {error.strerror}") from error


def kind_of_bytes(data: bytes, name: str = "") -> str:
    return recognise(data, name).kind


def recognise(data: bytes, name: str = "") -> Recognised:
    """As `kind_of`, with the decoded text, so that nobody has to decode it a second time."""
    if not data.strip(b"\x00\t\n\x0b\x0c\r ") or not data.strip(b"\xef\xbb\xbf\xff\xfe\t\n\r "):
        raise Skipped("empty: it holds nothing but blanks")
    kind = _binary_kind(data, name)
    if kind:
        return Recognised(kind)
    # Before its text is decoded: the parts of a mail may be in several encodings.
    mail = mail_kind(data, name)
    if mail:
        return Recognised(mail)
    decoded = decode(data)
    if decoded is None and _ENDS_AS_ZIP in data[-_LONGEST_ZIP_END:] and is_zip(data):
        # Behind a program that would unpack it.
        return Recognised(zip_kind(data))
    if decoded is None:
        raise Skipped("binary data, not a text")
    if decoded.encoding.startswith("utf-16") and mail_kind(decoded.text[:65_536].encode(), name):
        return Recognised("eml", decoded)
    return Recognised(text_kind(decoded.text, name), decoded)


def _binary_kind(data: bytes, name: str) -> str | None:
    """Raises Skipped for known kinds that are not read; None if it may be a text."""
    # A PDF may have up to 1,024 bytes of anything before its header.
    if data.startswith(b"%PDF-"):
        return "pdf"
    if b"%PDF-" in data[:1024] and not data[:1024].lstrip().startswith((b"<", b"PK", OLE)):
        # A mail may carry one between its lines.
        return mail_kind(data, name) or "pdf"
    if _PDF_WITHOUT_HEADER.match(data) and b"endobj" in data:
        return "pdf"
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08PK\x03\x04", b"PK00PK\x03\x04")):
        return zip_kind(data)
    if data.startswith(OLE):
        return ole_kind(data)
    if data.startswith(_TNEF):
        return "tnef"
    if data[:256].lstrip(b"\xef\xbb\xbf\x00\t\n\r ").startswith((b"{\\rtf", b"{\\urtf")):
        return "rtf"
    if data.startswith(_OLD_WORKBOOKS):
        return "xls"
    what = known_signature(data)
    if what:
        advice = IN_A_PDF if what.startswith("an image") else ""
        raise Skipped(f"{what}, a kind that is not read", fix=advice)
    return None
