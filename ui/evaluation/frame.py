"""The parts of the tab that never change, in both languages; the script fills the rest."""

from __future__ import annotations

from ui.render.element import Html, element
from ui.render.frame import both


def tab_html() -> Html:
    return element(
        "div",
        element("h1", both("evaluation.title")),
        element("p", both("evaluation.lead")),
        element("p", class_="evaluation-said", hidden=True, role="alert"),
        element("div", class_="evaluation-panel"),
        element("div", class_="evaluation-runs"),
        class_="title",
    )
