"""What kind of file this is, told by its content. The name only decides between kinds of plain text."""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePath

from ingest.encoding import Decoded, decode
from ingest.errors import Skipped, Unreadable

READABLE = ("pdf", "docx", "html", "markdown", "text")

_MAGIC: tuple[tuple[int, bytes, str], ...] = (
    (0, b"\x89PNG\r\n\x1a\n", "an image (PNG)"),
    (0, b"\xff\xd8\xff", "an image (JPEG)"),
    (0, b"GIF87a", "an image (GIF)"),
    (0, b"GIF89a", "an image (GIF)"),
    (0, b"II*\x00", "an image (TIFF)"),
    (0, b"MM\x00*", "an image (TIFF)"),
    (8, b"WEBP", "an image (WebP)"),
    (0, b"8BPS", "an image (Photoshop)"),
    (0, b"AT&TFORM", "a scanned document (DjVu)"),
    (0, b"\x00\x00\x01\x00", "an icon"),
    (4, b"ftyp", "a video or photo (MP4, HEIC)"),
    (0, b"\x1aE\xdf\xa3", "a video (Matroska)"),
    (8, b"AVI ", "a video (AVI)"),
    (8, b"WAVE", "a sound (WAV)"),
    (0, b"ID3", "a sound (MP3)"),
    (0, b"fLaC", "a sound (FLAC)"),
    (0, b"OggS", "a sound or video (Ogg)"),
    (0, b"\x1f\x8b", "a compressed file (gzip)"),
    (0, b"BZh", "a compressed file (bzip2)"),
    (0, b"\xfd7zXZ\x00", "a compressed file (xz)"),
    (0, b"\x28\xb5\x2f\xfd", "a compressed file (zstd)"),
    (0, b"7z\xbc\xaf\x27\x1c", "an archive (7z)"),
    (0, b"Rar!\x1a\x07", "an archive (RAR)"),
    (257, b"ustar", "an archive (tar)"),
    (0, b"\x7fELF", "a program (ELF)"),
    (0, b"\xca\xfe\xba\xbe", "a program (Java or macOS)"),
    (0, b"\xcf\xfa\xed\xfe", "a program (macOS)"),
    (0, b"\x00asm", "a program (WebAssembly)"),
    (0, b"SQLite format 3\x00", "a database (SQLite)"),
    (0, b"GGUF", "a model file (GGUF)"),
    (0, b"PAR1", "a data file (Parquet)"),
    (0, b"\x89HDF\r\n", "a data file (HDF5)"),
    (0, b"\x93NUMPY", "a data file (NumPy)"),
    (0, b"wOFF", "a font"),
    (0, b"wOF2", "a font"),
    (0, b"OTTO\x00", "a font"),
    (0, b"\x00\x01\x00\x00\x00", "a font"),
    (0, b"ITSF", "a help file (CHM)"),
    (60, b"BOOKMOBI", "an e-book (Mobipocket)"),
    (0, b"%!PS", "a PostScript file"),
    (0, b"{\\rtf", "an RTF document"),
)

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLE_STREAMS = (
    ("EncryptedPackage", "locked: an Office document that needs a password"),
    ("__substg1.0_", "an Outlook message (MSG)"),
    ("WordDocument", "a document of Word 97-2003 (DOC)"),
    ("PowerPoint Document", "a presentation of PowerPoint 97-2003 (PPT)"),
    ("Workbook", "a workbook of Excel 97-2003 (XLS)"),
    ("Book", "a workbook of Excel 5 (XLS)"),
)
_ZIP_MIMETYPES = {
    "application/epub+zip": "an e-book (EPUB)",
    "application/vnd.oasis.opendocument.text": "a text document (ODT)",
    "application/vnd.oasis.opendocument.spreadsheet": "a spreadsheet (ODS)",
    "application/vnd.oasis.opendocument.presentation": "a presentation (ODP)",
}

