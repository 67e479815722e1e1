"""What the paragraph styles of a DOCX mean: outline level, list, title; inherited along basedOn."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ingest.readers.docx_text import children, numbering_of, value

_HEADING_NAME = re.compile(r"(?:heading|标题|見出し)\s*([1-9])", re.I)
_LONGEST_CHAIN = 12


@dataclass(frozen=True, slots=True)
class Style:
    """outline: heading level from 0. numbering: (list id, level). title: it is the document's title."""

    outline: int | None = None
    numbering: tuple[str, int] | None = None
    title: bool = False


class Styles:
    """Styles by id; unknown ids mean nothing special."""

    def __init__(self, root: Any) -> None:
        self._raw: dict[str, Any] = {}
        for style in children(root, "style"):
            for key, content in style.attrib.items():
                if key.rpartition("}")[2] == "styleId":
                    self._raw[content] = style
        self._known: dict[str, Style] = {"": Style()}

    def __getitem__(self, identity: str) -> Style:
        if identity not in self._known:
            self._known[identity] = self._resolved(identity)
        return self._known[identity]

    def _resolved(self, identity: str) -> Style:
        outline: int | None = None
        numbering: tuple[str, int] | None = None
        title = False
        wanted: str | None = identity
        for _ in range(_LONGEST_CHAIN):
            style = self._raw.get(wanted or "")
            if style is None:
                if wanted and outline is None:
                    outline = _level_in_name(wanted)
                break
            name = value(style, "name") or ""
            title = title or (name.lower() == "title" and wanted == identity)
            properties = next(children(style, "pPr"), None)
            level = value(properties, "outlineLvl")
            if outline is None:
                outline = _level_in_name(name)
                if outline is None and level is not None and level.isdigit() and int(level) < 9:
                    outline = int(level)
            if numbering is None:
                numbering = numbering_of(properties)
            wanted = value(style, "basedOn")
        return Style(outline, numbering, title)


def _level_in_name(name: str) -> int | None:
    match = _HEADING_NAME.fullmatch(name.strip())
    return int(match.group(1)) - 1 if match else None
