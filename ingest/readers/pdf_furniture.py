"""Running headers and footers: lines that come back at the edge of page after page.

Only whole lines at the very top or bottom are candidates, a line counts as the same only if all its
words and figures are the same (or one figure counts the pages), and its first occurrence stays: what is
removed can still be read once. A page that consists of nothing else stays as it is.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

_DEEPEST = 4
"""Lines from the edge that may be furniture."""

_FEWEST_PAGES = 3
_SHARE = 0.3
_NUMBER = re.compile(r"\d+")


def without_furniture(pages: Sequence[str]) -> list[str]:
    """The pages without repeated edge lines. Needs at least three pages to see a repetition."""
    if len(pages) < _FEWEST_PAGES:
        return list(pages)
    split = [page.split("\n") for page in pages]
    needed = max(_FEWEST_PAGES, _SHARE * sum(bool(page) for page in pages))
    seen: dict[tuple[str, str], set[int]] = defaultdict(set)
    for number, lines in enumerate(split):
        for edge, line in _edges(lines):
            for key in _keys(line, number):
                seen[edge, key].add(number)
    repeated = {where: min(numbers) for where, numbers in seen.items() if len(numbers) >= needed}
    return ["\n".join(_kept(lines, number, repeated)) for number, lines in enumerate(split)]


def _kept(lines: list[str], number: int, repeated: dict[tuple[str, str], int]) -> list[str]:
    top, bottom = 0, len(lines)
    saved: list[str] = []
    for _ in range(_DEEPEST):
        if top >= bottom or not (verdict := _verdict("top", lines[top], number, repeated)):
            break
        if verdict == "first":
            saved.append(lines[top])
        top += 1
    last: list[str] = []
    for _ in range(_DEEPEST):
        if bottom <= top or not (verdict := _verdict("bottom", lines[bottom - 1], number, repeated)):
            break
        if verdict == "first":
            last.insert(0, lines[bottom - 1])
        bottom -= 1
    if not any(line.strip() for line in lines[top:bottom]):
        return lines
    return saved + lines[top:bottom] + last


def _verdict(edge: str, line: str, number: int, repeated: dict[tuple[str, str], int]) -> str:
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
    for line in shown[:_DEEPEST]:
        yield "top", line
    for line in shown[-_DEEPEST:]:
        yield "bottom", line


def _keys(line: str, number: int) -> Iterator[str]:
    """The line itself, and once for each figure in it with that figure as a distance from the page."""
    line = " ".join(line.split())
    yield line
    for match in list(_NUMBER.finditer(line))[:4]:
        if len(match.group()) <= 4:
            yield f"{line[: match.start()]}\0{int(match.group()) - number}\0{line[match.end() :]}"
