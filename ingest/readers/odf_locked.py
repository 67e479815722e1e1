"""OpenDocument files that are encrypted, opened with the passwords given.

OpenDocument 1.2, part 3, section 3.4: each part is packed, then encrypted by itself with a key derived from
the password; the manifest says how. Read are those in AES-256 with keys by PBKDF2, as LibreOffice wrote them
for many years; older and newer ways are named as locked.
"""

from __future__ import annotations

import base64
import hashlib
import io
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from ingest.errors import GIVE_PASSWORD, LOCKED, Skipped
from ingest.readers.archive import Archive, parse_xml
from ingest.readers.base import Source
from ingest.readers.docx_text import local

MANIFEST = "META-INF/manifest.xml"
SAVE_OPEN = "Its kind of encryption is not known here: save it without a password."
_AES = "http://www.w3.org/2001/04/xmlenc#aes256-cbc"
_BLOCK = 16
_KEY_BYTES = 32
_CHECKED = 1024
"""Bytes of the packed part that its checksum is made of."""
_MOST_ITERATIONS = 2_000_000


@dataclass(frozen=True, slots=True)
class _Locked:
    """An encrypted part. checksum: SHA-256 of its beginning, b"" if the manifest has another kind."""

    name: str
    vector: bytes
    salt: bytes
    iterations: int
    checksum: bytes


def unlocked(source: Source) -> Source:
    """The source itself if it is not encrypted, else one with the parts that hold text as they were before.

    Raises Skipped if no password opens it, Unreadable if it is damaged.
    """
    archive = Archive(source.data, source.limits)
    if MANIFEST not in archive or b"encryption-data" not in (manifest := archive.read(MANIFEST)):
        return source
    parts = list(_locked_parts(parse_xml(manifest, MANIFEST)))
    if not any(part.name == "content.xml" for part in parts):
        raise Skipped(LOCKED, fix=SAVE_OPEN)
    for password in source.passwords:
        data = _opened(archive, parts, password, source.limits.expanded_bytes)
        if data is not None:
            return replace(source, data=data)
    raise Skipped(LOCKED, fix=GIVE_PASSWORD)


def _locked_parts(manifest: Any) -> Iterator[_Locked]:
    """Those that hold text and are encrypted in the way that is known here, the body first."""
    found = [part for entry in manifest.iter("{*}file-entry") if (part := _locked_part(entry)) is not None]
    yield from sorted(found, key=lambda part: part.name != "content.xml")


def _locked_part(entry: Any) -> _Locked | None:
    name = _of(entry, "full-path")
    for data in entry.iter("{*}encryption-data"):
        said = {local(element): element for element in data}
        algorithm, derived = said.get("algorithm"), said.get("key-derivation")
        start = said.get("start-key-generation")
        if algorithm is None or derived is None or start is None or not name.endswith(".xml"):
            return None
        iterations = _of(derived, "iteration-count")
        if (
            _of(algorithm, "algorithm-name") != _AES
            or not _of(derived, "key-derivation-name").lower().endswith("pbkdf2")
            or not _of(start, "start-key-generation-name").endswith("#sha256")
            or not (iterations.isdigit() and 0 < int(iterations) <= _MOST_ITERATIONS)
        ):
            return None
        vector, salt = _decoded(_of(algorithm, "initialisation-vector")), _decoded(_of(derived, "salt"))
        checked = _of(data, "checksum-type").endswith("#sha256-1k")
        checksum = _decoded(_of(data, "checksum")) if checked else b""
        return _Locked(name, vector, salt, int(iterations), checksum) if len(vector) == _BLOCK else None
    return None


def _opened(archive: Archive, parts: list[_Locked], password: str, most_bytes: int) -> bytes | None:
    """A package of the parts that hold text; None if the password is not the right one."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        for part in parts:
            if part.name not in archive:
                continue
            content = _decrypted(archive.read(part.name), part, password, most_bytes)
            if content is None:
                return None
            most_bytes -= len(content)
            package.writestr(part.name, content)
    return out.getvalue()


def _decrypted(data: bytes, part: _Locked, password: str, most_bytes: int) -> bytes | None:
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    if not data or len(data) % _BLOCK or most_bytes <= 0:
        return None
    start = hashlib.sha256(password.encode()).digest()
    key = hashlib.pbkdf2_hmac("sha1", start, part.salt, part.iterations, _KEY_BYTES)
    decryptor = Cipher(algorithms.AES(key), modes.CBC(part.vector)).decryptor()
    packed = decryptor.update(data) + decryptor.finalize()
    packed = packed[: -packed[-1]] if 0 < packed[-1] <= _BLOCK else packed
    if part.checksum and hashlib.sha256(packed[:_CHECKED]).digest() != part.checksum:
        return None
    try:
        return zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, most_bytes)
    except zlib.error:
        return None


def _of(element: Any, name: str) -> str:
    """An attribute by its name without namespace."""
    return next((str(value) for key, value in element.attrib.items() if key.endswith("}" + name)), "")


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text)
    except ValueError:
        return b""
