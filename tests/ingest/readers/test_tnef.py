"""winmail.dat, written here attribute by attribute."""

from __future__ import annotations

import struct
from email.message import EmailMessage

import pytest

from ingest.errors import Skipped, Unreadable
from ingest.kinds import kind_of_bytes
from ingest.readers import Found, find_in_bytes

HEAD = struct.pack("<IH", 0x223E9F78, 1)


def attribute(level: int, number: int, data: bytes) -> bytes:
    return struct.pack("<BHHI", level, number, 0, len(data)) + data + struct.pack("<H", sum(data) & 0xFFFF)


def properties(*found: tuple[int, int, bytes], named: bytes = b"") -> bytes:
    """MAPI properties of variable length: type, number, bytes."""
    out = struct.pack("<I", len(found) + bool(named)) + named
    for kind, number, data in found:
        out += struct.pack("<HHII", kind, number, 1, len(data)) + data + b"\0" * (-len(data) % 4)
    return out


def read(data: bytes) -> Found:
    return find_in_bytes(data, "winmail.dat")


def file(name: bytes, data: bytes, *more: bytes) -> bytes:
    return b"".join(
        [
            attribute(2, 0x9002, b"\0" * 14),
            attribute(2, 0x8010, name + b"\0"),
            attribute(2, 0x800F, data),
            *more,
        ]
    )


def test_text_and_files() -> None:
    long_name = properties((0x1F, 0x3707, "电缆清单 2026.txt".encode("utf-16-le") + b"\0\0"))
    data = (
        HEAD
        + attribute(1, 0x9007, struct.pack("<II", 936, 0))
        + attribute(1, 0x8004, "备用电缆".encode("gbk") + b"\0")
        + attribute(1, 0x800C, "货架上有四百二十米电缆，请清点。".encode("gbk") + b"\0")
        + file(b"CABLES~1.TXT", "电缆：420 米".encode(), attribute(2, 0x9005, long_name))
        + file(b"offer.txt", b"Cable, 3 euros")
    )
    assert kind_of_bytes(data) == "tnef"
    found = read(data)
    assert found.document is not None
    assert found.document.kind == "tnef"
    assert found.document.text.split("\n\n")[1:] == ["货架上有四百二十米电缆，请清点。"]
    assert "Subject: 备用电缆" in found.document.text
    assert [member.name for member in found.members] == ["电缆清单 2026.txt", "offer.txt"]
    assert found.members[1].data == b"Cable, 3 euros"


def test_a_body_among_the_properties_behind_a_named_one() -> None:
    name = struct.pack("<HH16sII", 0x03, 0x8001, b"g" * 16, 0, 5) + struct.pack("<I", 7)
    body = properties((0x102, 0x1013, b"<p>Count the <b>cable</b>.</p>"), named=name)
    found = read(HEAD + attribute(1, 0x9003, body))
    assert found.document is not None
    assert found.document.text == "Count the cable."


def test_inside_a_mail() -> None:
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "anna@example.org", "cables"
    mail.set_content("See the attachment.")
    inner = HEAD + file(b"offer.txt", b"Cable, 3 euros")
    mail.add_attachment(inner, maintype="application", subtype="ms-tnef", filename="winmail.dat")
    (member,) = find_in_bytes(bytes(mail), "a.eml").members
    found = read(member.data)
    assert found.document is None
    assert [(one.name, one.data) for one in found.members] == [("offer.txt", b"Cable, 3 euros")]


def test_nothing_in_it_and_nothing_left_of_it() -> None:
    with pytest.raises(Skipped, match="without text and files"):
        read(HEAD + attribute(1, 0x9006, b"\0\0\1\0"))
    with pytest.raises(Unreadable, match="breaks off"):
        read(HEAD + b"\1\2")
    whole = HEAD + file(b"offer.txt", b"Cable, 3 euros") + file(b"second.txt", b"x" * 500)
    assert [member.name for member in read(whole[:-100]).members] == ["offer.txt"]
