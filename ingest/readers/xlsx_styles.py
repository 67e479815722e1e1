"""What an XLSX workbook keeps for all its sheets: shared texts and the number formats of its styles."""

from __future__ import annotations

import re
from typing import Any

from ingest.readers.docx_text import children, local
from ingest.readers.number_formats import BUILT_IN

_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")


def shared_texts(root: Any) -> list[str]:
    return [rich_text(item) for item in children(root, "si")]


def rich_text(element: Any) -> str:
    """The text of a string item; readings of East Asian words (rPh) are left out."""
    parts = []
    for child in element:
        name = local(child)
        if name == "t":
            parts.append(child.text or "")
        elif name == "r":
            parts.extend(text.text or "" for text in children(child, "t"))
    return unescaped("".join(parts))


def unescaped(text: str) -> str:
    """_x000D_ stands for a character that XML cannot hold."""
    return _ESCAPE.sub(lambda match: chr(int(match.group(1), 16)), text) if "_x" in text else text


def formats(root: Any) -> list[str | None]:
    """Format code of each cell style by its number; None for those without."""
    own: dict[int, str] = {}
    for group in children(root, "numFmts"):
        for element in children(group, "numFmt"):
            number = element.get("numFmtId", "")
            if number.isdigit():
                own[int(number)] = element.get("formatCode", "")
    found: list[str | None] = []
    for group in children(root, "cellXfs"):
        for style in children(group, "xf"):
            number = style.get("numFmtId", "0")
            found.append(_code(int(number), own) if number.isdigit() else None)
    return found


def _code(number: int, own: dict[int, str]) -> str | None:
    return own.get(number) or BUILT_IN.get(number)
