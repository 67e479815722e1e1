"""What a browser shows of forms and of other elements that seldom say anything: fields that are filled in,
options that are chosen, the headings of folded parts, and parts of a page that belong to elements of its own.

Hidden fields, passwords, buttons and options that nobody chose are left as they are: no text.
"""

from __future__ import annotations

from typing import Any

from ingest.readers.html_tags import HEADINGS

_WRITTEN = frozenset(
    """text email tel url number date time datetime datetime-local month week""".split()  # noqa: SIM905
)
"""Types of fields whose value is words. A field for a search shows what to search for, not what is said."""
_TICKED = frozenset({"checkbox", "radio"})
_CHECKED, _UNCHECKED = "☑", "☐"


def show_fields(root: Any) -> None:
    """Gives these elements, in place, the names of others that hold the same text."""
    ticked = any(_type(field) in _TICKED and field.get("checked") is not None for field in root.iter("input"))
    for element in list(root.iter("input", "textarea", "select", "button", "template")):
        tag = element.tag
        if tag == "input":
            _show_input(element, ticked=ticked)
        elif tag == "textarea":
            element.tag = "pre"
        elif tag == "select":
            _show_chosen(element)
        elif tag == "button":
            if any(above.tag in HEADINGS or above.tag == "summary" for above in element.iterancestors()):
                element.tag = "span"
        elif element.get("shadowrootmode"):
            element.tag = "div"


def _type(field: Any) -> str:
    return str(field.get("type") or "text").strip().lower()


def _show_input(field: Any, *, ticked: bool) -> None:
    kind = _type(field)
    if kind in _TICKED and ticked:
        _say(field, _UNCHECKED if field.get("checked") is None else _CHECKED)
    elif kind in _WRITTEN and field.get("role") != "searchbox":
        _say(field, field.get("value") or "")


def _say(field: Any, text: str) -> None:
    if text.strip():
        field.tag = "span"
        field.text = f" {text} "


def _show_chosen(select: Any) -> None:
    chosen = [option for option in select.iter("option") if option.get("selected") is not None]
    text = ", ".join(filter(None, (" ".join("".join(option.itertext()).split()) for option in chosen)))
    if not text:
        return
    for child in list(select):
        select.remove(child)
    _say(select, text)
