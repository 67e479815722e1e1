"""Text becomes markup only on purpose."""

from __future__ import annotations

import html

from hypothesis import given
from hypothesis import strategies as st

from ui.render.element import Html, element, escaped, joined, path_html


@given(st.text(), st.text())
def test_text_is_escaped_as_child_and_as_attribute(child: str, value: str) -> None:
    made = element("p", child, title=value)
    inside = made.removeprefix("<p title=").removesuffix("</p>")
    assert "<" not in inside
    assert inside.count(">") == 1
    assert inside.count('"') == 2
    if child.isprintable():
        assert html.unescape(inside.split(">", 1)[1]) == child


def test_attributes() -> None:
    made = element("i", class_="a", data_n=3, hidden=True, open=False, title=None)
    assert made == '<i class="a" data-n="3" hidden></i>'


def test_html_is_kept_and_none_left_out() -> None:
    assert joined("<", Html("<b>"), None, element("br")) == "&lt;<b><br>"


def test_invisible_controls_are_shown() -> None:
    assert escaped("a\u202eb\x00") == "a\ufffdb\ufffd"
    assert "\n" in escaped("a\nb")


def test_paths_break_at_their_separators() -> None:
    assert "2026/<wbr>" not in path_html("notes.md")
    assert '<span class="folder">hr/<wbr>2026/</span>' in path_html("hr/2026/a_b.pdf")
    assert "a_<wbr>b.<wbr>pdf" in path_html("hr/2026/a_b.pdf")
