"""Mails that are signed as a whole (S/MIME): the message lies inside the signature, in ASN.1 (BER)."""

from __future__ import annotations

from collections.abc import Iterator

_SIGNED = bytes.fromhex("2a864886f70d010702")
_PLAIN = bytes.fromhex("2a864886f70d010701")
_OBJECT, _OCTETS, _OCTETS_IN_PARTS, _SEQUENCE, _CONTENT = 0x06, 0x04, 0x24, 0x30, 0xA0
_DEEPEST = 12


def signed_message(data: bytes) -> bytes | None:
    """The message inside (RFC 5652, section 5); None if there is none to be read, as when it is encrypted."""
    try:
        outer = dict(_parts(_first(data, _SEQUENCE)))
        if outer.get(_OBJECT) != _SIGNED:
            return None
        for tag, inner in _parts(_first(outer[_CONTENT], _SEQUENCE)):
            if tag == _SEQUENCE:
                content = dict(_parts(inner))
                if content.get(_OBJECT) == _PLAIN and _CONTENT in content:
                    return _octets(content[_CONTENT], 0) or None
    except (IndexError, KeyError):
        return None  # it breaks off
    return None


def _octets(data: bytes, depth: int) -> bytes:
    if depth > _DEEPEST:
        return b""
    return b"".join(
        content if tag == _OCTETS else _octets(content, depth + 1)
        for tag, content in _parts(data)
        if tag in (_OCTETS, _OCTETS_IN_PARTS)
    )


def _first(data: bytes, wanted: int) -> bytes:
    return next((content for tag, content in _parts(data) if tag == wanted), b"")


def _parts(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Tag and content of what stands one behind the other."""
    place = 0
    while place + 1 < len(data) and data[place : place + 2] != b"\x00\x00":
        tag = data[place]
        begin, end, place = _extent(data, place)
        yield tag, data[begin:end]


def _extent(data: bytes, place: int, depth: int = 0) -> tuple[int, int, int]:
    """Where a content begins and ends, and where the next part begins. Raises IndexError."""
    length = data[place + 1]
    begin = place + 2
    if length < 0x80:
        return begin, begin + length, begin + length
    if length > 0x80:
        size = length & 0x7F
        begin += size
        length = int.from_bytes(data[place + 2 : begin], "big")
        return begin, begin + length, begin + length
    # Of a length that is not told: until two zeros.
    if depth > _DEEPEST:
        raise IndexError
    end = begin
    while data[end : end + 2] != b"\x00\x00":
        _, _, end = _extent(data, end, depth + 1)
    return begin, end, end + 2
