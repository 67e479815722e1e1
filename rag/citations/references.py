"""A document's own bracketed references ("as shown in [12]"), which must not be taken for our markers."""

from __future__ import annotations

import re

_REFERENCE = re.compile(r"(?<![A-Za-z0-9_\])])\[\d{1,3}(?:\s*[,，;–-]\s*\d{1,3})*\]")
"""Not directly behind a letter or a bracket: `rows[0]` is code."""


def blanked(text: str) -> str:
    """`text` with every such reference as blanks; all offsets stay."""
    return _REFERENCE.sub(lambda match: " " * len(match.group()), text)


def dropped(text: str) -> str:
    """`text` without such references and the blank before them, as a prompt or a shown quotation has it."""
    return re.sub(rf"[ \t]?{_REFERENCE.pattern}", "", text)
