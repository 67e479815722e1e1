"""Formulas in MathML as a line of text: what is above and below behind ^ and _, fractions with a stroke."""

from __future__ import annotations

from typing import Any

from ingest.readers.docx_text import local

_OPERATIONS = {"msup": "^", "msub": "_", "mover": "^", "munder": "_", "mfrac": "/"}


def linear(element: Any) -> str:
    """A formula in MathML on one line."""
    name = local(element)
    if name in ("annotation", "annotation-xml"):
        return ""
    inner = [linear(child) for child in element if isinstance(child.tag, str)]
    if name in _OPERATIONS and len(inner) == 2:
        return _OPERATIONS[name].join(_grouped(part) for part in inner)
    if name in ("munderover", "msubsup") and len(inner) == 3:
        return f"{inner[0]}_{_grouped(inner[1])}^{_grouped(inner[2])}"
    if name == "msqrt":
        return f"√{_grouped(''.join(inner))}"
    return "".join([(element.text or "").strip(), *inner])


def _grouped(text: str) -> str:
    return text if len(text) < 2 or text.isalnum() else f"({text})"
