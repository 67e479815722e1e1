"""The RTF body of Outlook messages: the two examples of its specification (MS-OXRTFCP, 3.1), and damage."""

from __future__ import annotations

import struct

import pytest

from ingest.errors import Skipped
from ingest.readers import find_in_bytes
from ingest.readers.compressed_rtf import html_inside, unpacked
from tests.ingest.readers.test_tnef import HEAD, attribute, properties

PACKED = bytes.fromhex(
    "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0"
)
REPEATED = bytes.fromhex("1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0")
HELLO = rb"{\rtf1\ansi\ansicpg1252\pard hello world}" + b"\r\n"
FROM_HTML = (
    rb"{\rtf1\ansi\ansicpg1252\fromhtml1 {\*\htmltag64 <p>}\htmlrtf \par \htmlrtf0 Count the cable."
    rb"{\*\htmltag72 </p>}}"
)


def stored(rtf: bytes) -> bytes:
    return struct.pack("<II4sI", len(rtf) + 12, len(rtf), b"MELA", 0) + rtf


def test_the_examples_of_the_specification() -> None:
    assert unpacked(PACKED) == HELLO
    assert unpacked(REPEATED) == rb"{\rtf1 WXYZWXYZWXYZWXYZWXYZ}"


def test_what_is_only_stored_and_what_is_too_short() -> None:
    assert unpacked(stored(HELLO) + b"rest") == HELLO
    assert unpacked(b"\0" * 15) == b""


@pytest.mark.parametrize("left", range(16, len(PACKED)))
def test_what_breaks_off_gives_its_beginning(left: int) -> None:
    assert HELLO.startswith(unpacked(PACKED[:left]))


def test_the_html_from_which_it_was_made() -> None:
    assert html_inside(HELLO) == ""
    assert html_inside(FROM_HTML).replace("\r\n", "") == "<p>Count the cable.</p>"


def winmail(body: bytes) -> bytes:
    subject = (0x1F, 0x0037, "Cable".encode("utf-16-le") + b"\0\0")
    return HEAD + attribute(1, 0x9003, properties(subject, (0x102, 0x1009, body)))


@pytest.mark.parametrize(("body", "text"), [(PACKED, "hello world"), (stored(FROM_HTML), "Count the cable.")])
def test_the_only_body_of_a_winmail_dat(body: bytes, text: str) -> None:
    found = find_in_bytes(winmail(body), "winmail.dat")
    assert found.document is not None
    assert found.document.text.split("\n\n")[1:] == [text]


def test_an_empty_body_is_none() -> None:
    with pytest.raises(Skipped, match="without text"):
        find_in_bytes(winmail(stored(b"")), "winmail.dat")
