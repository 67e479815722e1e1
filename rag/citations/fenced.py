"""Blocks between fences (``` or ~~~) in an answer: code, or sentences that a model has put into a block.

Code is passed on as it stands: `rows[9]` and `[1, 2]` are no markers there. Sentences in a block state things
like any others: their markers are read and their words are checked, so they are taken out of it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

HELD = 4000
"""Characters of a block that are waited for before it is shown; a longer one is taken for code."""

_BLOCK = re.compile(
    r"(?P<opening>(?P<sign>```|~~~)[`~]*[ \t]*(?P<kind>[^\s`]*)[^\n]*(?:\n|\Z))"
    r"(?P<inside>.*?)"
    r"(?P<closing>^[ \t]*(?P=sign)[`~]*(?:[ \t]*(?:\n|\Z)|[ \t]+(?=\S))|\Z)",
    re.DOTALL | re.MULTILINE,
)
MAY_OPEN = re.compile(r"(?:```|~~~)[`~]*[ \t]*\w{0,20}[ \t]*")
"""The end of a line of text that opens a block."""
CLOSING_WITH_TEXT = {
    sign: re.compile(rf"[ \t]*(?P<fence>{sign}[`~]*)[ \t]+(?=\S)") for sign in ("```", "~~~")
}
"""A closing fence that a model goes on behind, by its sign."""
_PLAIN = frozenset(("", "text", "txt", "plain", "plaintext", "markdown", "md", "quote", "answer"))
_TRAILING = re.compile(r"(?:\s*+[\[【［〔(（]++[^\[【［〔(（\]】］〕)）\n]{0,30}+[\]】］〕)）]*+)++\s*+\Z")
"""Brackets at the end of a line, where markers of any shape stand. Possessive: no line makes it go back."""
_SENTENCE = re.compile(r"[.。!！?？:：;；…\"”’]\s*$")
_CODE = re.compile(r"[{}$=<>\\`]|\w\(|^\s*(?:#!|//|--|\.{0,2}/|>>>)|^\s*\[?\d{2,4}[-:/]\d")
"""Signs of code, of a command and of a line of a log."""
_FENCE_LINE = re.compile(r"\s*(?:```|~~~)[`~]*[ \t]*\w*\s*$")
_WORDS = re.compile(r"[^\W\d_]{2,}")
_HAN = re.compile(r"[\u3400-\u9fff]")


class Block(NamedTuple):
    """length: characters of the whole block. opening: of its first line. sentences: what is inside if it is
    no code."""

    length: int
    opening: int
    sentences: str | None


def block_at(text: str, *, final: bool) -> Block | None:
    """The block that `text` begins with; None while more of it has to come (never if `final`)."""
    found = _BLOCK.match(text)
    if found is None:
        return None
    ended = found["closing"] != "" and (found["closing"].endswith("\n") or found.end() < len(text))
    if len(text) > HELD and (not ended or found.end() > HELD):
        return Block(found.end(), found.end("opening"), None)
    if not ended and not final:
        return None
    inside = found["inside"]
    prose = found["kind"].lower() in _PLAIN and is_prose(inside)
    return Block(found.end(), found.end("opening"), inside if prose else None)


def is_prose(text: str) -> bool:
    """Whether every line reads as a sentence. Fences inside are passed over: their turn comes later.

    >>> is_prose("Leave is 25 days a year [1].")
    True
    >>> is_prose("make run GPU=1")
    False
    """
    lines = [line for line in text.splitlines() if line.strip() and not _FENCE_LINE.match(line)]
    return bool(lines) and all(map(_is_sentence, lines))


def _is_sentence(line: str) -> bool:
    plain = _TRAILING.sub("", line)
    marked = plain != line
    if _CODE.search(plain) or not (marked or _SENTENCE.search(plain)):
        return False
    words = len(_WORDS.findall(plain))
    return len(_HAN.findall(plain)) >= 4 or words >= 3 or (words == 2 and not marked)
