"""ZIP as a folder: its files become documents of their own. Nothing is unpacked beyond the limits."""

from __future__ import annotations

import io
import zipfile

from ingest.encoding import decode
from ingest.errors import Skipped, Unreadable
from ingest.readers.archive import bomb
from ingest.readers.base import Content, Member, Source
from ingest.readers.member_names import MemberNames
from ingest.walk import dropping

_MOST_FILES = 20_000
_IN_UTF8 = 0x800
_LOCKED = 0x1
_LOCKED_WITH_AES = 99


def read(source: Source) -> Content:
    try:
        archive = zipfile.ZipFile(io.BytesIO(source.data))
    except Exception as error:
        raise Unreadable(f"damaged: a zip archive that cannot be opened: {error}") from error
    files = [about for about in archive.infolist() if not about.is_dir()]
    if not files:
        raise Skipped("an archive (ZIP) without files")
    if len(files) > _MOST_FILES:
        raise Unreadable(f"an archive (ZIP) of {len(files)} files; the limit is {_MOST_FILES}")
    shown = _names(files)
    taken = MemberNames()
    left = source.limits.expanded_bytes
    members = []
    for about in files:
        name = taken.unique(shown[about.filename])
        reason = dropping(name) or bomb(about)
        data = b""
        if reason is None and about.file_size > source.limits.file_bytes:
            reason = f"{about.file_size >> 20} MiB large; the limit is {source.limits.file_bytes >> 20} MiB"
        if reason is None:
            data, reason = _unpacked(archive, about, source, left)
            left -= len(data)
        members.append(Member(name, data, reason))
    return Content((), members=tuple(members))


def _unpacked(
    archive: zipfile.ZipFile, about: zipfile.ZipInfo, source: Source, left: int
) -> tuple[bytes, str | None]:
    """The file's bytes, or the reason why they cannot be had."""
    if left <= 0:
        return b"", "the archive unpacks to more than the limit"
    locked = bool(about.flag_bits & _LOCKED)
    if locked and about.compress_type == _LOCKED_WITH_AES:
        return b"", "locked: encrypted with AES inside the archive; unpack it and give the files themselves"
    for password in source.passwords if locked else (None,):
        try:
            with archive.open(about, pwd=password.encode() if password is not None else None) as stream:
                data = stream.read(left + 1)
        except Exception as error:  # noqa: BLE001 - damaged in any way, or a wrong password
            if not locked:
                return b"", f"damaged: it cannot be unpacked ({' '.join(str(error).split())})"
            continue
        # The size in the directory may lie: what really comes out is what counts.
        return (data, None) if len(data) <= left else (b"", "the archive unpacks to more than the limit")
    return b"", "locked: encrypted inside the archive. Give its password with --password."


def _names(files: list[zipfile.ZipInfo]) -> dict[str, str]:
    """The names as they were meant: without a mark they are in whatever encoding the system had."""
    raw = {about.filename: about.filename.encode("cp437") for about in files
           if not about.flag_bits & _IN_UTF8 and _is_cp437(about.filename)}  # fmt: skip
    guess = decode(b"\n".join(raw.values())) if any(not name.isascii() for name in raw.values()) else None
    shown = {}
    for about in files:
        name = about.filename
        data = raw.get(name, b"")
        if guess and not data.isascii():
            try:
                name = data.decode("utf-8")
            except UnicodeDecodeError:
                name = data.decode(guess.encoding, "replace")
        shown[about.filename] = name
    return shown


def _is_cp437(name: str) -> bool:
    try:
        name.encode("cp437")
    except UnicodeEncodeError:
        return False
    return True
