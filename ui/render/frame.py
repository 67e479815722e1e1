"""The parts of the page that never change: written in both languages, the browser's is shown."""

from __future__ import annotations

import json
from pathlib import Path

from rag.answering import MODES
from ui.language import LANGUAGES, catalog
from ui.render.element import Html, button, element, joined

_STATIC = Path(__file__).parent.parent / "static"
_FOR_SCRIPT = ("nav.label", "dialog.", "viewer.", "upload.", "engine.unreachable", "job.failed")


def both(key: str, **fields: object) -> Html:
    """The text of a key in every language; the style sheet hides all but the browser's own."""
    return joined(
        *(
            element("span", catalog(language)[key].format_map(fields), data_lang=language)
            for language in LANGUAGES
        )
    )


def top_html() -> Html:
    logo = Html(logo_svg().replace("#2c6a4b", "currentColor").strip())
    tabs = [
        element(
            "button",
            both(f"nav.{view}"),
            type="button",
            role="tab",
            data_view=view,
            aria_selected="true" if view == "ask" else "false",
        )
        for view in ("ask", "documents", "evaluation", "system")
    ]
    return element(
        "div",
        element("div", logo, element("span", both("product")), class_="brand"),
        element("nav", *tabs, role="tablist"),
        element("div", class_="status", id="status"),
        element("div", class_="who", id="who"),
        class_="bar",
    )


def title_html() -> Html:
    return element(
        "div", element("h1", both("documents.title")), element("p", both("documents.lead")), class_="title"
    )


def hint_html() -> Html:
    """What the chosen mode does (the style sheet shows that one alone), and the keys."""
    modes = (element("span", both(f"mode.hint.{mode}"), data_mode=mode) for mode in MODES)
    return element(
        "p", element("span", *modes, class_="modes"), element("span", both("composer.hint"), class_="keys"),
        class_="hint",
    )  # fmt: skip


def uploader_html(mib: int) -> Html:
    choose = button(both("upload.choose"), "link choose-files")
    drop = element(
        "div",
        element(
            "div",
            element("p", both("upload.drop"), " ", choose, class_="main"),
            element("p", both("upload.kinds", mib=mib), class_="kinds"),
        ),
        element("label", both("upload.into"), element("select", id="target"), id="into", hidden=True),
        element("input", id="files-input", type="file", multiple=True, hidden=True),
        class_="drop",
    )
    sending = element("section", element("ul"), class_="jobs sending", id="sending", hidden=True)
    return joined(drop, sending, element("div", id="jobs"))


_SHEETS = (
    "colours", "frame", "columns", "rail", "conversation", "composer", "evidence", "documents", "dialogs",
    "narrower", "dates", "evaluation", "system",
)  # fmt: skip
"""In the order in which they stand in the page: of two rules alike the later one counts."""


def head_html() -> Html:
    """For the document's head: style, script and its texts, the icon; nothing is fetched from elsewhere.

    The style sheet stands here because gradio rewrites the selectors of the one that it is given.
    """
    names = ("dialogs.js", "uploads.js", "page.js", "dates.js", "evaluation.js")
    scripts = [(_STATIC / name).read_text(encoding="utf-8") for name in names]
    style = "".join((_STATIC / f"{name}.css").read_text(encoding="utf-8") for name in _SHEETS)
    words = {
        language: {key: text for key, text in catalog(language).items() if key.startswith(_FOR_SCRIPT)}
        for language in LANGUAGES
    }
    # "</" would end the element early.
    data = json.dumps(words, ensure_ascii=False).replace("</", "<\\/")
    return joined(
        element("meta", name="color-scheme", content="light dark"),
        element("link", rel="icon", href="favicon.ico", type="image/svg+xml"),
        element("style", Html(style)),
        element("script", Html(data), type="application/json", id="bonsai-texts"),
        *(element("script", Html(script)) for script in scripts),
    )


def logo_svg() -> str:
    return (_STATIC / "bonsai.svg").read_text(encoding="utf-8")
