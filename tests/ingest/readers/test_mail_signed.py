"""Mails signed or encrypted as a whole."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.readers import find_in_bytes
from ingest.readers.mail_signed import signed_message

INNER = b"Content-Type: text/plain; charset=utf-8\r\n\r\nThe pump of hall four is cold: " + "水泵".encode()
SIGNED = bytes.fromhex("06092a864886f70d010702")
ENVELOPED = bytes.fromhex("06092a864886f70d010703")
PLAIN = bytes.fromhex("06092a864886f70d010701")


def part(tag: int, content: bytes, *, told: bool = True) -> bytes:
    if not told:
        return bytes([tag, 0x80]) + content + b"\0\0"
    size = len(content)
    length = bytes([size]) if size < 128 else b"\x82" + size.to_bytes(2, "big")
    return bytes([tag]) + length + content


def signed(message: bytes, *, told: bool = True, in_parts: bool = False, outer: bytes = SIGNED) -> bytes:
    octets = part(0x04, message)
    if in_parts:
        octets = part(0x24, part(0x04, message[:20]) + part(0x04, message[20:]), told=told)
    content = part(0x30, PLAIN + part(0xA0, octets, told=told), told=told)
    body = b"\x02\x01\x01" + part(0x31, b"") + content + part(0x31, b"")
    return part(0x30, outer + part(0xA0, part(0x30, body, told=told), told=told), told=told)


def mail(sealed: bytes) -> bytes:
    head = (
        "From: anna@mill.example\r\nTo: li@mill.example\r\nSubject: Pump\r\nMIME-Version: 1.0\r\n"
        "Content-Type: application/pkcs7-mime; name=smime.p7m\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    )
    return head.encode() + base64.encodebytes(sealed)


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("in_parts", [True, False])
def test_the_message_inside_a_signature_is_the_mail(told: bool, in_parts: bool) -> None:
    sealed = signed(INNER, told=told, in_parts=in_parts)
    assert signed_message(sealed) == INNER
    found = find_in_bytes(mail(sealed), "a.eml")
    assert found.document is not None
    assert found.document.text.endswith("The pump of hall four is cold: 水泵")
    assert found.members == ()


def test_an_encrypted_mail_is_named() -> None:
    found = find_in_bytes(mail(signed(INNER, outer=ENVELOPED)), "a.eml")
    assert [(member.name, member.skip) for member in found.members] == [
        ("smime.p7m", "encrypted for its receiver (S/MIME)")
    ]


@given(st.binary(max_size=200) | st.integers(0, 120).map(lambda size: signed(INNER)[:size]))
def test_whatever_the_bytes_it_ends(data: bytes) -> None:
    assert signed_message(data) is None or isinstance(signed_message(data), bytes)
