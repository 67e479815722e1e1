"""Bytes → text, without asking the locale and without believing a label that the bytes contradict."""

from __future__ import annotations

import codecs
import logging
import re
from dataclasses import dataclass

from ingest.quality import quality

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
             "x-user-defined": "cp1252", "ansi_x3.4-1968": "cp1252", "x-euc-jp": "euc_jp"}  # fmt: skip
"""Labels that Python does not know."""

_NO_ENCODINGS = frozenset({"unicode-escape", "raw-unicode-escape", "idna", "punycode", "undefined"})
"""Python's own notations, in which nobody writes."""

_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f]+")
_TERMINAL = re.compile(r"\x1b\[[0-9;:?]{0,40}[@-~]|\x1b\][^\x07\x1b\n]{0,300}(?:\x07|\x1b\\)|[^\n]\x08")
"""Colours and the like in the output of programs, and letters that are struck over."""

_HIGH = re.compile(rb"[\x80-\xff]+")
_FEW_LONG, _FEW_SHORT = 3, 6
"""Characters of three and of two bytes that no line of an older encoding forms by accident."""

_LEAST_SURE = 0.1
"""Share of the bytes beyond ASCII in lines that are surely UTF-8 from which the file is a mixed one."""

_MOST_ALONE = 500
"""Lines in other encodings that are looked at one by one."""

_PRINTED = 0x20
_MOST_PAIRS = 0.3
"""Pairs of printed ASCII characters by bytes of a text in UTF-16, at most."""

_DRAWN = re.compile(rb"([\x80-\xff])(?:\1\1){3,}\1?")

_FIRST_LOOK = 1024
_SAMPLE = 6144
_MOST_CONTROLS = 0.02
_FEW_CONTROLS = 4
_MOST_REPLACED = 0.05
_LEAST_QUALITY = 0.7
_FEWEST_TO_BE_SURE = 2
"""Characters beyond ASCII that are right in UTF-8, from which a half one at an end is put down to a cut."""
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
    wide = _wide_by_zeros(data)
    if wide:
        return _checked(data.decode(wide, "replace"), wide)
    if data.isascii():
        for escape, encoding in _ESCAPES:
            # In other texts a tilde may stand before a bracket, too; here both brackets have one.
            if escape == b"~{" and data.count(b"~{") != data.count(b"~}"):
                continue
            if escape in data and (text := _strictly(data, encoding)) is not None:
                return _checked(text, encoding)
        if wider(label) == "utf-7" and (text := _strictly(data, "utf-7")) is not None:
            return _checked(text, "utf-7")
        return _checked(data.decode("ascii"), "ascii")
    text = _strictly(data, "utf-8")
    if text is None:
        text = _cut_utf8(data)
    if text is not None:
        return _checked(text, "utf-8")
    if _mostly_utf8(data) or _partly_utf8(data):
        return _checked(_by_lines(data), "utf-8")
    return _legacy(data, wider(label) or declared(data))


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


def _legacy(data: bytes, label: str | None) -> Decoded | None:
    """The likeliest of the encodings from before Unicode."""
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

    if label and _strictly(data, label) is not None:
        return _guessed(data, label)
    logging.getLogger("charset_normalizer").setLevel(logging.ERROR)
    found = from_bytes(data[: 1 << 20]).best()
    # Almost any bytes pass for UTF-16.
    if found is None or found.encoding.startswith("utf_16"):
        return None
    return _guessed(data, found.encoding)


def _guessed(data: bytes, encoding: str) -> Decoded | None:
    """The text under an encoding that nothing vouches for; None if that gives no text."""
    if quality(_sample(data, _SAMPLE).decode(encoding, "replace")) < _LEAST_QUALITY:
        return None
    return _checked(data.decode(encoding, "replace"), encoding)


