"""RTF as tokens: control words, control symbols, bytes of text, and the braces around groups."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])"
    rb"|([{}])|[\r\n\x00]+|([^\\{}\r\n\x00]+)",
    re.S,
)


@dataclass(frozen=True, slots=True)
class Word:
    """A control word; value: its number, None without one."""

    name: str
    value: int | None


Token = Word | bytes | str
"""Word; bytes of text in the current font's encoding; "{", "}" or the character of a control symbol."""


def tokens(data: bytes) -> Iterator[Token]:
    place = 0
    while place < len(data):
        match = _TOKEN.match(data, place)
        if match is None:
            place += 1
            continue
        place = match.end()
        name, value, code, symbol, brace, text = match.groups()
        if name:
            word = Word(name.decode("ascii"), int(value) if value else None)
            if word.name == "bin" and word.value and word.value > 0:
                place += word.value
            yield word
        elif code:
            yield bytes([int(code, 16)])
        elif text:
            yield text
        elif brace:
            yield brace.decode("ascii")
        elif symbol:
            yield symbol.decode("latin-1")
