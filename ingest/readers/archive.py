"""Zip archives, unpacked within bounds: what an Office document or an e-book is made of."""

from __future__ import annotations

import io
import posixpath
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from ingest.errors import Unreadable
from ingest.readers.base import Limits
from ingest.readers.xml_mending import mended

_LARGEST_RATIO = 200
"""Unpacked : packed. Text packs to a tenth, repetitive tables to a fiftieth; bombs go beyond this."""

_RATIO_MATTERS = 32 << 20

_HUGE = 10 << 20
"""Bytes of XML from which on libxml2's own bounds on single texts would refuse honest files."""


class Archive:
    """Members by name, each within the limits. Raises Unreadable on damage and on zip bombs."""

    def __init__(self, data: bytes, limits: Limits) -> None:
        self._left = limits.expanded_bytes
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
            raise Unreadable(f"damaged: not a zip archive that can be opened ({error})") from error
        # Some programs write back slashes; a leading slash means the same member.
        self._names = {
            name.replace("\\", "/").lstrip("/").lower(): name for name in reversed(self._zip.namelist())
        }

    def __contains__(self, name: str) -> bool:
        return name.lstrip("/").lower() in self._names

    def read(self, name: str) -> bytes:
        """The member's bytes; names are compared without case, as Office does."""
        member = self._names.get(name.lstrip("/").lower())
        if member is None:
            raise Unreadable(f"damaged: the part {name} is missing")
        about = self._zip.getinfo(member)
        reason = bomb(about)
        if reason:
            raise Unreadable(reason)
        if about.flag_bits & 1:
            raise Unreadable("the archive is encrypted")
        try:
            with self._zip.open(about) as stream:
                # The size in the directory may lie: what really comes out is what counts.
                content = stream.read(self._left + 1)
        except Exception as error:
            raise Unreadable(f"damaged: the part {name} cannot be unpacked ({error})") from error
        self._left -= len(content)
        if self._left < 0:
            raise Unreadable("unpacks to more than the limit")
        return content

    def main_part(self, usual: Sequence[str]) -> str:
        """The part that holds an Office document's body; `usual` where the package does not say."""
        for kind, part in self.related("").values():
            if kind == "officeDocument" and part in self:
                return part
        for part in usual:
            if part in self:
                return part
        raise Unreadable("damaged: its main part is missing")

    def names(self) -> list[str]:
        return list(self._names)

    def xml(self, name: str, *, recover: bool = False) -> Any:
        """The root element of an XML part, entities and network off. recover: as much as is well-formed."""
        return parse_xml(self.read(name), name, recover=recover)

    def aside(self, name: str) -> Any:
        """The root of a part that the document can do without: as much of it as is well-formed, an empty
        element if nothing is."""
        from lxml import etree

        try:
            return self.xml(name, recover=True)
        except Unreadable:
            return etree.Element("nothing")

    def related(self, part: str) -> dict[str, tuple[str, str]]:
        """Relationships of an Office part: id → (kind, target's name); kind is the last word of its type."""
        folder, base = posixpath.split(part)
        rels = posixpath.join(folder, "_rels", f"{base}.rels")
        if rels not in self:
            return {}
        found = {}
        for relation in self.aside(rels):
            if not isinstance(relation.tag, str) or relation.get("TargetMode") == "External":
                continue
            target = relation.get("Target", "")
            where = target.lstrip("/") if target.startswith("/") else posixpath.join(folder, target)
            kind = relation.get("Type", "").rsplit("/", 1)[-1]
            found[relation.get("Id", "")] = (kind, posixpath.normpath(where))
        return found


def bomb(about: zipfile.ZipInfo) -> str | None:
    """Why a member is not unpacked: it would become many times as large, as no honest file does."""
    ratio = about.file_size // max(1, about.compress_size)
    if about.file_size > _RATIO_MATTERS and ratio > _LARGEST_RATIO:
        return f"unpacks {ratio}-fold to {about.file_size >> 20} MiB, as a zip bomb does"
    return None


def parse_xml(data: bytes, name: str, *, recover: bool = False) -> Any:
    """The root element. What programs often do wrong is mended first; recover: as much as is well-formed."""
    from lxml import etree

    try:
        return _parsed(data, recover=False)
    except etree.XMLSyntaxError as error:
        root = None
        better = mended(data)
        if better is not None:
            with suppress(etree.XMLSyntaxError):
                root = _parsed(better, recover=False)
        if root is None and recover:
            with suppress(etree.XMLSyntaxError):
                root = _parsed(better or data, recover=True)
        if root is None:
            raise Unreadable(f"damaged: the part {name} is not valid XML ({error})") from error
        return root


def _parsed(data: bytes, *, recover: bool) -> Any:
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, recover=recover,
        huge_tree=len(data) > _HUGE,
    )  # fmt: skip
    return etree.fromstring(data, parser)
