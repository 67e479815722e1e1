"""The shapes in which models write "this is from source 2", and what a bracket's inside means.

Known shapes: [1] [1,2] [1-3] [1][2] [[1]] [^1] [#1] [doc 1] [Source 1: handbook.pdf, p. 3] [1†L4-L9] 【1】
［１］ [来源1] (来源：1) (source 1) ([1], [2]) and, at the end of a sentence only, (1), （1）, ① and ¹.
"""

from __future__ import annotations

import re
import unicodedata

SQUARE = {"[": "]", "【": "】", "［": "］", "〔": "〕", "⟦": "⟧", "〖": "〗"}
ROUND = {"(": ")", "（": "）"}
OPENERS = SQUARE | ROUND
CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"
RAISED = "¹²³⁴⁵⁶⁷⁸⁹"
_SQUARE_CLOSERS = frozenset(SQUARE.values())
_ROUND_CLOSERS = frozenset(ROUND.values())

MAX_LENGTH = 160
"""No bracket is longer than this and still a marker: how much a stream may have to hold back."""

_SURE_LABELS = [
    *("document", "documents", "docs", "doc", "source", "sources", "src", "evidence", "passage", "passages"),
    *("excerpt", "excerpts", "chunk", "citation", "citations", "cite", "cites", "see"),
    *("来源", "文档", "资料", "证据", "片段", "出处", "引用", "参考资料", "参考文档", "参考来源", "参见"),
    *("见", "见资料", "见来源", "见文档", "根据来源", "根据资料"),
]
_SQUARE_LABELS = ["reference", "references", "refs", "ref", "s", "d", "参考", "参考文献", "文献"]
# Not among them: note, page, table, step; "[Note 5]" is a report's own way of speaking of its notes.

_SEPARATORS = r"\s*(?:[,，、;；&+/|]|and|und|or|和|及|与|\s)\s*"
_RANGE = r"\s*(?:-|–|—|~|～|‒|−|\.\.+|to|至|到)\s*"
_SUFFIX = r"\s*(?:[†:|@].*|,?\s*(?:p|pp|page|pages|s|l|line|lines|第)\s*\.?\s*\d.*)"


def _items(labels: list[str]) -> str:
    label = rf"(?:(?:{'|'.join(sorted(labels, key=len, reverse=True))})\s*[.:#№]?\s*)*"
    item = rf"(?:\^|#|№)?{label}(?:#|№|no\.?|number)?\s*\d{{1,9}}(?:{_RANGE}{label}\d{{1,9}})?"
    return rf"{item}(?:{_SEPARATORS}{item})*"


_INSIDE_SQUARE = re.compile(
    rf"\s*(?P<items>{_items(_SURE_LABELS + _SQUARE_LABELS)})(?P<suffix>{_SUFFIX})?\s*[.,;]?\s*"
)
_INSIDE_ROUND = re.compile(rf"\s*(?P<items>{_items(_SURE_LABELS)})(?P<suffix>{_SUFFIX})?\s*")
_SURE_LABEL = re.compile("|".join(_SURE_LABELS))
_BARE = re.compile(r"\s*\d{1,2}(?:\s*[,，、;；]\s*\d{1,2})*\s*")
_ONE = re.compile(rf"(\d+)(?:{_RANGE}[^\d]*?(\d+))?")
_WORD = re.compile(r"[^\W\d_]+")
_LABEL_WORDS = frozenset(
    [*_SURE_LABELS, *_SQUARE_LABELS, "and", "to", "or", "und", "no", "number", "和", "及", "与", "至", "到"]
)


def _plain(inside: str) -> str:
    return (
        unicodedata.normalize("NFKC", inside).lower().translate({ord(c): None for c in "[]【】〔〕⟦⟧〖〗*_`"})
    )


def numbers_inside(opener: str, inside: str, count: int) -> list[int] | None:
    """What the text between a bracket and its closer refers to, or None if it is no marker.

    Numbers outside 1 … count are left out, so an empty list is a marker that points nowhere. A round
    bracket with nothing but small numbers in it gives them too: where `is_bare`, the sentence around has
    to decide.
    """
    plain = _plain(inside)
    nested = any(char in SQUARE for char in inside)
    match = (_INSIDE_SQUARE if opener in SQUARE or nested else _INSIDE_ROUND).fullmatch(plain)
    if match is None:
        return None
    if opener in ROUND and not (nested or is_bare(opener, inside) or _SURE_LABEL.search(match["items"])):
        return None  # (2019)
    found: list[int] = []
    for first, last in _ONE.findall(match["items"]):
        low, high = sorted((int(first), int(last or first)))
        found.extend(n for n in range(max(low, 1), min(high, count) + 1) if n not in found)
    return found


def is_bare(opener: str, inside: str) -> bool:
    """Whether this is a round bracket around small numbers only: a marker, or a list's "(1)"."""
    return opener in ROUND and _BARE.fullmatch(unicodedata.normalize("NFKC", inside)) is not None


def find_closer(text: str, start: int) -> int | None:
    """Where the bracket opened at `start` closes; -1 if it is no marker, None if `text` ends too early.

    The answer for a text never changes when more text follows, so a stream decides as the whole would.
    """
    opener = text[start]
    closers = _SQUARE_CLOSERS if opener in SQUARE else _ROUND_CLOSERS
    depth = 0
    for place in range(start + 1, min(len(text), start + MAX_LENGTH)):
        char = text[place]
        if char in SQUARE:
            if depth:
                return -1  # "[[1]]" is a marker, deeper nests are none
            depth += 1
        elif depth and char in _SQUARE_CLOSERS:
            depth -= 1
        elif char in closers:
            return place if depth == 0 else -1
        elif _breaks(char, opener) or not could_become_marker(text[start + 1 : place + 1]):
            return -1
    return -1 if len(text) >= start + MAX_LENGTH else None


def _breaks(char: str, opener: str) -> bool:
    return char in "\r\n" or (char in ROUND and opener in ROUND)


def could_become_marker(inside: str) -> bool:
    """Whether more text could still make a marker of a bracket that begins like this."""
    plain = _plain(inside).lstrip(" ^#№")
    if re.search(r"\d\s*[†:|@]", plain):
        return True  # behind the number anything may stand: a file name, a page
    words = _WORD.findall(plain)
    if not words:
        return re.fullmatch(r"[\d\s,，、;；&+/\-–—~～.:#№^]*", plain) is not None
    known = all(_split_labels(word) for word in words[:-1])
    last = words[-1]
    return known and (_split_labels(last) or any(label.startswith(last) for label in _LABEL_WORDS))


def _split_labels(word: str) -> bool:
    return word in _LABEL_WORDS or word in {"p", "pp", "page", "pages", "line", "lines", "l", "第", "页"}
