"""Bytes → text, without asking the locale and without believing a label that the bytes contradict."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

_BOMS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(
    rb"""<meta[^>]{0,200}charset\s*=\s*["']?\s*([A-Za-z0-9_:.-]+)|<\?xml[^>]{0,200}encoding\s*=\s*["']([A-Za-z0-9_:.-]+)""",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Decoded:
    """text: with "\\n" line ends, without BOM and control characters. encoding: how it was read."""

    text: str
    encoding: str


def decode(data: bytes) -> Decoded | None:
    """The text in `data`, or None when it is not a text in any encoding known here."""
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return _tidied(data[len(bom) :].decode(encoding, "replace"), encoding)
    try:
        return _tidied(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        pass
    from charset_normalizer import from_bytes

    best = from_bytes(data).best()
    return _tidied(str(best), best.encoding) if best else None


def _tidied(text: str, encoding: str) -> Decoded:
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\ufeff", "")
    return Decoded(re.sub(r"[\x00-\x08\x0b\x0e-\x1f\x7f]+", "", text), encoding)
