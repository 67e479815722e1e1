"""A place of a document is shown with what stands around it, and with nothing that a browser would obey."""

from __future__ import annotations

import html as html_module
import re

from hypothesis import given
from hypothesis import strategies as st

from rag.records import Document, Page
from ui.language import texts
from ui.render.place import place_html

EN = texts("en")
DOCUMENT = Document("a" * 64, "pptx", (Page(1, "First <b>slide</b>."), Page(2, "Second slide: 418 euros.")))


def plain(html: str) -> str:
    return html_module.unescape(re.sub(r"<[^>]+>", "", html))


def test_the_place_is_marked_under_its_page() -> None:
    start = DOCUMENT.text.index("418")
    html = place_html(DOCUMENT, [(start, start + 9)], EN)
    assert '<mark class="quoted">418 euros</mark>' in html
    assert html.index("Slide 2") < html.index("<mark")
    assert "First &lt;b&gt;slide" in html


def test_only_what_is_near_is_shown() -> None:
    lines = "\n".join(f"Line number {number} of a long file." for number in range(2000))
    start = lines.index("Line number 1000")
    html = place_html(Document("a" * 64, "text", (Page(None, lines),)), [(start, start + 16)], EN)
    said = plain(html)
    assert said.startswith("… Line number ")
    assert said.endswith("of a long file. …")
    assert len(said) < 4000
    assert "<h3" not in html


@given(st.lists(st.tuples(st.integers(0, 400), st.integers(0, 400)), max_size=4))
def test_any_span_can_be_asked_for(spans: list[tuple[int, int]]) -> None:
    document = Document("a" * 64, "text", (Page(None, ""), Page(7, "One page of text. " * 9)))
    said = plain(place_html(document, spans, EN))
    assert said.startswith("Page 7One page of text.")
