"""Running headers and footers: lines that come back at the edge of page after page.

Only whole lines among the first or last of a page are candidates, a line counts as the same only if all its
words and figures are the same (or one figure counts the pages), and its first occurrence stays: what is
removed can still be read once. In short documents, where little can come back often, lines in the margin
need to come back only once at the same height. Not so in long ones: there it may be the title of a table or
a chapter that goes on, which says what the page is about. A page that consists of nothing else stays as it
is.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

EDGE = 4
"""Lines from either end of a page that may be furniture."""

_FEWEST_PAGES = 3
_SHARE = 0.3
SHORT = 6
"""Pages of a document in which it is enough to come back once at the same height."""

_MARGIN = 0.085
"""Share of a page's height at top and bottom where furniture stands (of A4: 25 mm)."""

_HEIGHT_STEPS = 200
"""Heights are the same within one of so many steps of a page, or the next."""

_NUMBER = re.compile(r"\d+")
_ROMAN = re.compile(r"\W*(x{0,3}(?:ix|iv|v?i{0,3}))\W*", re.IGNORECASE)
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10}

_Key = tuple[str, str]
"""Which edge, and the line with what may change from page to page taken out."""


def without_furniture(pages: Sequence[str], heights: Sequence[Mapping[str, float]] = ()) -> list[str]:
    """The pages without repeated edge lines.

    heights: for each page where its first and last lines stand, from 0 (bottom) to 1, by their text.
    Without them it takes three pages to see a repetition, with them two.
    """
    split = [page.split("\n") for page in pages]
    written = sum(bool(page) for page in pages)
    seen: dict[_Key, set[int]] = defaultdict(set)
    level: dict[tuple[_Key, int], set[int]] = defaultdict(set)
    for number, lines in enumerate(split):
        places = heights[number] if number < len(heights) else {}
        for edge, line in _edges(lines):
            step = _step(places.get(line))
            for key in _keys(line, number):
                seen[edge, key].add(number)
                if step is not None:
                    level[(edge, key), step].add(number)
    needed = max(_FEWEST_PAGES, _SHARE * written)
    first = {key: min(numbers) for key, numbers in seen.items() if len(numbers) >= needed}
    for (edge_key, step), numbers in list(level.items()) if len(pages) <= SHORT else ():
        together = numbers | level.get((edge_key, step + 1), set())
        if len(together) >= 2:
            first[edge_key] = min(first.get(edge_key, len(pages)), *together)
    return ["\n".join(_kept(lines, number, first)) for number, lines in enumerate(split)]


def _step(height: float | None) -> int | None:
    """A height in the margin as a number that is the same for the same place; None elsewhere."""
    if height is None or _MARGIN < height < 1 - _MARGIN:
        return None
    return round(height * _HEIGHT_STEPS)


def _kept(lines: list[str], number: int, repeated: Mapping[_Key, int]) -> list[str]:
    top, bottom = 0, len(lines)
    saved: list[str] = []
    for _ in range(EDGE):
        if top >= bottom or not (verdict := _verdict("top", lines[top], number, repeated)):
            break
        if verdict == "first":
            saved.append(lines[top])
        top += 1
    last: list[str] = []
    for _ in range(EDGE):
        if bottom <= top or not (verdict := _verdict("bottom", lines[bottom - 1], number, repeated)):
            break
        if verdict == "first":
            last.insert(0, lines[bottom - 1])
        bottom -= 1
    if not any(line.strip() for line in lines[top:bottom]):
        return lines
    return saved + lines[top:bottom] + last


def _verdict(edge: str, line: str, number: int, repeated: Mapping[_Key, int]) -> str:
    """ "" if the line is none; "first" where it first occurs and says something; else "again"."""
    if not line.strip():
        return "again"
    for key in _keys(line, number):
        first = repeated.get((edge, key))
        if first is not None:
            says_something = sum(character.isalpha() for character in line) >= 3
            return "first" if first == number and says_something else "again"
    return ""


def _edges(lines: list[str]) -> Iterator[tuple[str, str]]:
    shown = [line for line in lines if line.strip()]
    for line in shown[:EDGE]:
        yield "top", line
    for line in shown[-EDGE:]:
        yield "bottom", line


def _keys(line: str, number: int) -> Iterator[str]:
    """The line itself, and once for each figure in it with that figure as a distance from the page."""
    line = " ".join(line.split())
    yield line
    for match in list(_NUMBER.finditer(line))[:4]:
        if len(match.group()) <= 4:
            yield f"{line[: match.start()]}\0{int(match.group()) - number}\0{line[match.end() :]}"
    roman = _ROMAN.fullmatch(line)
    if roman and roman.group(1):
        yield f"\0roman\0{_value(roman.group(1).lower()) - number}"


def _value(roman: str) -> int:
    values = [_ROMAN_VALUES[letter] for letter in roman]
    following = [*values[1:], 0]
    return sum(-value if value < after else value for value, after in zip(values, following, strict=True))
