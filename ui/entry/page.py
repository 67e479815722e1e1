"""The sign-in page, and the page of those who may not come in: no script, nothing from elsewhere."""

from __future__ import annotations

from pathlib import Path

from ui.language import Texts
from ui.render.element import Html, element, joined
from ui.render.frame import logo_svg

_STATIC = Path(__file__).parent.parent / "static"


def sign_in_html(texts: Texts, *, name: str = "", said: str = "", conversation: str = "") -> Html:
    """name: as it was typed before. said: what was wrong with that. conversation: to be shown then."""
    wrong = element("p", said, class_="said", role="alert", id="said") if said else None
    described = {"aria_describedby": "said"} if said else {}
    form = element(
        "form",
        element("h1", texts("entry.title")),
        element("p", texts("entry.lead"), class_="lead"),
        wrong,
        element("label", texts("entry.name"), for_="name"),
        element(
            "input",
            id="name",
            name="name",
            type="text",
            value=name,
            required=True,
            autofocus=not name,
            autocomplete="username",
            autocapitalize="none",
            spellcheck="false",
            maxlength=200,
            **described,
        ),
        element("label", texts("entry.password"), for_="password"),
        element(
            "input",
            id="password",
            name="password",
            type="password",
            required=True,
            autofocus=bool(name),
            autocomplete="current-password",
            maxlength=256,
            **described,
        ),
        element("input", type="hidden", name="c", value=conversation) if conversation else None,
        element("button", texts("entry.enter"), type="submit"),
        element("p", texts("entry.help"), class_="help"),
        method="post",
        action="/sign-in",
    )
    return _page(texts, texts("entry.title"), form)


def refusal_html(texts: Texts, why: str) -> Html:
    """why: a key of the texts."""
    box = element(
        "div",
        element("h1", texts("entry.refused")),
        element("p", texts(why), class_="lead"),
        class_="box",
    )
    return _page(texts, texts("entry.refused"), box)


def arriving_html(target: str) -> Html:
    """Nothing to see: goes on to an address of ours at once."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", http_equiv="refresh", content=f"0; url={target}"),
        element("title", "Bonsai RAG"),
    )
    return joined(Html("<!doctype html>"), element("html", head, element("body")))


def _page(texts: Texts, title: str, inside: Html) -> Html:
    style = "".join((_STATIC / f"{name}.css").read_text(encoding="utf-8") for name in ("colours", "entry"))
    # The page itself gets its colours from a class that gradio sets; without gradio the browser is asked.
    dark = style.partition(".dark {")[2].partition("}")[0]
    style += f"@media (prefers-color-scheme: dark) {{ :root {{{dark}}} }}"
    logo = Html(logo_svg().replace("#2c6a4b", "currentColor").strip())
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", f"{title} · Bonsai RAG"),
        element("link", rel="icon", href="/favicon.ico", type="image/svg+xml"),
        element("style", Html(style)),
    )
    body = element(
        "body",
        element("main", element("div", logo, element("span", texts("product")), class_="brand"), inside),
    )
    lang = "zh-CN" if texts.language == "zh" else "en"
    return joined(Html("<!doctype html>"), element("html", head, body, lang=lang))
