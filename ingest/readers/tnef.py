"""TNEF: what Outlook sends as winmail.dat, its text and the files attached in it (MS-OXTNEF).

A row of attributes: level, number, length, bytes, check sum. Some hold a list of MAPI properties, among them
long names and texts.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from ingest.encoding import decode
from ingest.errors import Skipped, Unreadable
from ingest.readers.base import Content, Member, Source
from ingest.readers.blocks import Blocks, one_line
from ingest.readers.compressed_rtf import html_inside, unpacked
from ingest.readers.eml import write_mail
from ingest.readers.member_names import MemberNames, file_name

_SIGNATURE = b"\x78\x9f\x3e\x22"
_CODE_PAGE, _SUBJECT, _BODY, _PROPERTIES = 0x9007, 0x8004, 0x800C, 0x9003
_FILE_BEGINS, _FILE_NAME, _FILE_DATA, _FILE_PROPERTIES = 0x9002, 0x8010, 0x800F, 0x9005
_LONG_SUBJECT, _TEXT, _RTF, _HTML = 0x0037, 0x1000, 0x1009, 0x1013
_LONG_NAME, _CONTENT = 0x3707, 0x3701

_FIXED = {0x02: 4, 0x03: 4, 0x04: 4, 0x05: 8, 0x06: 8, 0x07: 8, 0x0A: 4, 0x0B: 4, 0x14: 8, 0x40: 8, 0x48: 16}
"""Bytes of a property's value by its type; a truth value takes four here."""
_VARIABLE = frozenset({0x0D, 0x1E, 0x1F, 0x102})
_OBJECT, _OLD_TEXT, _WIDE_TEXT = 0x0D, 0x1E, 0x1F
_IDENTIFIED = 16


@dataclass(slots=True)
class _File:
    name: str = ""
    data: bytes = b""


@dataclass(slots=True)
class _Message:
    encoding: str = "cp1252"
    subject: str = ""
    texts: dict[int, bytes | str] = field(default_factory=dict)
    files: list[_File] = field(default_factory=list)


def read(source: Source) -> Content:
    message = _message(source.data)
    names = MemberNames()
    files = [
        Member(names.unique(file_name(file.name or f"attachment {number}")), file.data)
        for number, file in enumerate(message.files, start=1)
        if file.data
    ]
    texts = _texts(message)
    if not texts and not files:
        raise Skipped("an Outlook attachment (TNEF) without text and files")
    if not texts:
        return Content((), members=tuple(files))
    blocks = Blocks(source.limits)
    write_mail(blocks, [f"Subject: {message.subject}"] if message.subject else [], texts, files, source)
    return blocks.content(message.subject or None, files)


def _message(data: bytes) -> _Message:
    message = _Message()
    for number, value in _attributes(data):
        if number == _CODE_PAGE and len(value) >= 4:
            page = int.from_bytes(value[:4], "little")
            message.encoding = {65001: "utf-8", 936: "gb18030"}.get(page, f"cp{page}")
        elif number == _SUBJECT:
            message.subject = message.subject or one_line(_text(value, message.encoding))
        elif number == _BODY:
            message.texts.setdefault(_TEXT, _text(value, message.encoding))
        elif number == _PROPERTIES:
            for name, found in _properties(value, message.encoding):
                if name == _LONG_SUBJECT and isinstance(found, str):
                    message.subject = one_line(found)
                elif name in (_TEXT, _RTF, _HTML):
                    message.texts[name] = found
        elif number == _FILE_BEGINS:
            message.files.append(_File())
        elif message.files:
            _into(message.files[-1], number, value, message.encoding)
    return message


def _into(file: _File, number: int, value: bytes, encoding: str) -> None:
    if number == _FILE_NAME:
        file.name = file.name or _text(value, encoding)
    elif number == _FILE_DATA:
        file.data = value
    elif number == _FILE_PROPERTIES:
        for name, found in _properties(value, encoding):
            if name == _LONG_NAME and isinstance(found, str) and found:
                file.name = found
            elif name == _CONTENT and isinstance(found, bytes) and not file.data:
                # A message or an OLE object lies behind the identity of its interface.
                inner = found[_IDENTIFIED:]
                nested = inner.startswith(_SIGNATURE)
                file.data = inner if nested else found
                file.name = f"{file.name or 'message'}.dat" if nested else file.name


def _attributes(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Number and bytes of each; the file may break off behind the first."""
    place, count = 6, 0
    while place + 9 <= len(data):
        _, number, _, length = struct.unpack_from("<BHHI", data, place)
        value = data[place + 9 : place + 9 + length]
        if len(value) < length:
            break
        yield number, value
        place += 9 + length + 2
        count += 1
    if not count:
        raise Unreadable("damaged TNEF: it breaks off before its first attribute")


def _properties(data: bytes, encoding: str) -> Iterator[tuple[int, bytes | str]]:
    """Those with a text or bytes, up to the first that cannot be understood."""
    place = 4
    for _ in range(int.from_bytes(data[:4], "little")):
        if place + 4 > len(data):
            return
        kind, number = struct.unpack_from("<HH", data, place)
        place += 4
        if number >= 0x8000:
            place = _behind_name(data, place)
        several, kind = bool(kind & 0x1000), kind & 0x0FFF
        counted = several or kind in _VARIABLE
        values = int.from_bytes(data[place : place + 4], "little") if counted else 1
        place += 4 if counted else 0
        for _ in range(values):
            length = _FIXED.get(kind)
            if kind in _VARIABLE:
                length = int.from_bytes(data[place : place + 4], "little")
                place += 4
            if length is None or place + length > len(data):
                return
            value = data[place : place + length]
            place += length + -length % 4
            if kind == _WIDE_TEXT:
                yield number, value.decode("utf-16-le", "replace").rstrip("\0")
            elif kind == _OLD_TEXT:
                yield number, _text(value, encoding)
            elif kind in _VARIABLE:
                yield number, value


def _behind_name(data: bytes, place: int) -> int:
    """Behind the name of a property that has one: a set, then a number or a text."""
    if int.from_bytes(data[place + 16 : place + 20], "little") == 0:
        return place + 24
    length = int.from_bytes(data[place + 20 : place + 24], "little")
    return place + 24 + length + -length % 4


def _text(value: bytes, encoding: str) -> str:
    value = value.rstrip(b"\0")
    decoded = decode(value, encoding) if value else None
    return decoded.text if decoded else ""


def _texts(message: _Message) -> list[tuple[str, str]]:
    """The body once: as plain text, else HTML, else RTF."""
    plain = message.texts.get(_TEXT, "")
    if isinstance(plain, str) and plain.strip():
        return [("plain", plain.replace("\r\n", "\n"))]
    html = message.texts.get(_HTML, "")
    if isinstance(html, bytes):
        html = _text(html, message.encoding)
    packed = message.texts.get(_RTF, b"")
    rtf = unpacked(packed) if isinstance(packed, bytes) else b""
    html = html if html.strip() else html_inside(rtf) if rtf else ""
    if html.strip():
        return [("html", html)]
    if not rtf:
        return []
    from ingest.readers.rtf import read as read_rtf

    text = read_rtf(Source(rtf, "body.rtf")).text
    return [("plain", text)] if text.strip() else []