def _checked(text: str, encoding: str) -> Decoded | None:
    """The tidied text; None if what came out is not a text after all."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\ufeff", "")
    text = _TERMINAL.sub("", text)
    meant = text.replace("\x00", "")
    controls = sum(map(len, _CONTROLS.findall(meant)))
    if not meant or controls > max(_FEW_CONTROLS, _MOST_CONTROLS * len(meant)):
        return None
    if meant.count("\ufffd") > _MOST_REPLACED * len(meant):
        return None
    return Decoded(_CONTROLS.sub("", meant).replace("\x1b", ""), encoding)


def _strictly(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return None


def _cut_utf8(data: bytes) -> str | None:
    """UTF-8 that begins or ends inside a character, as parts of a file do; None if it is anything else."""
    begin = next((place for place, byte in enumerate(data[:4]) if byte & 0xC0 != 0x80), 4)
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(data[begin:])
    except UnicodeDecodeError:
        return None
    beyond = sum(character > "\x7f" for character in text[: 2 * _SAMPLE])
    # The last letter of a word in an older encoding looks like the beginning of a character, too.
    return text if beyond >= _FEWEST_TO_BE_SURE else None


def _wide_by_zeros(data: bytes) -> str | None:
    """UTF-32 or UTF-16 without a mark: zeros at the same places of every character, as letters of Europe
    have them."""
    head = data[:8192]
    if len(data) % 4 == 0 and head.count(0) >= len(head) // 4:
        for encoding in ("utf-32-le", "utf-32-be"):
            if _strictly(data, encoding) is not None:
                return encoding
    if len(data) % 2 or len(head) < 4 or head.count(0) < len(head) // 20:
        return None
    # Two letters of ASCII side by side in most places are no ideographs, but bytes of an ordinary text.
    couples = zip(head[::2], head[1::2], strict=False)
    pairs = sum(_PRINTED <= low < 0x7F and _PRINTED <= high < 0x7F for low, high in couples)
    if pairs > _MOST_PAIRS * len(head):
        return None
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if odd > 4 * even and odd > len(head) // 20:
        return "utf-16-le"
    if even > 4 * odd and even > len(head) // 20:
        return "utf-16-be"
    return None


def _mostly_utf8(data: bytes) -> bool:
    """Whether the bytes beyond ASCII are UTF-8 but for some that are damaged or in another encoding."""
    text = data.decode("utf-8", "replace")
    good = sum(len(character.encode()) for character in text if character > "\x7f" and character != "\ufffd")
    bad = text.count("\ufffd")
    # Two bytes of an older encoding pass for UTF-8 by accident only rarely, three hardly ever.
    return good > 3 * bad if good >= 12 else good > 0 and bad == 1 and good >= 3


def _partly_utf8(data: bytes) -> bool:
    """Whether whole lines are UTF-8 and others are not, as in a log that two programs write."""
    high = sum(map(len, _HIGH.findall(data)))
    sure = 0
    for line in data.split(b"\n"):
        if not line.isascii() and (text := _strictly(line, "utf-8")) is not None:
            beyond = [len(character.encode()) for character in text if character > "\x7f"]
            if (max(beyond) >= 3 and len(beyond) >= _FEW_LONG) or len(beyond) >= _FEW_SHORT:
                sure += sum(beyond)
    return sure >= _LEAST_SURE * high


def _by_lines(data: bytes) -> str:
    """Lines in UTF-8 as such, the others in what they look like together or, if that is clear, alone."""
    found = [(line, _strictly(line, "utf-8")) for line in re.split(rb"\r?\n", data)]
    others = [line for line, text in found if text is None and not _mostly_utf8(line)]
    together = _legacy(b"\n".join(others), None) if others else None
    usual = together.encoding if together else None
    alone = 0
    lines = []
    for line, text in found:
        if text is None and not _mostly_utf8(line):
            alone += 1
            other = _legacy(line, usual) if alone <= _MOST_ALONE or usual is None else None
            text = other.text if other else line.decode(usual or "utf-8", "replace")
        lines.append(line.decode("utf-8", "replace") if text is None else text)
    return "\n".join(lines)


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
