"""What is printed above and below the pages of a sheet (ECMA-376, part 1, 18.3.1.39 and 18.3.1.46)."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from ingest.readers.blocks import one_line

_MARGIN = re.compile(rb"<(?:\w+:)?(?:odd|even|first)(?:Header|Footer)(?:\s[^>]{0,200})?>([^<]{1,2000})</")
_CODE = re.compile(
    r'&(?P<both>&)|&(?P<part>[LCR])|&"[^"]*"|&\d+|&K[0-9A-Fa-f]{6}|&K\d\d[+-]\d{3}|&[A-Za-z]', re.I
)
_FEWEST_LETTERS = 3


def margins_of(data: bytes) -> Iterator[str]:
    """The texts of headers and footers in a sheet's XML, each part by itself; not those that hold no more
    than numbers of pages, dates and the names of file and sheet."""
    for match in _MARGIN.finditer(data):
        text = html.unescape(match.group(1).decode("utf-8", "replace"))
        for part in _CODE.sub(_meant, text).split("\0"):
            line = one_line(re.sub(r"(?i)\b(?:page|of|seite|von)\b(?=\s*(?:\x01|$))", "", part))
            line = one_line(line.replace("\x01", " "))
            if sum(character.isalpha() for character in line) >= _FEWEST_LETTERS:
                yield line


def _meant(match: re.Match[str]) -> str:
    """A part begins (\\0), a sign, or nothing; \\1 where a number, a date or a name is put in."""
    if match.group("both"):
        return "&"
    if match.group("part"):
        return "\0"
    return "\x01" if match.group()[1:].upper() in ("P", "N", "D", "T", "F", "A", "Z") else ""
