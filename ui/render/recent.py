"""The conversations of the reader, in the rail."""

from __future__ import annotations

from collections.abc import Sequence

from ui.language import Texts
from ui.render.element import Html, button, element


def recent_html(conversations: Sequence[tuple[str, str]], texts: Texts) -> Html:
    """conversations: (id, title), the newest first."""
    rename, forget = texts("rail.rename"), texts("rail.delete")
    rows = [
        element(
            "li",
            button(title, "open", title=title),
            button("✎", "rename", data_title=title, title=rename, aria_label=rename),
            button("×", "forget", data_title=title, title=forget, aria_label=forget),
            data_id=number,
        )
        for number, title in conversations
    ]
    inside = element("ul", *rows) if rows else element("p", texts("rail.recent.none"), class_="none")
    return element(
        "details", element("summary", element("h2", texts("rail.recent"))), inside, class_="recent"
    )
