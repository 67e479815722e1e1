"""EPUB: the chapters in reading order. An e-book has no pages, so chapters are headings."""

from __future__ import annotations

import posixpath
import urllib.parse
from typing import Any

from ingest.encoding import decode
from ingest.errors import Skipped, Unreadable
from ingest.readers.archive import Archive
from ingest.readers.base import Content, Source
from ingest.readers.blocks import Blocks, one_line
from ingest.readers.docx_text import local
from ingest.readers.html import write_all
from ingest.readers.titles import plausible_title

_FONTS_ONLY = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
_PAGES = ("application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document")


def read(source: Source) -> Content:
    archive = Archive(source.data, source.limits)
    _refuse_locked(archive)
    opf = _package(archive)
    root = archive.xml(opf)
    folder = posixpath.dirname(opf)
    items = {
        item.get("id", ""): (_resolved(folder, item.get("href", "")), item)
        for item in root.iter()
        if local(item) == "item"
    }
    spine = [items[reference.get("idref")] for reference in root.iter()
             if local(reference) == "itemref" and reference.get("idref") in items]  # fmt: skip
    spine = spine or [entry for entry in items.values() if entry[1].get("media-type") in _PAGES]
    names = _chapter_names(archive, items)
    blocks = Blocks(source.limits)
    for part, item in spine:
        if part not in archive or "nav" in item.get("properties", "").split():
            continue
        decoded = decode(archive.read(part))
        if decoded is not None:
            write_all(decoded.text, blocks, source.limits, chapter=names.get(part, ""))
    if not spine:
        raise Unreadable("damaged EPUB: it lists no chapters")
    return blocks.content(_title(root))


def _package(archive: Archive) -> str:
    if "META-INF/container.xml" in archive:
        for element in archive.xml("META-INF/container.xml").iter():
            if local(element) == "rootfile":
                path = urllib.parse.unquote(element.get("full-path", ""))
                if path in archive:
                    return path
    for name in archive.names():
        if name.endswith(".opf"):
            return name
    raise Unreadable("damaged EPUB: it has no package file")


def _refuse_locked(archive: Archive) -> None:
    if "META-INF/encryption.xml" not in archive:
        return
    for element in archive.xml("META-INF/encryption.xml").iter():
        if local(element) == "EncryptionMethod" and element.get("Algorithm") not in _FONTS_ONLY:
            above = element.getparent()
            if any(_is_page(reference.get("URI", "")) for reference in above.iter()):
                raise Skipped("locked: an e-book with copy protection")


def _is_page(name: str) -> bool:
    return name.lower().endswith((".xhtml", ".html", ".htm", ".xml"))


def _resolved(folder: str, href: str) -> str:
    path = urllib.parse.unquote(href.split("#")[0])
    return posixpath.normpath(posixpath.join(folder, path)) if path else ""


def _chapter_names(archive: Archive, items: dict[str, tuple[str, Any]]) -> dict[str, str]:
    """Part → its name in the table of contents (EPUB 3's navigation, else EPUB 2's NCX)."""
    names: dict[str, str] = {}
    for part, item in items.values():
        if part not in archive:
            continue
        folder = posixpath.dirname(part)
        if "nav" in item.get("properties", "").split():
            for link in archive.xml(part, recover=True).iter("{*}a"):
                _name(names, folder, link.get("href", ""), "".join(link.itertext()))
        elif item.get("media-type") == "application/x-dtbncx+xml":
            for point in archive.xml(part, recover=True).iter("{*}navPoint"):
                label = next(("".join(text.itertext()) for text in point.iter("{*}text")), "")
                target = next((content.get("src", "") for content in point.iter("{*}content")), "")
                _name(names, folder, target, label)
    return names


def _name(names: dict[str, str], folder: str, target: str, label: str) -> None:
    part = _resolved(folder, target)
    if part and one_line(label):
        names.setdefault(part, one_line(label))


def _title(root: Any) -> str | None:
    for element in root.iter("{http://purl.org/dc/elements/1.1/}title"):
        return plausible_title("".join(element.itertext()))
    return None
