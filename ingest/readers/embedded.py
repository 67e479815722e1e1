"""Files embedded in an Office document (a PDF in a DOCX, a workbook on a slide) as members of it."""

from __future__ import annotations

import io
import posixpath
import struct
from collections.abc import Mapping

from ingest.errors import ReadError
from ingest.readers.archive import Archive
from ingest.readers.base import Member
from ingest.readers.member_names import MemberNames

_NATIVE = "\x01Ole10Native"
_WHOLE_FILES = ("CONTENTS", "Package")
_MOST = 500
_PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"BM", b"\xd7\xcd\xc6\x9a", b"\x01\x00\x00\x00")


class Embedded:
    """Collects what the parts of a document embed."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._parts: dict[str, None] = {}

    def add(self, related: Mapping[str, tuple[str, str]]) -> None:
        """related: of one part, as `Archive.related` gives them."""
        for kind, part in related.values():
            if kind in ("package", "oleObject") and part in self._archive:
                self._parts.setdefault(part)

    def members(self) -> tuple[Member, ...]:
        names = MemberNames()
        found = []
        for part in list(self._parts)[:_MOST]:
            try:
                data = self._archive.read(part)
            except ReadError as error:
                found.append(Member(names.unique(posixpath.basename(part)), b"", error.reason))
                continue
            opened = unpacked(data, posixpath.basename(part))
            if opened is not None:
                name, inner = opened
                found.append(Member(names.unique(name), inner))
        return tuple(found)


def unpacked(data: bytes, name: str) -> tuple[str, bytes] | None:
    """The file inside an OLE object with its name; the data itself where it is no wrapper; None for objects
    that hold a drawing only."""
    import olefile

    if not olefile.isOleFile(io.BytesIO(data)):
        return None if data.startswith(_PICTURES) else (name, data)
    try:
        with olefile.OleFileIO(io.BytesIO(data)) as file:
            streams = {entry[0] for entry in file.listdir()}
            if _NATIVE in streams:
                return native(file.openstream(_NATIVE).read(), name)
            for stream in _WHOLE_FILES:
                if stream in streams and streams.isdisjoint({"WordDocument", "Workbook"}):
                    return _named(name, file.openstream(stream).read())
            if streams & {"WordDocument", "Workbook", "Book", "PowerPoint Document", "EncryptedPackage"}:
                return name, data
    except OSError:
        return name, data
    return None


def native(data: bytes, name: str) -> tuple[str, bytes] | None:
    """The stream in which Windows packs a file: size, flags, label, path, …, size, content."""
    try:
        place = 6
        label, place = _terminated(data, place)
        _, place = _terminated(data, place)
        place += 4
        (length,) = struct.unpack_from("<I", data, place)
        place += 4 + length
        (size,) = struct.unpack_from("<I", data, place)
        content = data[place + 4 : place + 4 + size]
    except (struct.error, ValueError):
        return None
    shown = posixpath.basename(label.replace("\\", "/"))
    return (shown or name, content) if content and not content.startswith(_PICTURES) else None


def _terminated(data: bytes, place: int) -> tuple[str, int]:
    from ingest.encoding import decode

    end = data.index(b"\0", place)
    decoded = decode(data[place:end]) if end > place else None
    return decoded.text if decoded else "", end + 1


def _named(name: str, data: bytes) -> tuple[str, bytes]:
    stem = posixpath.splitext(name)[0]
    return (f"{stem}.pdf" if data.startswith(b"%PDF") else name), data
