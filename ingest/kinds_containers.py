"""Which document a ZIP archive or an OLE file is: told by the parts inside."""

from __future__ import annotations

import io
import re
import zipfile

from ingest.errors import Skipped, Unreadable

AND_LOCKED = ", and locked with a password"
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

_MAIN_PARTS = (
    ("word/document.xml", "docx"),
    ("ppt/presentation.xml", "pptx"),
    ("xl/workbook.xml", "xlsx"),
    ("xl/workbook.bin", "xlsb"),
)
_MAIN_TYPES = (
    (r"wordprocessingml\.(?:document|template)\.main|ms-word\.(?:document|template)\.macroEnabled", "docx"),
    (r"presentationml\.(?:presentation|template|slideshow)\.main"
     r"|ms-powerpoint\.(?:presentation|template|slideshow|addin)\.macroEnabled", "pptx"),
    (r"ms-excel\.sheet\.binary", "xlsb"),
    (r"spreadsheetml\.(?:sheet|template)\.main|ms-excel\.(?:sheet|template|addin)\.macroEnabled", "xlsx"),
)  # fmt: skip
_OPEN_DOCUMENT = (("text", "odt"), ("spreadsheet", "ods"), ("presentation", "odp"), ("graphics", "odp"))
_NAMED_IN_MANIFEST = re.compile(r"application/vnd\.oasis\.opendocument\.([a-z-]+)")
_OTHER_ZIPS = (
    ("Index/Document.iwa", "a document of Apple's Pages, Numbers or Keynote"),
    ("Index.zip", "a document of Apple's Pages, Numbers or Keynote"),
    ("index.apxl", "a document of Apple's Keynote"),
    ("FixedDocSeq.fdseq", "an XPS document"),
    ("FixedDocumentSequence.fdseq", "an XPS document"),
    ("visio/document.xml", "a drawing (Visio)"),
    ("AndroidManifest.xml", "a program (Android)"),
)

_OLE_STREAMS = (
    ("EncryptedPackage", "locked-office"),
    ("__properties_version1.0", "msg"),
    ("WordDocument", "doc"),
    ("PowerPoint Document", "ppt"),
    ("Workbook", "xls"),
    ("Book", "xls"),
)
_OTHER_OLE = (
    ("VisioDocument", "a drawing (Visio)"),
    ("PerfectOffice_MAIN", "a document of WordPerfect"),
    ("Quill", "a publication (Publisher)"),
    ("FileHeader", "a document of Hangul (HWP)"),
    ("NativeContent_MAIN", "a document of Works or Quattro Pro"),
    ("Catalog", "a thumbnail store of Windows"),
)


def zip_kind(data: bytes) -> str:
    """One of the readable kinds, "zip" for an archive of files. Raises Skipped and Unreadable."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            # Some programs write back slashes.
            names = {name.replace("\\", "/").lstrip("/"): name for name in archive.namelist()}
            mimetype = _small(archive, names.get("mimetype"), 200).strip()
            types = _small(archive, names.get("[Content_Types].xml"), 4 << 20)
            manifest = _small(archive, names.get("META-INF/manifest.xml"), 4 << 20)
            locked = "encryption-data" in manifest
    except Exception as error:
        raise Unreadable(
            f"damaged: a zip archive (or Office document) that cannot be opened: {error}"
        ) from error
    if mimetype == "application/hwp+zip":
        raise Skipped(f"a document of Hangul (HWPX), a kind that is not read{AND_LOCKED if locked else ''}")
    if mimetype == "application/epub+zip" or "META-INF/container.xml" in names:
        return "epub"
    if mimetype.startswith("application/vnd.oasis.opendocument."):
        return _open_document(mimetype.rsplit(".", 1)[-1])
    folded = {name.lower() for name in names}
    for part, kind in _MAIN_PARTS:
        if part in folded:
            return kind
    for pattern, kind in _MAIN_TYPES:
        if re.search(pattern, types):
            return kind
    for part, what in _OTHER_ZIPS:
        if part.lower() in folded:
            raise Skipped(f"{what}, a kind that is not read")
    if "content.xml" in names and "META-INF/manifest.xml" in names:
        named = _NAMED_IN_MANIFEST.search(manifest)
        return _open_document(named.group(1)) if named else "odt"
    return "zip"


def is_zip(data: bytes) -> bool:
    """Whether the directory of an archive stands at the end."""
    try:
        return zipfile.is_zipfile(io.BytesIO(data))
    except (OSError, zipfile.BadZipFile):
        return False


def ole_kind(data: bytes) -> str:
    """One of the readable kinds. Raises Skipped, naming what else it is."""
    import olefile

    try:
        with olefile.OleFileIO(io.BytesIO(data)) as file:
            entries = {entry[0] for entry in file.listdir(streams=True, storages=True)}
            locked = "FileHeader" in entries and _is_locked_hwp(file.openstream("FileHeader").read(64))
    except Exception:  # noqa: BLE001 - a damaged directory; its names may still stand in the bytes
        named = [*_OLE_STREAMS, *_OTHER_OLE]
        entries = {name for name, _ in named if name.encode("utf-16-le") in data}
        locked = False
    for stream, kind in _OLE_STREAMS:
        if stream in entries:
            return kind
    for stream, what in _OTHER_OLE:
        if stream in entries:
            raise Skipped(f"{what}, a kind that is not read{AND_LOCKED if locked else ''}")
    raise Skipped("an old Office or Windows file (OLE), a kind that is not read")


def _is_locked_hwp(header: bytes) -> bool:
    """header: a signature of 32 bytes, the version and flags, of which the second means a password."""
    return header.startswith(b"HWP Document File") and len(header) >= 40 and bool(header[36] & 2)


def _open_document(name: str) -> str:
    base = name.removesuffix("-template").removesuffix("-master").removesuffix("-web")
    for start, kind in _OPEN_DOCUMENT:
        if base == start:
            return kind
    raise Skipped(f"an OpenDocument {base}, a kind that is not read")


def _small(archive: zipfile.ZipFile, name: str | None, most: int) -> str:
    """The text of a small member; "" if there is none, or if it is not small."""
    if name is None or archive.getinfo(name).file_size > most:
        return ""
    return archive.read(name).decode("utf-8", "replace")
