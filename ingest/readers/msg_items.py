"""An Outlook message file (MSG) as items with properties (MS-OXMSG): the message and what is attached."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

_PROPERTIES = "__properties_version1.0"
_HEADER_AT_TOP, _HEADER_INSIDE, _HEADER_OF_PARTS = 32, 24, 8
_INTEGER, _BOOLEAN, _TIME = 0x0003, 0x000B, 0x0040
_TEXT, _OLD_TEXT, _BINARY = "001F", "001E", "0102"
_CODE_PAGES = (0x3FDE, 0x3FFD)  # of the internet, of the message


class Item:
    """A message, attachment or recipient: one storage of the file. Properties go by number (MS-OXPROPS)."""

    def __init__(self, file: Any, path: tuple[str, ...], header: int, encoding: str = "cp1252") -> None:
        self._file = file
        self.path = path
        self._fixed = self._read_fixed(header)
        self._encoding = encoding
        for number in _CODE_PAGES:
            page = self.number(number)
            if page and page not in (1200, 20127):
                self._encoding = {65001: "utf-8", 936: "gb18030", 50220: "cp932"}.get(page, f"cp{page}")
                break

    def text(self, number: int) -> str:
        data = self._stream(number, _TEXT)
        if data is not None:
            return data.decode("utf-16-le", "replace").rstrip("\0")
        data = self._stream(number, _OLD_TEXT)
        if data is None:
            return ""
        from ingest.encoding import decode

        decoded = decode(data.rstrip(b"\0"), self._encoding)
        return decoded.text if decoded else data.decode("cp1252", "replace")

    def data(self, number: int) -> bytes | None:
        return self._stream(number, _BINARY)

    def number(self, number: int) -> int:
        kind, value = self._fixed.get(number, (0, b""))
        return int.from_bytes(value[:4], "little") if kind in (_INTEGER, _BOOLEAN) else 0

    def time(self, number: int) -> datetime | None:
        kind, value = self._fixed.get(number, (0, b""))
        ticks = int.from_bytes(value, "little")
        if kind != _TIME or not 0 < ticks < 1 << 62:
            return None
        return datetime(1601, 1, 1, tzinfo=UTC) + timedelta(microseconds=ticks // 10)

    def parts(self, prefix: str) -> Iterator[Item]:
        """Attachments ("__attach_version1.0_") or recipients ("__recip_version1.0_")."""
        size = len(self.path)
        names = {
            entry[size]
            for entry in self._file.listdir(streams=True, storages=True)
            if len(entry) > size and tuple(entry[:size]) == self.path and entry[size].startswith(prefix)
        }
        for name in sorted(names):
            yield Item(self._file, (*self.path, name), _HEADER_OF_PARTS, self._encoding)

    def message_inside(self) -> Item | None:
        """The message that this attachment is."""
        path = (*self.path, "__substg1.0_3701000D")
        if self._file.exists("/".join((*path, _PROPERTIES))):
            return Item(self._file, path, _HEADER_INSIDE)
        return None

    def _stream(self, number: int, kind: str) -> bytes | None:
        name = "/".join((*self.path, f"__substg1.0_{number:04X}{kind}"))
        if not self._file.exists(name):
            return None
        data: bytes = self._file.openstream(name).read()
        return data

    def _read_fixed(self, header: int) -> dict[int, tuple[int, bytes]]:
        name = "/".join((*self.path, _PROPERTIES))
        if not self._file.exists(name):
            return {}
        data = self._file.openstream(name).read()
        found = {}
        for place in range(header, len(data) - 15, 16):
            kind, number = struct.unpack_from("<HH", data, place)
            found[number] = (kind, data[place + 8 : place + 16])
        return found


def message_of(file: Any) -> Item:
    """The message of an open olefile.OleFileIO."""
    return Item(file, (), _HEADER_AT_TOP)
