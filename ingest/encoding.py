"""Bytes → text, without asking the locale and without believing a label that the bytes contradict."""

from __future__ import annotations

import codecs
import logging
import math
import re
from dataclasses import dataclass

from ingest.quality import quality
from ingest.unicode_bytes import (
    cut_utf8,
    has_stretches,
    mostly_utf8,
    partly_utf8,
    stretches,
    strictly,
    wide_by_zeros,
)

_BOMS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(
    rb"<meta[^>]{0,300}charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.-]+)"
    rb"|<\?xml[^>]{0,200}encoding\s*=\s*[\"']([A-Za-z0-9_:.-]+)",
    re.I,
)
_ESCAPES = (
    (b"\x1b$B", "iso2022_jp_2"),
    (b"\x1b$@", "iso2022_jp_2"),
    (b"\x1b$)C", "iso2022_kr"),
    (b"~{", "hz"),
)
_WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "big5": "big5hkscs", "shift_jis": "cp932", "euc_kr": "cp949",
          "iso8859-1": "cp1252", "ascii": "cp1252", "iso8859-9": "cp1254", "tis-620": "cp874",
          "koi8-r": "koi8_u"}  # fmt: skip
"""What a label means in practice: the vendor's larger set, as browsers read it."""

_MISNAMED = {"ks_c_5601-1987": "cp949", "ks_c_5601": "cp949", "x-gbk": "gb18030", "gb_2312-80": "gb18030",
             "x-sjis": "cp932", "ms_kanji": "cp932", "x-x-big5": "big5hkscs", "iso-8859-8-i": "iso8859_8",
             "unicode-1-1-utf-7": "utf-7", "cp-850": "cp850", "x-mac-cyrillic": "mac_cyrillic",
             "x-user-defined": "cp1252", "ansi_x3.4-1968": "cp1252", "x-euc-jp": "euc_jp",
             "x-euc-tw": "euc_tw"}  # fmt: skip
"""Labels that Python does not know."""

_NO_ENCODINGS = frozenset({"unicode-escape", "raw-unicode-escape", "idna", "punycode", "undefined"})
"""Python's own notations, in which nobody writes."""

_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f]+")
_TERMINAL = re.compile(r"\x1b\[[0-9;:?]{0,40}[@-~]|\x1b\][^\x07\x1b\n]{0,300}(?:\x07|\x1b\\)|[^\n]\x08")
"""Colours and the like in the output of programs, and letters that are struck over."""

_MOST_ALONE = 500
"""Lines in other encodings that are looked at one by one."""

_DRAWN = re.compile(rb"([\x80-\xff])(?:\1\1){3,}\1?")

_OF_TWO_BYTES = frozenset({"gb18030", "big5hkscs", "cp932", "cp949", "euc_jp", "johab", "euc_tw"})
_OUT_OF_STEP = 30.0
"""So much likelier, as a logarithm, a line must be without its first byte for that to be half a character."""

_FIRST_LOOK = 1024
_SAMPLE = 6144
_MOST_CONTROLS = 0.02
_FEW_CONTROLS = 4
_MOST_REPLACED = 0.05
_ZEROS = re.compile(rb"\x00{8,}")
"""What is left where nothing was written: at the end of a buffer, in a log after a crash."""

_LEAST_PLAIN = 0.98
"""Share of printed ASCII from which a few other bytes are damage in a text, whatever they are."""
_NOT_PLAIN = re.compile(rb"[^\t\n\r\x20-\x7e]+")
_LEAST_QUALITY = 0.7
_LABEL_TRUST = 0.35
"""A label is believed though another encoding is likelier by this much per byte beyond ASCII."""

