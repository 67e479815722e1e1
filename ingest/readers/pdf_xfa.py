"""Forms that are XML inside a PDF (XFA): what stands in them, since the PDF page itself only says to use
another program.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

_MOST_BYTES = 32 << 20
_LONGEST_VALUE = 5000
_ABOUT_THE_FORM = ("desc", "extras")
"""Elements that hold versions and settings of the program that made the form."""


def xfa_text(document: Any) -> str:
    """The words of the form and the values filled in ("name: value"), one a line; "" if it holds none.

    document: a pypdfium2.PdfDocument.
    """
    packets = dict(_packets(document))
    lines: dict[str, None] = {}
    for line in _words(packets.get("template", b"")):
        lines.setdefault(line)
    for line in _values(packets.get("datasets", b"")):
        lines.setdefault(line)
    return "\n".join(lines)


def _packets(document: Any) -> Iterator[tuple[str, bytes]]:
    import pypdfium2

    raw = pypdfium2.raw
    left = _MOST_BYTES
    for number in range(max(0, raw.FPDF_GetXFAPacketCount(document))):
        length = raw.FPDF_GetXFAPacketName(document, number, None, 0)
        name = ctypes.create_string_buffer(max(1, length))
        raw.FPDF_GetXFAPacketName(document, number, name, length)
        size = ctypes.c_ulong()
        raw.FPDF_GetXFAPacketContent(document, number, None, 0, size)
        if not 0 < size.value <= left:
            continue
        left -= size.value
        content = (ctypes.c_char * size.value)()
        if raw.FPDF_GetXFAPacketContent(document, number, content, size.value, size):
            yield name.value.decode("utf-8", "replace"), bytes(content)


def _words(packet: bytes) -> Iterator[str]:
    """Captions and fixed text of the form, in the order of its design."""
    root = _parsed(packet)
    if root is None:
        return
    for element in root.iter():
        name = _local(element)
        parent = element.getparent()
        if parent is not None and _local(parent) in _ABOUT_THE_FORM:
            continue
        if name == "text" and element.text:
            yield from _one_line(element.text)
        elif name == "exData":
            yield from _one_line(" ".join(element.itertext()))


def _values(packet: bytes) -> Iterator[str]:
    root = _parsed(packet)
    if root is None:
        return
    for element in root.iter():
        if isinstance(element.tag, str) and not len(element) and element.text:
            for value in _one_line(element.text):
                yield f"{_local(element)}: {value}"


def _parsed(packet: bytes) -> Any:
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True, huge_tree=False)
    return etree.fromstring(packet, parser) if packet.strip() else None


def _local(element: Any) -> str:
    tag = element.tag
    return tag.rsplit("}", 1)[-1] if isinstance(tag, str) else ""


def _one_line(text: str) -> Iterator[str]:
    line = " ".join(text.split())
    if line:
        yield line[:_LONGEST_VALUE]
