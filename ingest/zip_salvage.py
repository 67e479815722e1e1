"""A ZIP archive (or Office document) that breaks off: the members that came through whole, as an archive.

The list of its members stands at the end and is lost; each member has a header of its own before its bytes.
A member counts as whole if its bytes are complete and their check sum is right. Of an Office document nothing
is salvaged unless all is there that says what its text is: texts that cells share, formats, list numbers.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib

_MEMBER = b"PK\x03\x04"
_LIST_END = b"PK\x05\x06"
_DESCRIPTOR = b"PK\x07\x08"
_TAIL = 65_557
"""Bytes from the end in which the list's own end stands, with the longest comment."""
_HEADER = struct.Struct("<4sHHHHHIIIHH")
_ENCRYPTED, _SIZES_BEHIND, _UTF8 = 0x1, 0x8, 0x800
_MOST_MEMBERS = 10_000

_OFFICE = ("word/", "xl/", "ppt/", "docProps/", "_rels/", "[Content_Types].xml")
_MAIN = frozenset({"word/document.xml", "xl/workbook.xml", "xl/workbook.bin", "ppt/presentation.xml"})
_NEEDED = re.compile(rb"PartName=[\"']/([^\"']+/(?:sharedStrings|styles|numbering)\.\w+)[\"']")
_IN_WORKBOOKS = frozenset({"xl/sharedStrings.xml", "xl/styles.xml"})

LOST = "the file breaks off here: what followed in it is lost"


def breaks_off(data: bytes) -> bool:
    return data.startswith(_MEMBER) and data.rfind(_LIST_END, max(0, len(data) - _TAIL)) < 0


def salvaged(data: bytes, most_bytes: int) -> bytes | None:
    """An archive of the whole members, None if there is none or if they are encrypted.

    most_bytes: of all of them together, unpacked; what goes beyond it is left out.
    """
    buffer = io.BytesIO()
    names: set[str] = set()
    types = b""
    place = 0
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        while (place := data.find(_MEMBER, place)) >= 0 and len(names) < _MOST_MEMBERS:
            if place + _HEADER.size > len(data):
                break
            _, _, flags, method, _, _, check, packed, _, name_length, more = _HEADER.unpack_from(data, place)
            if flags & _ENCRYPTED:
                return None
            begin = place + _HEADER.size
            name = _name(data[begin : begin + name_length], flags)
            content, place = _content(
                data, begin + name_length + more, flags, method, check, packed, most_bytes
            )
            if content is None or not name or name in names:
                continue
            most_bytes -= len(content)
            names.add(name)
            types = content if name == "[Content_Types].xml" else types
            archive.writestr(name, content)
    return buffer.getvalue() if names and _says_enough(names, types) else None


def _says_enough(names: set[str], types: bytes) -> bool:
    """Whether an Office document with these members, and this list of types of its parts, says what it did
    when it was whole, as far as it goes; any other archive does."""
    if not any(name.startswith(_OFFICE) for name in names):
        return True
    needed = {name.decode("utf-8", "replace") for name in _NEEDED.findall(types)}
    if not types and "xl/workbook.xml" in names:
        needed |= _IN_WORKBOOKS
    return not names.isdisjoint(_MAIN) and needed <= names


def _content(
    data: bytes, begin: int, flags: int, method: int, check: int, packed: int, most: int
) -> tuple[bytes | None, int]:
    """The bytes of a member, None if they are not whole, and where to look for the next one."""
    if method == zipfile.ZIP_STORED:
        content = data[begin : begin + packed]
        whole = not flags & _SIZES_BEHIND and len(content) == packed <= most and zlib.crc32(content) == check
        return (content, begin + packed) if whole else (None, begin)
    if method != zipfile.ZIP_DEFLATED or most <= 0:
        return None, begin
    unpacking = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        content = unpacking.decompress(memoryview(data)[begin:], most)
    except zlib.error:
        return None, begin
    if not unpacking.eof:
        return None, begin
    end = len(data) - len(unpacking.unused_data)
    if flags & _SIZES_BEHIND:
        behind = data[end : end + 8].removeprefix(_DESCRIPTOR)[:4]
        check = int.from_bytes(behind, "little") if len(behind) == 4 else -1
    return (content if zlib.crc32(content) == check else None), end


def _name(raw: bytes, flags: int) -> str:
    for encoding in ("utf-8",) if flags & _UTF8 else ("utf-8", "gb18030"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return raw.decode("cp437")
