"""Bytes that are Unicode without saying so: UTF-16 and UTF-32 without a mark, UTF-8 that is cut, damaged, or
mixed with lines in other encodings.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

_HIGH = re.compile(rb"[\x80-\xff]+")
_LEAST_SURE = 0.1
"""Share of the bytes beyond ASCII in lines that are surely UTF-8 from which the file is a mixed one."""
_FEW_LONG, _FEW_SHORT = 3, 6
"""Characters of three and of two bytes that no line of an older encoding forms by accident."""
_FEWEST_TO_BE_SURE = 2
"""Characters beyond ASCII that are right in UTF-8, from which a half one at an end is put down to a cut."""
_PRINTED = 0x20
_MOST_PAIRS = 0.3
"""Pairs of printed ASCII characters by bytes of a text in UTF-16, at most."""
_LOOKED_AT = 12_288
_SURE_RUN = re.compile(rb"(?:[\xe2-\xef][\x80-\xbf]{2}){6}")
_STRETCH = re.compile(rb"(?:[\x00-\x7f]|[\xe2-\xef][\x80-\xbf]{2})+")
"""Ideographs in UTF-8 and ASCII: two bytes of another encoding pass for them only by accident, and six
ideographs in a row never do."""


def wide_by_zeros(data: bytes) -> str | None:
    """UTF-32 or UTF-16 without a mark: zeros at the same places of every character, as letters of Europe
    have them."""
    head = data[:8192]
    if len(data) % 4 == 0 and head.count(0) >= len(head) // 4:
        for encoding in ("utf-32-le", "utf-32-be"):
            if strictly(data, encoding) is not None:
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


def cut_utf8(data: bytes) -> str | None:
    """UTF-8 that begins or ends inside a character, as parts of a file do; None if it is anything else."""
    begin = next((place for place, byte in enumerate(data[:4]) if byte & 0xC0 != 0x80), 4)
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(data[begin:])
    except UnicodeDecodeError:
        return None
    beyond = sum(character > "\x7f" for character in text[:_LOOKED_AT])
    # The last letter of a word in an older encoding looks like the beginning of a character, too.
    return text if beyond >= _FEWEST_TO_BE_SURE else None


def mostly_utf8(data: bytes) -> bool:
    """Whether the bytes beyond ASCII are UTF-8 but for some that are damaged or in another encoding."""
    text = data.decode("utf-8", "replace")
    good = sum(len(character.encode()) for character in text if character > "\x7f" and character != "\ufffd")
    bad = text.count("\ufffd")
    # Two bytes of an older encoding pass for UTF-8 by accident only rarely, three hardly ever.
    return good > 3 * bad if good >= 12 else good > 0 and bad == 1 and good >= 3


def partly_utf8(data: bytes) -> bool:
    """Whether whole lines are UTF-8 and others are not, as in a log that two programs write."""
    high = sum(map(len, _HIGH.findall(data)))
    sure = 0
    for line in data.split(b"\n"):
        if not line.isascii() and (text := strictly(line, "utf-8")) is not None:
            beyond = [len(character.encode()) for character in text if character > "\x7f"]
            if (max(beyond) >= 3 and len(beyond) >= _FEW_LONG) or len(beyond) >= _FEW_SHORT:
                sure += sum(beyond)
    return sure >= _LEAST_SURE * high


def has_stretches(data: bytes) -> bool:
    """Whether one line holds both: stretches that are surely UTF-8, and others that are not."""
    if not _SURE_RUN.search(data):
        return False
    inside = outside = 0
    for part, sure in stretches(data):
        high = sum(map(len, _HIGH.findall(part)))
        inside, outside = inside + sure * high, outside + (not sure) * high
    return inside >= _LEAST_SURE * (inside + outside)


def stretches(data: bytes) -> Iterator[tuple[bytes, bool]]:
    """All of the data in parts, each with whether it is surely UTF-8."""
    place = 0
    for stretch in _STRETCH.finditer(data):
        if _SURE_RUN.search(data, stretch.start(), stretch.end()):
            if stretch.start() > place:
                yield data[place : stretch.start()], False
            yield stretch[0], True
            place = stretch.end()
    if place < len(data):
        yield data[place:], False


def strictly(data: bytes, encoding: str) -> str | None:
    """The text, None if the bytes are not in that encoding."""
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return None
