"""Evidence cards show what the answer says of them, and mark the right words."""

from __future__ import annotations

import html as html_module
import re

from hypothesis import given
from hypothesis import strategies as st

from rag.records import Copy
from tests.ui.samples import EVIL, citation, evidence
from ui.language import texts
from ui.render.evidence import evidence_html
from ui.render.marks import Span, marked_html, matched, merged, window

EN = texts("en")


def plain(html: str) -> str:
    return html_module.unescape(re.sub(r"<[^>]+>", "", html))


def test_numbers_pages_and_verdicts() -> None:
    items = [evidence(1), evidence(2, pages=(4, 5)), evidence(3, path="notes.md", pages=(), heading=())]
    html = evidence_html(
        items,
        "What is the hotel limit?",
        EN,
        turn="t1",
        citations=[citation(items[0], "limit for Shanghai is 750"), citation(items[1], "", verified=False)],
        finished=True,
    )
    assert re.findall(r'<article class="([^"]+)" data-n="(\d)"', html) == [
        ("card", "1"),
        ("card", "2"),
        ("card uncited", "3"),
    ]
    assert "Page 2" in html
    assert "Pages 4–5" in html
    assert "Quoted words found on page 2" in html
    assert "Cited, but the exact words were not found here" in html
    assert "Found, but not used in the answer" in html
    assert '<mark class="quoted">limit for Shanghai is 750</mark>' in html
    # Where a format has no pages, none is offered.
    assert html.count("page-image") == 3


def test_names_from_documents_are_text() -> None:
    html = evidence_html([evidence(1, text=EVIL, path=EVIL, heading=(EVIL,))], EVIL, EN, turn=EVIL)
    assert "<img" not in html
    assert "&lt;img src=x onerror=alert(1)&gt;" in html.replace("<wbr>", "")


def test_controls_that_reorder_a_name_are_shown() -> None:
    assert "\u202e" not in evidence_html([evidence(1, path="invoice\u202efdp.exe")], "q", EN, turn="t")


def test_matched_words_leave_out_words_without_content() -> None:
    text = "What is the hotel limit in Shanghai? 上海的酒店限额是多少"
    spans = matched("What is the hotel limit? 酒店的限额是多少？", text)
    assert [text[span.start : span.end] for span in spans] == ["hotel", "limit", "酒店", "限额"]


@given(
    st.text(max_size=80),
    st.lists(
        st.tuples(st.integers(-5, 90), st.integers(-5, 90), st.sampled_from(["quoted", "matched"])),
        max_size=8,
    ),
)
def test_merged_spans_are_ordered_and_inside(text: str, raw: list[tuple[int, int, str]]) -> None:
    spans = merged([Span(a, b, kind) for a, b, kind in raw], len(text))  # type: ignore[arg-type]
    place = 0
    for span in spans:
        assert place <= span.start < span.end <= len(text)
        place = span.end
    clean = "".join(char for char in text if char.isprintable())
    assert plain(marked_html(clean, merged(spans, len(clean)))) == clean


@given(st.integers(0, 3000), st.integers(0, 2990), st.integers(1, 400))
def test_a_window_shows_the_quoted_words(length: int, at: int, size: int) -> None:
    text = ("word " * 700)[:length]
    spans = merged([Span(at, at + min(size, 300), "quoted")], length)
    start, end = window(text, spans, 420, spans[0] if spans else None)
    assert 0 <= start <= end <= length
    if spans:
        assert start <= spans[0].start
        assert spans[0].end <= end


def test_a_card_shows_what_the_answer_quotes_first() -> None:
    text = "The shoes are size 40. " + "word " * 400 + "Leave is 25 days."
    item = evidence(1, text=text)
    both = [citation(item, "Leave is 25 days."), citation(item, "The shoes")]
    html = evidence_html([item], "q", EN, turn="t", citations=both)
    shown = html.split('class="passage"', 1)[1].split("</blockquote>")[0]
    assert "Leave is" in shown
    assert "shoes" not in shown


def test_the_header_of_a_cut_table_stands_before_the_passage_and_not_in_it() -> None:
    html = evidence_html(
        [evidence(1, text="Oslo | 12", table_header="Town | <b>Cost</b>")], "q", EN, turn="t"
    )
    before, after = html.split("<blockquote", 1)
    assert "Town | &lt;b&gt;Cost&lt;/b&gt;" in before
    assert "Town" not in after
    assert "table-header" not in evidence_html([evidence(1)], "q", EN, turn="t")


def test_an_excerpt_is_marked_beside_its_number_and_counted() -> None:
    items = [evidence(1), evidence(2, excerpt=True), evidence(3, text="", excerpt=True)]
    html = evidence_html(items, "q", EN, turn="t", left_out=2)
    marked = re.findall(r'<span class="n">(\d)</span>(?:(?!</header>).)*class="excerpt"[^>]*>([^<]+)<', html)
    assert marked == [("2", "excerpt"), ("3", "excerpt")]
    assert "2 passages were shortened" in html
    assert "2 more passages fitted" in html
    assert 'class="excerpt"' not in evidence_html([evidence(1)], "q", EN, turn="t")
    chinese = evidence_html([evidence(1, excerpt=True)], "q", texts("zh"), turn="t")
    assert ">节选<" in chinese
    assert "有 1 个段落" in chinese


def test_of_a_long_excerpt_the_whole_passage_is_not_promised() -> None:
    long = evidence(1, text="The hotel limit is 750. " * 40, excerpt=True)
    html = evidence_html([long], "q", EN, turn="t")
    assert "Show the whole excerpt" in html
    assert "Show the whole passage" not in html


def test_where_else_it_stands_is_told_with_a_link_that_opens_it() -> None:
    item = evidence(
        1,
        path="minutes.md",
        pages=(),
        copies=(
            Copy("a" * 64, "contracts/pumps.pdf", "default", (2, 3), 40, 90),
            Copy("b" * 64, EVIL, "board", (), 7, 20, whole=False),
            *(Copy("c" * 64, f"old/{n}.txt", "default", (), n, n + 9) for n in range(4)),
        ),
    )
    html = evidence_html([item], "q", EN, turn="t")
    assert f'data-page="2" data-src="pages/{"a" * 64}/2.png?span=40-90"' in html
    assert f'data-src="places/{"b" * 64}?span=7-20"' in html
    assert "Also in" in html
    said = plain(html)
    assert "pages 2–3" in said
    assert "board · a part of it" in said
    assert "3 more places" in said
    assert "<img" not in html
    assert "也见于" in evidence_html([item], "q", texts("zh"), turn="t")
    assert 'class="copies"' not in evidence_html([evidence(1)], "q", EN, turn="t")
    # What cannot be drawn is opened as text.
    assert f'data-src="places/{item.document}?span={item.start}-{item.end}"' in html


def test_slides_and_sheets_are_called_so() -> None:
    slide = evidence(1, path="plans/2027.pptx", pages=(4, 5), text="The roof is new.")
    html = plain(evidence_html([slide], "q", EN, turn="t", citations=[citation(slide, "The roof")]))
    assert "Slides 4–5" in html
    assert "Quoted words found on slide 4" in html
    sheet = evidence(2, path="价目表.xlsx", pages=(2,))
    assert "第 2 个工作表" in plain(evidence_html([sheet], "q", texts("zh"), turn="t"))
