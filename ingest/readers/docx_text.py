"""One paragraph of WordprocessingML → its text as printed, and what hangs on it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ingest.readers.symbols import mark_of_raised, of_font, readable

_CONTAINERS = frozenset(
    {"sdt", "sdtContent", "ins", "moveTo", "smartTag", "customXml", "hyperlink", "fldSimple", "dir", "bdo",
     "body", "sect", "sub-section", "r", "oMath", "oMathPara", "ruby", "rubyBase", "txbxContent"}
)  # fmt: skip
_LEFT_OUT = frozenset({"del", "moveFrom", "delText", "instrText", "rt", "pPr", "rPr", "Fallback"})
_EQUATION_PARTS = frozenset({"sup", "sub", "num", "den", "d", "rad", "deg", "nary"})
_EQUATION_MARKS = {"sup": "^", "sub": "_", "den": "/"}
_SIMPLE = re.compile(r"\S|[\w.]+")


@dataclass(slots=True)
class Paragraph:
    """text: with "\\n" for line breaks. style: its id. outline: level from 0 if set on the paragraph.

    numbering: (list id, level) if set on the paragraph. boxes: text boxes anchored in it.
    notes: (kind, id) of the notes it refers to, in order.
    """

    text: str = ""
    style: str = ""
    outline: int | None = None
    numbering: tuple[str, int] | None = None
    boxes: list[Any] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)


def local(element: Any) -> str:
    """The tag without its namespace, so that strict and transitional documents read alike."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def is_container(name: str) -> bool:
    """Whether an element only wraps content of the same sort as its parent's."""
    return name in _CONTAINERS


def children(element: Any, name: str) -> Iterator[Any]:
    if element is not None:
        for child in element:
            if local(child) == name:
                yield child


def value(element: Any, name: str) -> str | None:
    """The `val` of the first child called `name`."""
    for child in children(element, name):
        for key, content in child.attrib.items():
            if key.rpartition("}")[2] == "val":
                return str(content)
    return None


def paragraph_of(element: Any) -> Paragraph:
    paragraph = Paragraph()
    for properties in children(element, "pPr"):
        paragraph.style = value(properties, "pStyle") or ""
        outline = value(properties, "outlineLvl")
        if outline is not None and outline.isdigit() and int(outline) < 9:
            paragraph.outline = int(outline)
        paragraph.numbering = numbering_of(properties)
    parts: list[str] = []
    _collect(element, parts, paragraph)
    paragraph.text = readable("".join(parts))
    return paragraph


def numbering_of(properties: Any) -> tuple[str, int] | None:
    """(list id, level) of a paragraph's or style's properties; level 0 where none is given."""
    for numbering in children(properties, "numPr"):
        identity = value(numbering, "numId")
        level = value(numbering, "ilvl") or "0"
        if identity is not None:
            return identity, int(level) if level.isdigit() else 0
    return None


def _collect(element: Any, parts: list[str], paragraph: Paragraph) -> None:
    for child in element:
        name = local(child)
        if name in ("t", "delText"):
            if name == "t":
                parts.append(child.text or "")
        elif name == "r":
            if not _hidden(child):
                run: list[str] = []
                _collect(child, run, paragraph)
                if _is_raised(child):
                    parts.append(mark_of_raised("".join(parts[-2:]), "".join(run)))
                parts.extend(run)
        elif name in ("tab", "ptab"):
            parts.append(" ")
        elif name in ("br", "cr"):
            parts.append("\n")
        elif name == "noBreakHyphen":
            parts.append("-")
        elif name == "sym":
            parts.append(_symbol(child))
        elif name == "ffData":
            parts.append(_form_field(child))
        elif name in ("footnoteReference", "endnoteReference"):
            number = next((content for key, content in child.attrib.items() if key.endswith("}id")), "")
            paragraph.notes.append((name.removesuffix("Reference") + "s", number))
        elif name == "txbxContent":
            paragraph.boxes.append(child)
        elif name in _EQUATION_PARTS:
            inner: list[str] = []
            _collect(child, inner, paragraph)
            parts.append(_equation_part(child, name, "".join(inner)))
        elif name not in _LEFT_OUT:
            _collect(child, parts, paragraph)


def _equation_part(element: Any, name: str, text: str) -> str:
    """A part of an equation on the line: fractions with a stroke, what is above and below behind ^ and _."""
    if name == "d":
        begin, end = _character(element, "dPr", "begChr", "("), _character(element, "dPr", "endChr", ")")
        return f"{begin}{text}{end}"
    if name == "nary":
        return _character(element, "naryPr", "chr", "∫") + text
    if not text.strip():
        return ""
    if name == "deg":
        return f"[{text}]"
    grouped = text if _SIMPLE.fullmatch(text.strip()) else f"({text})"
    return f"√{grouped}" if name == "rad" else _EQUATION_MARKS.get(name, "") + grouped


def _character(element: Any, properties: str, name: str, usual: str) -> str:
    """A property of an equation: `usual` where it is not given, "" where it is given as nothing."""
    for group in children(element, properties):
        for _ in children(group, name):
            return value(group, name) or ""
    return usual


def _hidden(run: Any) -> bool:
    for properties in children(run, "rPr"):
        for vanish in children(properties, "vanish"):
            return not any(content in ("0", "false", "off") for content in vanish.attrib.values())
    return False


def _is_raised(run: Any) -> bool:
    return any(value(properties, "vertAlign") == "superscript" for properties in children(run, "rPr"))


def _symbol(element: Any) -> str:
    """A character by its number in a font."""
    given = {key.rpartition("}")[2]: content for key, content in element.attrib.items()}
    try:
        return of_font(int(given.get("char", ""), 16), given.get("font", ""))
    except ValueError:
        return ""


def _form_field(element: Any) -> str:
    """What an old form field shows that keeps it beside the text: a tick, or the chosen entry of a list."""
    for box in children(element, "checkBox"):
        state = value(box, "checked")
        ticked = any(True for _ in children(box, "checked"))
        default = value(box, "default") or "0"
        return "☒" if (ticked and state in (None, "1", "true")) or (not ticked and default == "1") else "☐"
    for choice in children(element, "ddList"):
        entries = [content for entry in children(choice, "listEntry")
                   for key, content in entry.attrib.items() if key.rpartition("}")[2] == "val"]  # fmt: skip
        chosen = value(choice, "result") or value(choice, "default") or "0"
        return entries[int(chosen)] if chosen.isdigit() and int(chosen) < len(entries) else ""
    return ""
