"""HTML that is escaped by construction: text becomes markup only through `element`.

>>> element("p", "1 < 2 ", element("b", "so"), class_="note", data_n=3)
'<p class="note" data-n="3">1 &lt; 2 <b>so</b></p>'
"""

from __future__ import annotations

import html
import re
from pathlib import PurePosixPath

# Controls that a browser shows as nothing or that reorder the line around them ("invoice‮fdp.exe").
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_EMPTY = frozenset({"input", "hr", "br", "wbr", "meta", "link"})


class Html(str):
    """Text that is markup already. Only `element`, `joined` and constants of this package make it."""

    __slots__ = ()


Child = str | Html | None
Value = str | int | bool | None


def element(tag: str, *children: Child, **attributes: Value) -> Html:
    """Children that are not Html are escaped, None is left out.

    An attribute's name ends in "_" where Python wants it (class_) and has "_" for "-" (data_n). True gives
    the bare attribute, False and None none at all.
    """
    written = []
    for name, value in attributes.items():
        name = name.rstrip("_").replace("_", "-")
        if value is True:
            written.append(f" {name}")
        elif value is not None and value is not False:
            written.append(f' {name}="{escaped(value)}"')
    if tag in _EMPTY:
        return Html(f"<{tag}{''.join(written)}>")
    return Html(f"<{tag}{''.join(written)}>{joined(*children)}</{tag}>")


def button(label: Child, class_: str, **attributes: Value) -> Html:
    return element("button", label, type="button", class_=class_, **attributes)


def joined(*children: Child) -> Html:
    return Html(
        "".join(
            child if isinstance(child, Html) else escaped(child) for child in children if child is not None
        )
    )


def escaped(text: object) -> Html:
    """Safe as the content of an element and inside a quoted attribute; invisible controls become U+FFFD."""
    return Html(html.escape(_CONTROLS.sub("\ufffd", str(text)), quote=True))


def path_html(path: str) -> Html:
    """A path as shown everywhere: the folder quiet, the file's name in full, broken where it may break."""
    pure = PurePosixPath(path)
    folder = None
    if str(pure.parent) not in (".", "/"):
        folder = element("span", breakable(f"{pure.parent}/"), class_="folder")
    return element("bdi", folder, element("span", breakable(pure.name), class_="file"), class_="path")


def breakable(text: str) -> Html:
    """With places to break a line after the separators that names have."""
    return Html(re.sub(r"([/_\-.])(?=\w)", r"\1<wbr>", escaped(text)))
