"""Headers of a mail as text: encoded words, raw bytes in whatever encoding, dates as they were written."""

from __future__ import annotations

import re
from email.header import decode_header
from email.message import Message

from ingest.encoding import decode, wider
from ingest.readers.blocks import one_line

SHOWN = ("From", "To", "Cc", "Date", "Subject")
_MOST_RECIPIENTS = 2000
"""Characters of a list of recipients."""
_BETWEEN_WORDS = re.compile(r"(=\?[^?\s]+\?[bBqQ]\?[^?]*\?=)\s+(?==\?)")


def header(message: Message, name: str) -> str:
    """One line; "" if there is none. Never raises for what stands in it."""
    return next((decoded_words(raw) for raw in raw_headers(message, name)), "")


def raw_headers(message: Message, name: str) -> list[str]:
    """As they stand in the file; bytes beyond ASCII as half characters (surrogateescape)."""
    return [str(value) for given, value in message.raw_items() if given.lower() == name.lower()]


def decoded_words(raw: str) -> str:
    """RFC 2047's encoded words and bare bytes, which may be in an encoding that nobody names."""
    raw = _BETWEEN_WORDS.sub(r"\1", raw.replace("\r", "").replace("\n", " "))
    try:
        parts = decode_header(raw)
    except Exception:  # noqa: BLE001 - damaged base64
        return one_line(_guessed(raw.encode("utf-8", "surrogateescape"), None))
    # One character may be cut in two by neighbouring words: bytes of one encoding are joined first.
    joined: list[tuple[bytes, str | None]] = []
    for part, label in parts:
        data = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        if joined and label and joined[-1][1] == label:
            joined[-1] = (joined[-1][0] + data, label)
        else:
            joined.append((data, label))
    return one_line("".join(_guessed(data, label) for data, label in joined))


def _guessed(data: bytes, label: str | None) -> str:
    encoding = wider(label)
    if encoding:
        try:
            return data.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            pass
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        found = decode(data, label)
        return found.text if found else data.decode("utf-8", "replace")


def shown_headers(message: Message) -> list[str]:
    """ "Subject: …" and the like, for the headers that readers ask about."""
    lines = []
    for name in SHOWN:
        text = ", ".join(decoded_words(value) for value in raw_headers(message, name))
        if text:
            lines.append(
                f"{name}: {text if len(text) <= _MOST_RECIPIENTS else text[:_MOST_RECIPIENTS] + '…'}"
            )
    return lines
