"""OpenDocument files with a password, encrypted here as LibreOffice does."""

from __future__ import annotations

import base64
import hashlib
import zlib

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from ingest.errors import Skipped
from ingest.readers import read_bytes
from tests.ingest.readers.files import zipped

_OFFICE = "urn:oasis:names:tc:opendocument:xmlns:"
_NAMES = " ".join(f'xmlns:{short}="{_OFFICE}{short}:1.0"' for short in ("office", "table", "text"))
_TEXT = "<office:text><text:p>The safe is in hall 4.</text:p></office:text>"
_SHEET = (
    '<office:spreadsheet><table:table table:name="Stock"><table:table-row><table:table-cell><text:p>Valve'
    "</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet>"
)
_CIPHERS = {
    "aes": "http://www.w3.org/2001/04/xmlenc#aes256-cbc",
    "newer": "http://www.w3.org/2009/xmlenc11#aes256-gcm",
}


def locked(kind: str, body: str, password: str, cipher: str = "aes") -> bytes:
    content = f"<office:document-content {_NAMES}><office:body>{body}</office:body></office:document-content>"
    packing = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packing.compress(content.encode()) + packing.flush()
    salt, vector = b"salt" * 4, b"vector--" * 2
    start = hashlib.sha256(password.encode()).digest()
    key = hashlib.pbkdf2_hmac("sha1", start, salt, 1000, 32)
    pad = 16 - len(packed) % 16
    encryptor = Cipher(algorithms.AES(key), modes.CBC(vector)).encryptor()
    data = encryptor.update(packed + bytes(pad - 1) + bytes([pad])) + encryptor.finalize()
    checksum = base64.b64encode(hashlib.sha256(packed[:1024]).digest()).decode()
    manifest = (
        f'<m:manifest xmlns:m="{_OFFICE}manifest:1.0"><m:file-entry m:full-path="content.xml">'
        f'<m:encryption-data m:checksum-type="{_OFFICE}manifest:1.0#sha256-1k" m:checksum="{checksum}">'
        f'<m:algorithm m:algorithm-name="{_CIPHERS[cipher]}" '
        f'm:initialisation-vector="{base64.b64encode(vector).decode()}"/>'
        f'<m:key-derivation m:key-derivation-name="PBKDF2" m:key-size="32" m:iteration-count="1000" '
        f'm:salt="{base64.b64encode(salt).decode()}"/>'
        '<m:start-key-generation m:start-key-generation-name="http://www.w3.org/2000/09/xmldsig#sha256"/>'
        "</m:encryption-data></m:file-entry></m:manifest>"
    )
    mimetype = f"application/vnd.oasis.opendocument.{kind}"
    return zipped({"mimetype": mimetype, "content.xml": data, "META-INF/manifest.xml": manifest})


@pytest.mark.parametrize(
    ("kind", "body", "text"), [("text", _TEXT, "The safe is in hall 4."), ("spreadsheet", _SHEET, "Valve")]
)
def test_a_password_opens_it(kind: str, body: str, text: str) -> None:
    data = locked(kind, body, "günstig")
    assert text in read_bytes(data, "a.odt", password=("wrong", "günstig")).text
    for passwords in ((), ("wrong",)):
        with pytest.raises(Skipped, match="--password"):
            read_bytes(data, "a.odt", password=passwords)


def test_another_kind_of_encryption_is_named() -> None:
    with pytest.raises(Skipped, match="save it without a password"):
        read_bytes(locked("text", _TEXT, "x", cipher="newer"), "a.odt", password=("x",))
