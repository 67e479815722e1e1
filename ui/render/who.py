"""Whose page it is, in the header."""

from __future__ import annotations

from ui.language import Texts
from ui.render.element import Html, button, element, joined


def who_html(name: str | None, texts: Texts, *, leaves: bool) -> Html:
    """Nothing where names are not known. leaves: they signed in here, and so can sign out here."""
    if not name:
        return Html("")
    said = texts("entry.signed_in", name=name)
    return joined(
        element("bdi", name, class_="name", title=said),
        # A narrow window shows the button alone.
        button(texts("entry.sign_out"), "link sign-out", title=said) if leaves else None,
    )
