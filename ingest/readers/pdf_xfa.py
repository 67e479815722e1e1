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

_LOOKED_THROUGH = 20
"""Pages on which a field is looked for."""

NO_WORDS = "a form in XML (XFA) that another program shows: no words can be read of it"


def has_xfa(document: Any) -> bool:
    """Whether the document's form is XML and its pages only stand in for it: a form whose pages have fields
    of their own can be read from these.

    document: a pypdfium2.PdfDocument.
    """
    import pypdfium2

    raw = pypdfium2.raw
    kind = document.get_formtype()
    if kind == raw.FORMTYPE_XFA_FULL:
        return True
    if kind != raw.FORMTYPE_XFA_FOREGROUND:
        return False
    return not any(_has_field(raw, document, index) for index in range(min(len(document), _LOOKED_THROUGH)))


def _has_field(raw: Any, document: Any, index: int) -> bool:
    page = raw.FPDF_LoadPage(document, index)
    if not page:
        return False
    try:
        for number in range(raw.FPDFPage_GetAnnotCount(page)):
            annotation = raw.FPDFPage_GetAnnot(page, number)
            if annotation:
                field = raw.FPDFAnnot_GetSubtype(annotation) == raw.FPDF_ANNOT_WIDGET
                raw.FPDFPage_CloseAnnot(annotation)
                if field:
                    return True
        return False
    finally:
        raw.FPDF_ClosePage(page)


def xfa_text(document: Any) -> str:
    """The words of the form and the values filled in ("name: value"), one a line; "" if it holds none.

    document: a pypdfium2.PdfDocument.
    """
    parts: dict[str, Any] = {}
    for name, content in _packets(document):
        root = _parsed(content)
        if root is not None and _local(root) == "xdp":
            # All of it in one stream.
            parts.update({_local(part): part for part in root})
        elif root is not None:
            parts[name] = root
    lines: dict[str, None] = {}
    for line in _words(parts.get("template")):
        lines.setdefault(line)
    for line in _values(parts.get("datasets")):
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


def _words(root: Any) -> Iterator[str]:
    """Captions and fixed text of the form, in the order of its design."""
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


def _values(root: Any) -> Iterator[str]:
    if root is None:
        return
    for element in root.iter():
        if isinstance(element.tag, str) and not len(element) and element.text:
            for value in _one_line(element.text):
                yield f"{_local(element)}: {value}"


def _parsed(packet: bytes) -> Any:
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True, huge_tree=False)
    try:
        return etree.fromstring(packet, parser) if packet.strip() else None
    except etree.XMLSyntaxError:
        return None


def _local(element: Any) -> str:
    tag = element.tag
    return tag.rsplit("}", 1)[-1] if isinstance(tag, str) else ""


def _one_line(text: str) -> Iterator[str]:
    line = " ".join(text.split())
    if line:
        yield line[:_LONGEST_VALUE]
