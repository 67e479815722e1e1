"""The bytes of a part of a mail, whatever it says of how it was encoded for sending."""

from __future__ import annotations

import base64
import quopri
import re
from email.message import Message

_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]")
_SENTENCES = 0.5
"""Share of lines with blanks between their words from which a part is text and not base64."""


def payload_of(part: Message) -> bytes:
    """Decoded; of damaged base64 what can be made out, and text as it is that only claims to be encoded."""
    raw = part.get_payload()
    named = str(part.get("Content-Transfer-Encoding", "")).lower()
    if isinstance(raw, str):
        plain = raw.encode("utf-8", "surrogateescape")
        if "base64" in named:
            return plain if _is_text(raw) else _from_base64(plain)
        if "quoted" in named and "printable" in named:
            return quopri.decodestring(plain)
    try:
        data = part.get_payload(decode=True)
    except Exception:  # noqa: BLE001 - damaged uuencoded text
        data = None
    if isinstance(data, bytes):
        return data
    return raw.encode("utf-8", "surrogateescape") if isinstance(raw, str) else b""


def _is_text(raw: str) -> bool:
    lines = [line for line in map(str.strip, raw.splitlines()) if line]
    return sum(" " in line for line in lines) > _SENTENCES * len(lines)


def _from_base64(data: bytes) -> bytes:
    """Every run up to its padding by itself, since some programs encode a text in pieces."""
    found = []
    for run in data.split(b"="):
        signs = _NOT_BASE64.sub(b"", run)
        # One sign alone is six bits of a byte that was lost.
        whole = signs[: len(signs) - (len(signs) % 4 == 1)]
        found.append(base64.b64decode(whole + b"=" * (-len(whole) % 4)))
    return b"".join(found)
