"""An answer's Markdown becomes HTML in which nothing but our own elements lives."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from rag.records import Answer, Timing
from tests.ui.samples import EVIL, citation, evidence
from ui.language import texts
from ui.render.answer import answer_html, verdict_html

EN = texts("en")
OURS = {
    *("p", "strong", "em", "s", "ul", "ol", "li", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "br"),
    *("blockquote", "code", "pre", "div", "table", "thead", "tbody", "tr", "th", "td", "span", "button"),
}


class Elements(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in ("br", "hr"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open, tag
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_known_numbers_become_buttons_and_unknown_ones_stay_text() -> None:
    html = answer_html("It is 750 [1]. More [2], [9].", [evidence(1), evidence(2)], EN)
    assert re.findall(r'class="cite" data-n="(\d)"', html) == ["1", "2"]
    assert "[9]" in html
    assert "Source 1: policy-1.pdf, page 2" in html


def test_verified_numbers_are_marked() -> None:
    first, second = evidence(1), evidence(2)
    html = answer_html(
        "a [1] b [2]",
        [first, second],
        EN,
        citations=[citation(first, "hotel limit"), citation(second, "x", verified=False)],
    )
    assert 'class="cite ok" data-n="1"' in html
    assert 'class="cite" data-n="2"' in html


def test_markup_of_models_and_documents_is_text() -> None:
    html = answer_html(
        "<script>alert(1)</script> <b onclick=x>b</b> ![x](http://evil.example/?leak) "
        "[y](javascript:alert(1)) <http://evil.example> [1]\n\n[1]: http://evil.example\n\n<div>block</div>",
        [evidence(1, path=EVIL)],
        EN,
    )
    found = Elements(html)
    assert not {"script", "b", "img", "a"} & set(found.tags)
    assert "<script>alert(1)</script>" in found.text
    assert "http://evil.example/?leak" in found.text


def test_code_keeps_its_markers() -> None:
    html = answer_html("`a[1]` and\n\n```\nb[1]\n```", [evidence(1)], EN)
    assert "cite" not in html
    assert "<code>a[1]</code>" in html


def test_unsupported_sentences_are_marked_where_they_stand() -> None:
    html = answer_html(
        "It is **750**. It *always* rains [1] there. End.",
        [evidence(1)],
        EN,
        unsupported=["It *always* rains there."],
    )
    marked = "".join(re.findall(r'<span class="unsupported"[^>]*>(.*?)</span>', html))
    assert marked.split() == ["It", "always", "rains", "there."]
    assert "missed" not in html


def test_unsupported_sentences_that_cannot_be_placed_are_listed() -> None:
    html = answer_html("It is 750.", [], EN, unsupported=["Something <else>."])
    assert '<div class="missed">' in html
    assert "<li>Something &lt;else&gt;.</li>" in html


def test_unsupported_chinese() -> None:
    html = answer_html("限额为 750 元[1]。那里总是下雨。", [evidence(1)], EN, unsupported=["那里总是下雨。"])
    assert ">那里总是下雨。</span>" in html


PIECES = [*"ab <>&\"'`*_[]()!12#|-\n.\\", "<img src=x>", "[1]", "**", "\n\n", "|-|", "https://x.example"]


@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
def test_whatever_is_written_only_our_elements_come_out(text: str) -> None:
    html = answer_html(text, [evidence(1)], EN, unsupported=[text[3:40], text[:20]])
    found = Elements(html)
    assert set(found.tags) <= OURS
    assert not found.open
    for tag, name, _ in found.attributes:
        assert not name.startswith("on"), (tag, name)
        assert name not in ("href", "src"), (tag, name)


def test_verdict() -> None:
    item = evidence(1)
    answer = Answer(
        "q",
        "t [1]",
        (item,),
        (citation(item, "hotel limit"),),
        unsupported=("x",),
        timing=Timing(total_s=1.25),
    )
    html = verdict_html(answer, EN)
    assert "Source checked: the quoted words are there" in html
    assert "1 sentence without support" in html
    assert "1.2 s" in html
    assert "Stopped" in verdict_html(Answer("q", "t", (), (), stopped=True), EN)


def test_a_kept_answer_tells_that_its_source_is_gone() -> None:
    """Citations 1 and 2 were verified; the text of 1 is not in the library any more, nor is that of 3."""
    kept = tuple(evidence(n, text="" if n != 2 else "Ten days.") for n in (1, 2, 3))
    cited = tuple(citation(evidence(n, text="Ten days."), "Ten") for n in (1, 2))
    answer = Answer("q", "Ten [1][2].", kept, cited)
    html = verdict_html(answer, EN)
    assert "1 of its sources has been changed or removed since" in html
    assert "quoted words are there" not in html
    assert "此后已被修改或移除" in verdict_html(answer, texts("zh"))


def test_a_number_stays_with_the_end_of_the_word_before_it() -> None:
    html = answer_html(
        "Leave is 25 days. [1][2] 年假为二十五天。[1] **Bold** [2].", [evidence(1), evidence(2)], EN
    )
    tied = re.findall(r'<span class="tied">(.*?)</span>', html)
    assert [re.sub(r"<[^>]+>", "", each) for each in tied] == ["days.\u00a012", "天。1"]
