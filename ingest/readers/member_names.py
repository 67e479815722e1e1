"""Names for the members of a container: usable as a path, and no two alike."""

from __future__ import annotations

import re

_NOT_IN_A_NAME = re.compile(r"[\x00-\x1f\x7f]+")
_LONGEST = 200


class MemberNames:
    """Gives each member a name that no other has, in the order in which they come."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._numbers: dict[str, int] = {}

    def unique(self, name: str) -> str:
        """`name` without what cannot stand in a path; with a number before its ending if it is taken."""
        clean = clean_path(name) or "unnamed"
        stem, dot, ending = clean.rpartition(".")
        if not dot or "/" in ending or not stem:
            stem, dot, ending = clean, "", ""
        candidate = clean
        number = self._numbers.get(clean, 1)
        while candidate in self._taken:
            number += 1
            candidate = f"{stem} ({number}){dot}{ending}"
        self._numbers[clean] = number
        self._taken.add(candidate)
        return candidate


def clean_path(name: str) -> str:
    """Parts joined by "/", none of them empty, "." or ".."; back slashes count as "/"."""
    parts = []
    for part in name.replace("\\", "/").split("/"):
        part = _NOT_IN_A_NAME.sub(" ", part).strip()
        if part not in ("", ".", ".."):
            parts.append(part if len(part) <= _LONGEST else _shortened(part))
    return "/".join(parts)


def clean_name(name: str) -> str:
    """One part of a path: slashes become dashes."""
    return clean_path(re.sub(r"\s*[/\\]+\s*", "-", name))


def file_name(name: str) -> str:
    """The name that a sender gave to a file: of a path only the last part, other slashes become dashes."""
    if re.match(r"(?:[A-Za-z]:|\.*[/\\]|file:)", name):
        return clean_path(name).rpartition("/")[2]
    return clean_name(name)


def _shortened(part: str) -> str:
    stem, dot, ending = part.rpartition(".")
    if dot and len(ending) <= 10:
        return f"{stem[: _LONGEST - len(ending) - 2]}….{ending}"
    return part[: _LONGEST - 1] + "…"
