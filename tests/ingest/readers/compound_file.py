"""Compound files (MS-CFB), the container of Outlook messages and old Office documents, written small."""

from __future__ import annotations

import struct
from collections.abc import Mapping

_SECTOR, _SMALL, _CUTOFF = 512, 64, 4096
_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
Tree = Mapping[str, "bytes | Tree"]


def compound_file(tree: Tree) -> bytes:
    """tree: name → bytes of a stream, or the tree of a storage."""
    entries: list[tuple[str, int, bytes, list[int]]] = []

    def add(name: str, kind: int, content: bytes | Tree) -> int:
        place = len(entries)
        entries.append((name, kind, content if isinstance(content, bytes) else b"", []))
        if not isinstance(content, bytes):
            for inner, value in content.items():
                entries[place][3].append(add(inner, 2 if isinstance(value, bytes) else 1, value))
        return place

    add("Root Entry", 5, tree)
    small, small_chain, starts = bytearray(), list[int](), list[int]()
    for _, kind, content, _ in entries:
        # Small streams lie in one stream of small sectors, which belongs to the root.
        begin = len(small_chain)
        if kind == 2 and content and len(content) < _CUTOFF:
            count = -(-len(content) // _SMALL)
            small_chain += [begin + step + 1 for step in range(count - 1)] + [_END]
            small += content.ljust(count * _SMALL, b"\0")
        starts.append(begin if len(small_chain) > begin else _END)
    chain: list[int] = []
    data = bytearray()

    def lay(content: bytes) -> int:
        """The content in sectors of its own; the number of the first one."""
        count = -(-len(content) // _SECTOR)
        begin = len(chain)
        chain.extend([begin + step + 1 for step in range(count - 1)] + [_END] * bool(count))
        data.extend(content.ljust(count * _SECTOR, b"\0"))
        return begin if count else _END

    for place, (_, kind, content, _) in enumerate(entries):
        if kind == 2 and len(content) >= _CUTOFF:
            starts[place] = lay(content)
    starts[0] = lay(bytes(small))
    small_fat = lay(struct.pack(f"<{len(small_chain)}I", *small_chain))
    small_fat_sectors = -(-len(small_chain) * 4 // _SECTOR)
    sizes = [len(small), *(len(content) for _, _, content, _ in entries[1:])]
    directory = lay(
        b"".join(_entry(entries, starts[place], sizes[place], place) for place in range(len(entries)))
    )
    first_fat = len(chain)
    fat_sectors = 1
    while (first_fat + fat_sectors) * 4 > fat_sectors * _SECTOR:
        fat_sectors += 1
    chain += [_FAT] * fat_sectors
    fat = struct.pack(f"<{len(chain)}I", *chain).ljust(fat_sectors * _SECTOR, b"\xff")
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 16
    header += struct.pack("<HHHHH6xIIIII", 0x3E, 3, 0xFFFE, 9, 6, 0, fat_sectors, directory, 0, _CUTOFF)
    header += struct.pack("<IIII", small_fat, small_fat_sectors, _END, 0)
    places = [first_fat + step for step in range(fat_sectors)]
    header += struct.pack("<109I", *places, *[_FREE] * (109 - len(places)))
    return header + bytes(data) + fat


def _entry(entries: list[tuple[str, int, bytes, list[int]]], start: int, size: int, place: int) -> bytes:
    name, kind, _, children = entries[place]
    # Siblings hang on one another to the right, which is a tree too.
    right = _FREE
    for _, _, _, siblings in entries:
        if place in siblings and siblings.index(place) + 1 < len(siblings):
            right = siblings[siblings.index(place) + 1]
    raw = name.encode("utf-16-le") + b"\0\0"
    return (
        raw.ljust(64, b"\0")
        + struct.pack("<HBBIII", len(raw), kind, 1, _FREE, right, children[0] if children else _FREE)
        + b"\0" * 36
        + struct.pack("<IQ", start if kind != 1 else 0, size)
    )
