"""XML that a program wrote by hand: control characters, bare ampersands, entities of HTML and broken UTF-8
are put right, so that one character does not cost the document.
"""

from __future__ import annotations

import html.entities
import re

_CONTROLS = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]+|\xef\xbf[\xbe\xbf]")
_NO_CHARACTER = re.compile(
    rb"&#(?:0*(?:[0-8]|1[124-9]|2\d|3[01])|[xX]0*(?:[0-8bcefBCEF]|1[0-9a-fA-F]|[fF]{3}[eEfF]));"
)
_AMPERSAND = re.compile(rb"&(?:(\w{1,31});)?(?!#\d|#[xX][0-9a-fA-F])")
_LONE = re.compile(rb"&(?!#|amp;|lt;|gt;|quot;|apos;)")
_OWN = frozenset({b"amp", b"lt", b"gt", b"quot", b"apos"})
_DOUBLE_BYTES = (b"\xff\xfe", b"\xfe\xff", b"<\x00", b"\x00<")
_DECLARED = re.compile(rb"\A\s*<\?xml[^>]{0,200}encoding\s*=\s*[\"']([A-Za-z0-9_.:-]+)")


def without_controls(data: bytes) -> bytes:
    """The same without characters that XML forbids; data in UTF-16 is left alone."""
    if data.startswith(_DOUBLE_BYTES):
        return data
    if _CONTROLS.search(data):
        data = _CONTROLS.sub(b"", data)
    return _NO_CHARACTER.sub(b"", data) if b"&#" in data else data


def for_parsing(data: bytes) -> bytes:
    """As `without_controls`, and with ampersands put right if some stand alone: for what is parsed as a
    stream and cannot be tried twice."""
    data = without_controls(data)
    return (mended(data) or data) if _LONE.search(data) else data


def mended(data: bytes) -> bytes | None:
    """The part with what is often wrong put right; None if nothing of that kind was wrong with it."""
    if data.startswith(_DOUBLE_BYTES):
        return None
    better = _AMPERSAND.sub(_escaped, without_controls(data))
    declared = _DECLARED.match(better)
    if declared is None or declared.group(1).lower() in (b"utf-8", b"utf8"):
        better = better.decode("utf-8", "replace").encode()
    return better if better != data else None


def _escaped(ampersand: re.Match[bytes]) -> bytes:
    name = ampersand.group(1)
    if name is None:
        return b"&amp;"
    if name in _OWN:
        return ampersand.group()
    code = html.entities.name2codepoint.get(name.decode("ascii", "replace"))
    return b"&#%d;" % code if code else b"&amp;%s;" % name
