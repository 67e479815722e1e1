"""What the page shows before the first question."""

from __future__ import annotations

from collections.abc import Sequence

from ui.language import Texts
from ui.render.element import Html, button, element


def opening_html(texts: Texts, *, documents: int, examples: Sequence[str], changeable: bool = True) -> Html:
    """documents: live ones that the asker may read. examples: questions that those documents answer.
    changeable: whether documents are added through the page at all."""
    if not documents:
        return _empty(texts, changeable=changeable)
    offered = None
    if examples:
        buttons = (button(question, "example", data_question=question) for question in examples)
        offered = element(
            "div",
            element("p", texts("opening.try"), class_="try"),
            element("div", *buttons, class_="examples"),
        )
    return element(
        "div",
        element("h1", texts("opening.title")),
        element("p", texts("opening.lead", n=documents), class_="lead"),
        offered,
        class_="opening",
    )


def _empty(texts: Texts, *, changeable: bool) -> Html:
    if not changeable:
        return element(
            "div",
            element("h1", texts("opening.none.title")),
            element("p", texts("opening.none.lead"), class_="lead"),
            class_="opening",
        )
    upload = button(texts("opening.empty.go"), "link go-documents")
    command = element("code", "python -m ingest ./folder")
    return element(
        "div",
        element("h1", texts("opening.empty.title")),
        element("p", texts("opening.empty.lead"), class_="lead"),
        element(
            "ol",
            element("li", texts("opening.empty.upload"), " ", upload),
            element("li", texts("opening.empty.folder"), " ", command),
            class_="steps",
        ),
        class_="opening",
    )