_HTML_START = re.compile(
    r"(?:\s|<\?xml[^>]*>|<!--.*?-->|<!doctype\s+(?!html)[^>\[]*(?:\[[^\]]*\])?\s*>)*"
    r"<(?:!doctype\s+html\b|html\b|head\b|body\b)",
    re.I | re.S,
)
_HTML_BLOCK = re.compile(r"</(?:p|div|table|ul|ol|h[1-6]|body|section|article|span|td)\s*>", re.I)
_SVG_START = re.compile(r"(?:\s|<\?xml[^>]*>|<!--.*?-->|<!doctype\s[^>]*>)*<svg\b", re.I | re.S)
_MAIL_HEADER = re.compile(r"^([A-Za-z][A-Za-z0-9-]*):", re.M)
_MAIL_TECHNICAL = {"message-id", "mime-version", "received", "return-path", "delivered-to", "content-type"}
_MARKDOWN_NAMES = {".md", ".markdown", ".mdown", ".mkd", ".mdx", ".rmd", ".qmd"}
_HTML_NAMES = {".html", ".htm", ".xhtml", ".shtml"}
_PLAIN_NAMES = {".txt", ".text", ".log", *_MARKDOWN_NAMES}


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
    # A PDF may have up to 1,024 bytes of anything before its header.
    if b"%PDF-" in data[:1024] and not data[:1024].lstrip().startswith((b"<", b"PK")):
        return Recognised("pdf")
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return Recognised(_zip_kind(data))
    if data.startswith(_OLE):
        raise _ole_reason(data)
    for offset, magic, what in _MAGIC:
        if data.startswith(magic, offset):
            raise Skipped(f"{what}, a kind that is not read")
    if data.startswith(b"MZ") and b"\x00" in data[:64]:
        raise Skipped("a program (Windows), a kind that is not read")
    if data.startswith(b"BM") and data[6:10] == b"\x00\x00\x00\x00":
        raise Skipped("an image (BMP), a kind that is not read")
    decoded = decode(data)
    if decoded is None:
        raise Skipped("binary data, not a text")
    return Recognised(_text_kind(decoded.text, name), decoded)


def _text_kind(text: str, name: str) -> str:
    suffix = PurePath(name).suffix.lower()
    head = text[:16_384]
    if _HTML_START.match(head):
        return "html"
    if _SVG_START.match(head):
        raise Skipped("an image (SVG), a kind that is not read")
    if suffix in _MARKDOWN_NAMES:
        return "markdown"
    if suffix in _HTML_NAMES and re.search(r"<[a-z!/][^<>]*>", head, re.I):
        return "html"
    if suffix not in _PLAIN_NAMES:
        if _is_mail(head):
            raise Skipped("an e-mail message, a kind that is not read yet")
        if suffix == "" and head.lstrip().startswith("<") and len(_HTML_BLOCK.findall(head)) >= 3:
            return "html"
    return "text"


def _is_mail(head: str) -> bool:
    top = re.split(r"\n\s*\n", head.lstrip("\ufeff\n"), maxsplit=1)[0]
    if not re.match(r"(?:From \S+|[A-Za-z][A-Za-z0-9-]*:)", top):
        return False
    names = {match.lower() for match in _MAIL_HEADER.findall(top)}
    return bool(names & _MAIL_TECHNICAL) and bool(names & {"from", "to", "subject", "date", "received"})


def _zip_kind(data: bytes) -> str:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = set(archive.namelist())
            mimetype = ""
            if "mimetype" in names and archive.getinfo("mimetype").file_size < 200:
                mimetype = archive.read("mimetype").decode("ascii", "replace").strip()
            types = ""
            if "[Content_Types].xml" in names and archive.getinfo("[Content_Types].xml").file_size < (
                1 << 20
            ):
                types = archive.read("[Content_Types].xml").decode("utf-8", "replace")
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError) as error:
        raise Unreadable(
            f"damaged: a zip archive (or Office document) that cannot be opened: {error}"
        ) from error
    except Exception as error:
        raise Unreadable(
            f"damaged: a zip archive that cannot be opened: {type(error).__name__}: {error}"
        ) from error
    if mimetype in _ZIP_MIMETYPES:
        raise Skipped(f"{_ZIP_MIMETYPES[mimetype]}, a kind that is not read yet")
    if "wordprocessingml" in types or "word/document.xml" in names:
        return "docx"
    if "presentationml" in types or "ppt/presentation.xml" in names:
        raise Skipped("a presentation (PPTX), a kind that is not read yet")
    if "spreadsheetml" in types or "xl/workbook.xml" in names:
        raise Skipped("a workbook (XLSX), a kind that is not read yet")
    raise Skipped("an archive (ZIP), a kind that is not read yet")


def _ole_reason(data: bytes) -> Skipped:
    for stream, reason in _OLE_STREAMS:
        if stream.encode("utf-16-le") in data:
            locked = reason.startswith("locked")
            return Skipped(reason if locked else f"{reason}, a kind that is not read")
    return Skipped("an old Office or Windows file (OLE), a kind that is not read")