_UNLIKELY = -6.0
_UNLIKELY_WIDE = -5.0
"""Below this log-likelihood per byte beyond ASCII (for UTF-16: per byte) no text known here lies."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """text: with "\\n" line ends, without BOM and control characters. encoding: how it was read."""

    text: str
    encoding: str


def decode(data: bytes, label: str | None = None) -> Decoded | None:
    """The text in `data`, or None when it is not a text in any encoding known here.

    label: what something outside (a mail's header) says of the encoding; the bytes may contradict it.
    """
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return _checked(data[len(bom) :].decode(encoding, "replace"), encoding)
    # As many stay as keep the bytes of UTF-16 and UTF-32 behind them at their places.
    data = _ZEROS.sub(lambda zeros: zeros[0][: len(zeros[0]) % 4], data)
    wide = wide_by_zeros(data)
    if wide:
        return _checked(data.decode(wide, "replace"), wide)
    if data.isascii():
        for escape, encoding in _ESCAPES:
            # In other texts a tilde may stand before a bracket, too; here both brackets have one.
            if escape == b"~{" and data.count(b"~{") != data.count(b"~}"):
                continue
            if escape in data and (text := strictly(data, encoding)) is not None:
                return _checked(text, encoding)
        if wider(label) == "utf-7" and (text := strictly(data, "utf-7")) is not None:
            return _checked(text, "utf-7")
        return _checked(data.decode("ascii"), "ascii")
    text = strictly(data, "utf-8")
    if text is None:
        text = cut_utf8(data)
    if text is not None:
        return _checked(text, "utf-8")
    if (mostly_utf8(data) or partly_utf8(data)) and (found := _checked(_by_lines(data), "utf-8")):
        return found
    if has_stretches(data):
        return _checked(_by_stretches(data), "utf-8")
    return _whole_characters(data, wider(label) or declared(data)) or _nearly_plain(data)


def declared(data: bytes) -> str | None:
    """The encoding that an HTML or XML file claims for itself, as Python's name of the wider set."""
    match = _DECLARED.search(data[:4096])
    if not match:
        return None
    return wider((match.group(1) or match.group(2)).decode("ascii"))


def wider(label: str | None) -> str | None:
    """Python's name of what a label means in practice; None for a label that means nothing here."""
    if not label:
        return None
    label = label.strip().strip("\"'").lower()
    try:
        name = codecs.lookup(_MISNAMED.get(label, label)).name
    except (LookupError, ValueError):
        return None
    return None if name in _NO_ENCODINGS else _WIDER.get(name, name)


def _whole_characters(data: bytes, label: str | None) -> Decoded | None:
    """As `_legacy`, of what may begin or end inside a character of two bytes, as a part of a file does.

    From the second half of a character on, all of a line would be read out of step.
    """
    found = _legacy(data, label)
    if found is None and data[-1] >= 0x80:
        found = _legacy(data[:-1], label)
    begun = _legacy(data[1:], label) if data[0] >= 0x80 else None
    if begun is not None and begun.encoding in _OF_TWO_BYTES:
        line = re.split(rb"[\r\n]", data[:_SAMPLE], maxsplit=1)[0]
        if found is None or _line_likelihood(line, found.encoding) + _OUT_OF_STEP < _line_likelihood(
            line[1:], begun.encoding
        ):
            found = begun
    if found is None or found.encoding not in _OF_TWO_BYTES:
        return found
    return Decoded(found.text.removesuffix("\ufffd"), found.encoding)


def _line_likelihood(line: bytes, encoding: str) -> float:
    from ingest.charsets import LANGUAGES, likelihood

    # The sample of a long line may end inside a character.
    text = line.decode(encoding, "replace").removesuffix("\ufffd")
    return likelihood(text, encoding) if encoding in LANGUAGES else -math.inf


def _legacy(data: bytes, label: str | None) -> Decoded | None:
    """The likeliest of the encodings from before Unicode; None for ASCII and for what is no text."""
    if data.isascii():
        return None
    from ingest.charsets import LANGUAGES, ascii_cost, likelihood

    # In UTF-16 every character has two bytes.
    names = {name for name in LANGUAGES if not name.startswith("utf_16") or len(data) % 2 == 0}
    scores: dict[str, float] = {}
    for size, kept in ((_FIRST_LOOK, 5), (_SAMPLE, 1)):
        # A line that is drawn says nothing of letters.
        sample = _DRAWN.sub(rb"\1\1", _sample(data, size))
        if scores and len(sample) <= _FIRST_LOOK:
            break
        common = sum(ascii_cost(chr(byte)) for byte in sample.lower() if byte < 0x80)
        beyond = sum(byte > 0x7F for byte in sample)
        scores = {
            name: (likelihood(sample.decode(name, "replace"), name) - common) / beyond for name in names
        }
        names = {*sorted(scores, key=scores.__getitem__)[-kept:], *(name for name in scores if name == label)}
    best = max(scores, key=scores.__getitem__)
    if label in scores and scores[label] > scores[best] - _LABEL_TRUST:
        best = label
    wide = best.startswith("utf_16")
    if wide and likelihood(sample.decode(best, "replace"), best) < _UNLIKELY_WIDE * len(sample):
        return None
    if not wide and scores[best] < _UNLIKELY:
        return _by_normalizer(data, label)
    return _guessed(data, best)


def _by_normalizer(data: bytes, label: str | None) -> Decoded | None:
    """Encodings and languages that have no table here; a label that decodes everything comes first."""
    from charset_normalizer import from_bytes

    if label and strictly(data, label) is not None:
        return _guessed(data, label)
    logging.getLogger("charset_normalizer").setLevel(logging.ERROR)
    found = from_bytes(data[: 1 << 20]).best()
    # Almost any bytes pass for UTF-16.
    if found is None or found.encoding.startswith("utf_16"):
        return None
    return _guessed(data, found.encoding)


def _nearly_plain(data: bytes) -> Decoded | None:
    """English with a few bytes in it that are no letters in any encoding; None if they are more than few."""
    odd = sum(map(len, _NOT_PLAIN.findall(data)))
    if odd > (1 - _LEAST_PLAIN) * len(data):
        return None
    return _checked(_NOT_PLAIN.sub(b"?", data).decode("ascii"), "ascii")


def _guessed(data: bytes, encoding: str) -> Decoded | None:
    """The text under an encoding that nothing vouches for; None if that gives no text."""
    if quality(_sample(data, _SAMPLE).decode(encoding, "replace")) < _LEAST_QUALITY:
        return None
    return _checked(data.decode(encoding, "replace"), encoding)


def _checked(text: str, encoding: str) -> Decoded | None:
    """The tidied text; None if what came out is not a text after all."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\ufeff", "")
    if "\x1e" in text and "\x1f" in text:
        # ASCII's own marks between records and between their fields.
        text = text.replace("\x1e", "\n").replace("\x1f", "\t")
    text = _TERMINAL.sub("", text)
    meant = text.replace("\x00", "")
    controls = sum(map(len, _CONTROLS.findall(meant)))
    if not meant or controls > max(_FEW_CONTROLS, _MOST_CONTROLS * len(meant)):
        return None
    if meant.count("\ufffd") > _MOST_REPLACED * len(meant):
        return None
    return Decoded(_CONTROLS.sub("", meant).replace("\x1b", ""), encoding)


def _by_lines(data: bytes) -> str:
    """Lines in UTF-8 as such, the others in what they look like together or, if that is clear, alone."""
    found = [(line, strictly(line, "utf-8")) for line in re.split(rb"\r?\n", data)]
    others = [line for line, text in found if text is None and not mostly_utf8(line)]
    together = _legacy(b"\n".join(others), None) if others else None
    usual = together.encoding if together else None
    alone = 0
    lines = []
    for line, text in found:
        if text is None and not mostly_utf8(line):
            alone += 1
            other = _legacy(line, usual) if alone <= _MOST_ALONE or usual is None else None
            text = other.text if other else line.decode(usual or "utf-8", "replace")
        lines.append(line.decode("utf-8", "replace") if text is None else text)
    return "\n".join(lines)


def _by_stretches(data: bytes) -> str:
    """Stretches in UTF-8 as such, what stands between them in what it looks like together."""
    found = list(stretches(data))
    between = _legacy(b"\n".join(part for part, sure in found if not sure), None)
    other = between.encoding if between else "utf-8"
    return "".join(part.decode("utf-8" if sure else other, "replace") for part, sure in found)


def _sample(data: bytes, size: int) -> bytes:
    """Lines with bytes beyond ASCII, about `size` bytes of them: they decide."""
    picked: list[bytes] = []
    length = 0
    for line in re.split(rb"(?<=[\r\n])", data):
        if not line.isascii():
            if len(line) > size:
                # Of a very long line, from shortly before what counts.
                line = line[max(0, next(re.finditer(rb"[\x80-\xff]", line)).start() - 16) :]
            picked.append(line[: size - length])
            length += len(picked[-1])
            if length >= size:
                break
    return b"".join(picked)
