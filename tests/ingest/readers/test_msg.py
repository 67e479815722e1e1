from __future__ import annotations

import struct
from datetime import UTC, datetime

import pytest

from ingest.errors import Skipped
from ingest.readers import find_in_bytes
from ingest.readers.compressed_rtf import html_inside, unpacked
from tests.ingest.readers.compound_file import Tree, compound_file

_SENT = datetime(2024, 5, 3, 9, 30, tzinfo=UTC)


def text(number: int, value: str) -> dict[str, bytes]:
    return {f"__substg1.0_{number:04X}001F": value.encode("utf-16-le")}


def binary(number: int, value: bytes) -> dict[str, bytes]:
    return {f"__substg1.0_{number:04X}0102": value}


def properties(header: int, *fixed: tuple[int, int, int]) -> dict[str, bytes]:
    """fixed: (type, number, value)."""
    data = b"\0" * header
    data += b"".join(struct.pack("<HHIQ", kind, number, 6, value) for kind, number, value in fixed)
    return {"__properties_version1.0": data}


def sent() -> tuple[int, int, int]:
    return 0x0040, 0x0039, int((_SENT - datetime(1601, 1, 1, tzinfo=UTC)).total_seconds()) * 10_000_000


def message(header: int = 32, **more: bytes | Tree) -> dict[str, bytes | Tree]:
    return {
        **properties(header, sent(), (0x0003, 0x3FDE, 936)),
        **text(0x0037, "盘点表"),
        **text(0x0C1A, "库管"),
        **text(0x5D01, "a@example.com"),
        "__recip_version1.0_#00000000": {
            **properties(8, (0x0003, 0x0C15, 1)),
            **text(0x3001, "Ann"),
            **text(0x39FE, "ann@example.com"),
        },
        **more,
    }


def attachment(name: str, data: bytes) -> Tree:
    return {**properties(8), **text(0x3707, name), **binary(0x3701, data)}


def test_headers_text_and_attachments() -> None:
    inner = {
        **properties(8),
        "__substg1.0_3701000D": message(24, **text(0x1000, "The inner text."), **{"__nameid_version1.0": {}}),
    }
    data = compound_file(
        message(
            **text(0x1000, "见附件。\r\n第二行"),
            **{
                "__attach_version1.0_#00000000": attachment("list.csv", b"a,b\n1,2\n"),
                "__attach_version1.0_#00000001": inner,
            },
        )
    )
    found = find_in_bytes(data, "a.msg")
    assert found.document is not None
    assert found.document.kind == "msg"
    assert found.document.title == "盘点表"
    assert found.document.text == (
        "From: 库管 <a@example.com>\nTo: Ann <ann@example.com>\nDate: 2024-05-03 09:30 UTC\nSubject: 盘点表\n"
        "Attachments: list.csv, 盘点表.eml\n\n见附件。\n第二行"
    )
    table, mail = found.members
    assert (table.name, table.data) == ("list.csv", b"a,b\n1,2\n")
    opened = find_in_bytes(mail.data, mail.name).document
    assert opened is not None
    assert opened.kind == "eml"
    assert "From: 库管 <a@example.com>" in opened.text
    assert opened.text.endswith("The inner text.")


def test_old_texts_are_in_the_code_page_of_the_message_and_html_serves() -> None:
    old = {"__substg1.0_1000001E": "浔阳仓库".encode("gb18030")}
    found = find_in_bytes(compound_file(message(**old)), "a.msg").document
    assert found is not None
    assert found.text.endswith("浔阳仓库")
    found = find_in_bytes(
        compound_file(message(**binary(0x1013, b"<p>From <b>HTML</b></p>"))), "a.msg"
    ).document
    assert found is not None
    assert found.text.endswith("From HTML")


def test_a_message_without_text_is_named() -> None:
    with pytest.raises(Skipped, match="only headers"):
        find_in_bytes(compound_file(message()), "a.msg")


def test_rtf_bodies() -> None:
    # The example of the specification (MS-OXRTFCP, 3.1.1).
    packed = bytes.fromhex(
        "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0"
    )
    assert unpacked(packed) == b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"
    rtf = (
        rb"{\rtf1\ansi\ansicpg1252\fromhtml1 {\*\htmltag19 <p>}\htmlrtf \par\htmlrtf0 caf\'e9{\*"
        rb"\htmltag27 </p>}"
        rb"{\*\mhtmltag 1}}"
    )
    assert html_inside(rtf) == "<p>café</p>"
    found = find_in_bytes(compound_file(message(**binary(0x1009, packed))), "a.msg").document
    assert found is not None
    assert found.text.endswith("hello world")
