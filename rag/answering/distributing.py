"""One question about several things → a question about each.

"A、B 分别 …", "the A, the B and the C of X", "… in A, B and C". What may be one thing stays one.
"""

from __future__ import annotations

import re

_EACH_ZH = re.compile(
    r"^(?P<items>[^，,?？]+?)(?P<each>(?:的)?(?:分别|各自|各)(?=[是为有要需在由能可多应]|多少|几|如何|怎))(?P<rest>.+)$"
)
_AND_ZH = re.compile(r"[、]|(?<=[\w）)])\s*(?:以及|和|与|及|跟)\s*")
_YEAR_AT_END = re.compile(r"(?P<of>.*[^\d的])(?:19|20)\d\d年?度?$")
_YEAR_AT_START = re.compile(r"(?:19|20)\d\d年?度?(?!\d)")
_LIST_EN = re.compile(
    r"^(?P<ask>(?:(?:what|which)\s+(?:is|are|was|were)|list|name|give(?:\s+me)?|state|tell\s+me|show(?:\s+me)?)"
    r"\s+)(?P<items>[^?.]+?)(?P<tail>\s+(?:of|for|in|at|on|under|to|from|per)\s+[^?.]+)?[?.]*$",
    re.IGNORECASE,
)
_PLACED_EN = re.compile(
    r"^(?P<lead>(?:how|what|which|when|who|list|name|give|state)\b[^?,]*?)\s+(?P<by>in|for|at|of)\s+"
    r"(?P<items>(?-i:[A-Z])[^?]*?)[?.]*$",
    re.IGNORECASE,
)
_AND_EN = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+", re.IGNORECASE)


def distributed_zh(piece: str) -> list[str]:
    """ "A、B 和 C 的 X 分别是多少" → one question for each."""
    match = _EACH_ZH.match(piece)
    if match is None:
        return [piece]
    items = [item.strip() for item in _AND_ZH.split(match["items"]) if item and item.strip()]
    if len(items) < 2:
        return [piece]
    if any("的" in item for item in items[1:-1]) and not any("的" in item for item in (items[0], items[-1])):
        return [piece]  # "A 和 B 的 X 和 Y": two of each, and not three things
    items = _of_the_same(items)
    head, _, _ = items[0].rpartition("的")
    _, _, tail = items[-1].rpartition("的")
    if head and "的" not in items[-1]:
        items = [item if "的" in item else f"{head}的{item}" for item in items]
    elif tail and tail != items[-1] and "的" not in items[0]:
        items = [item if "的" in item else f"{item}的{tail}" for item in items]
    rest = match["rest"].strip()
    possessive = "的" if match["each"].startswith("的") else ""
    return [f"{item}{possessive}{rest}" for item in items]


def _of_the_same(items: list[str]) -> list[str]:
    """What stands before the first of several years belongs to all of them ("甲公司2021年和2022年")."""
    first = _YEAR_AT_END.match(items[0])
    if first is None or not all(_YEAR_AT_START.match(item) for item in items[1:]):
        return items
    return [items[0], *(first["of"] + item for item in items[1:])]


def distributed_en(piece: str) -> list[str]:
    """ "What are the A, the B and the C of X?" → one question for each."""
    placed = _placed_en(piece)
    if placed:
        return placed
    match = _LIST_EN.match(piece)
    if match is None:
        return [piece]
    items = [item.strip() for item in _AND_EN.split(match["items"]) if item.strip()]
    named = sum(item.lower().startswith(("the ", "its ", "their ")) for item in items)
    # "terms and conditions" is one thing: two items count only if each is named on its own.
    if len(items) < 2 or (len(items) == 2 and named < 2) or any(len(item.split()) > 6 for item in items):
        return [piece]
    ask = re.sub(r"(?i)\bare\b", "is", re.sub(r"(?i)\bwere\b", "was", match["ask"]))
    tail = match["tail"] or ""
    first = items[0].split()[0].lower()
    article = f"{first} " if first in ("the", "its", "their") else ""
    items = [
        item if item.lower().startswith(("the ", "its ", "their ", "a ")) else article + item
        for item in items
    ]
    return [f"{ask}{item}{tail}" for item in items]


def _placed_en(piece: str) -> list[str]:
    """ "What is the limit in A, B and C?", "How long is it in A and in B?" → one question for each name."""
    match = _PLACED_EN.match(piece)
    if match is None:
        return []
    by = match["by"]
    items = [item.strip() for item in _AND_EN.split(match["items"]) if item.strip()]
    bare = [re.sub(rf"^{by}\s+", "", item) for item in items]
    # Two names may be one thing ("Johnson and Johnson"), unless each is introduced on its own.
    several = len(items) > 2 or (len(items) == 2 and bare[1] != items[1])
    if not several or not all(item[0].isupper() and len(item.split()) <= 3 for item in bare):
        return []
    return [f"{match['lead']} {by} {item}" for item in bare]
