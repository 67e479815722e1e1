from __future__ import annotations

import pytest

from ingest.errors import Skipped
from ingest.readers import read_bytes
from rag.records import Document

ARTICLE = "<p>" + "The depot keeps cable on shelf seven, nobody but the keeper takes it. " * 6 + "</p>"
MENU = "".join(f'<li><a href="/{n}">Menu entry {n}</a></li>' for n in range(12))


def read(html: str, name: str = "page.html") -> Document:
    return read_bytes(html.encode(), name)


def body(inner: str) -> str:
    return read(f"<html><body>{inner}</body></html>").text


def test_headings_paragraphs_and_lists() -> None:
    document = read(
        "<html><head><title>Rules</title></head><body><h1>Rules</h1>"
        "<p>One\n  <b>bold</b>ly said,<br>twice.</p><h3>Fees &amp; more</h3>"
        "<ul><li>first<li>second <i>item</i></ul><ol start=3><li>three</li><li>four</ol>"
        "<dl><dt>term</dt><dd>meaning</dd></dl></body></html>"
    )
    assert document.text == (
        "Rules\n\nOne boldly said,\ntwice.\n\nFees & more\n\n"
        "• first\n• second item\n3. three\n4. four\n\nterm\n\nmeaning"
    )
    assert [(h.level, h.title, document.text[h.start : h.start + 4]) for h in document.headings] == [
        (1, "Rules", "Rule"),
        (3, "Fees & more", "Fees"),
    ]
    assert document.title == "Rules"


def test_what_nobody_sees_is_left_out() -> None:
    hidden = (
        "<script>var a = 'script';</script><style>p{}</style><noscript>no script</noscript>"
        "<template>t</template><div style='display:none'>hidden one</div><div hidden>hidden two</div>"
        "<p aria-hidden='true'>hidden three</p><span style='visibility: hidden'>hidden four</span>"
        "<select><option>choice</option></select><input type=hidden value=token>"
        "<svg><title>drawing</title></svg><!-- comment --><iframe src='x'>frame</iframe>"
    )
    assert body(hidden + "<p>Seen.</p>" + hidden) == "Seen."


def test_navigation_goes_and_the_article_stays() -> None:
    text = body(
        f"<nav><ul>{MENU}</ul></nav><div class='site-menu'>{MENU}</div><main><h1>Depot</h1>{ARTICLE}</main>"
        f"<aside>Advertisement text</aside><footer>Copyright of the firm</footer>"
    )
    assert text.startswith("Depot\n\nThe depot keeps")
    for word in ("Menu", "Advertisement", "Copyright"):
        assert word not in text


def test_link_lists_without_names_go() -> None:
    text = body(f"<div><ul>{MENU}</ul></div><div><h1>Depot</h1>{ARTICLE}</div>")
    assert "Menu entry" not in text
    assert "shelf seven" in text


def test_a_list_of_links_that_is_the_page_stays() -> None:
    assert "Menu entry 7" in body(f"<h1>Index</h1><ul>{MENU}</ul>")


@pytest.mark.parametrize("name", ["sidebar", "footer", "cookie-banner", "login"])
def test_a_misleading_name_does_not_cost_the_article(name: str) -> None:
    assert "shelf seven" in body(f"<div class='{name}'>{ARTICLE}</div><p>short</p>")


def test_a_small_main_part_is_not_believed() -> None:
    text = body(f"<article>Teaser.</article><div>{ARTICLE}</div>")
    assert "shelf seven" in text
    assert "Teaser" in text


def test_pages_that_show_themselves_by_script_are_read() -> None:
    assert "shelf seven" in read(f"<html><body style='opacity:0'>{ARTICLE}</body></html>").text


def test_tables_row_by_row() -> None:
    text = body(
        "<table><caption>Stock</caption><thead><tr><th>Area</th><th>Item</th><th>Pieces</th></tr></thead>"
        "<tr><td rowspan=2>North</td><td>Cable<br>blue</td><td>420</td></tr><tr><td>Drum</td><td></td></tr>"
        "<tr><td colspan=2>both</td><td><ul><li>one<li>two</ul></td></tr></table>"
    )
    assert text == ("Stock\n\nArea | Item | Pieces\nNorth | Cable blue | 420\nNorth | Drum |\nboth | one two")


def test_tables_that_only_lay_out_the_page_are_read_as_blocks() -> None:
    text = body(
        f"<table><tr><td><h2>Left</h2>{ARTICLE}</td><td><p>Right side.</p><p>More.</p></td></tr></table>"
    )
    assert " | " not in text
    assert text.startswith("Left\n\nThe depot")
    assert text.endswith("Right side.\n\nMore.")


def test_tables_inside_tables() -> None:
    inner = "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>"
    assert body(f"<table><tr><td>{inner}</td></tr></table>") == "a | b\nc | d"


def test_preformatted_text_keeps_its_lines() -> None:
    assert body("<pre>a = 1\nif a:\n  b</pre>") == "a = 1\nif a:\n  b"
    assert body("<pre>a<br>  <b>b</b> c</pre>") == "a\n  b c"


def test_the_title_is_in_the_text_even_if_the_page_does_not_say_it() -> None:
    page = "<html><head><title>{}</title></head><body><h1>Depot rules</h1><p>x</p></body></html>"
    assert read(page.format("Shelf plan")).text == "Shelf plan\n\nDepot rules\n\nx"
    assert read(page.format("Depot rules - Lane &amp; Co.")).text == "Depot rules\n\nx"


def test_depth_beyond_any_parser() -> None:
    deep = 40_000
    text = read(
        "<html><body>" + "<div>" * deep + "<p>At the bottom.</p>" + "</div>" * deep + "</body></html>"
    ).text
    assert text == "At the bottom."


def test_unclosed_and_broken_markup() -> None:
    assert body("<p>one<p>two<div>three</b></i><td>four &nbsp; &#x4ed3;&unknown; <").startswith(
        "one\n\ntwo\n\nthree"
    )


def test_what_follows_the_end_of_the_page() -> None:
    assert (
        read("<html><body><p>One.</p></body></html>\n<html><body><p>Two.</p></html>").text == "One.\n\nTwo."
    )
    assert read("<html><body><p>One.</p></body></html>Sent by the list.").text == "One.\n\nSent by the list."
    assert read("<html><body><p>One.</p></body></html> <!-- 3 ms -->\n").text == "One."


def test_entities_of_the_page_are_not_resolved() -> None:
    declaration = '<?xml version="1.0"?><!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    assert "root:" not in read(f"{declaration}<html><body>a &x; b</body></html>").text


@pytest.mark.parametrize("encoding", ["gb18030", "big5", "utf-16"])
def test_encodings_with_and_against_the_label(encoding: str) -> None:
    text = "倉庫在每月第一個星期一盤點，盤點時暫停出貨。"
    page = f"<html><head><meta charset='iso-8859-1'><title>t</title></head><body><p>{text}</p></body></html>"
    assert text in read_bytes(page.encode(encoding), "page.html").text


def test_pages_that_a_script_or_a_window_hides_are_not_lost() -> None:
    assert body("<div style='display:none'><h1>Depot</h1></div>") == "Depot"
    assert body("<div id=app></div><noscript>Switch it on.</noscript>") == "Switch it on."
    assert body(f"<div aria-hidden=true>{ARTICLE}</div><div role=dialog>Cookies?</div>").startswith(
        "The depot"
    )
    assert body(f"<form><table><tr><td>{ARTICLE}</td></tr></table></form>").startswith("The depot")


def test_a_web_page_saved_as_one_file() -> None:
    data = (
        "From: <Saved by Blink>\nSnapshot-Content-Location: http://x\nSubject: Page\nMIME-Version: 1.0\n"
        "Content-Type: multipart/related; boundary=B\n\n--B\nContent-Type: text/html\n\n<html><body>"
        f"<nav><a href=1>menu</a></nav>{ARTICLE}</body></html>\n--B\nContent-Type: text/css\n\np{{}}\n--B--\n"
    )
    document = read_bytes(data.encode(), "a.mht")
    assert (document.kind, document.title) == ("mhtml", "Page")
    assert document.text.startswith("The depot")
    assert "menu" not in document.text


def test_header_rows_are_marked() -> None:
    rows = "<tr><th>A</th><th>B</th></tr><tr><th>c</th><td>1</td></tr><tr><th>d</th><td>2</td></tr>"
    document = read_bytes(f"<html><body><table>{rows}</table></body></html>".encode(), "a.html")
    (table,) = document.tables
    assert document.text[table.start : table.header_end] == "A | B"


def test_nothing_to_read() -> None:
    with pytest.raises(Skipped, match="no text"):
        read("<html><body><script>only()</script></body></html>")


def test_formulas_keep_what_is_above_and_below() -> None:
    power = "<msup><mi>r</mi><mn>2</mn></msup><annotation encoding=tex>r^{2}</annotation>"
    assert body(f"<p>Area <math><semantics>{power}</semantics></math> here</p>") == "Area r^2 here"


def test_raised_figures_stay_apart_from_figures() -> None:
    assert body("<p>10<sup>6</sup> litres, 10<sup> -3</sup>, 2019<sup><a href=#n>3</a></sup></p>") == (
        "10^6 litres, 10^ -3, 2019^3"
    )
    assert body("<p>25 m<sup>2</sup>, 1<sup>st</sup>, H<sub>2</sub>O</p>") == "25 m2, 1st, H2O"


def test_what_stands_beside_frames() -> None:
    page = '<html><frameset><frame src="a.html"><noframes><body><p>Tides</p><h2>Low</h2></body></noframes>'
    assert read(page).text == "Tides\n\nLow"


def test_a_title_that_is_not_closed_is_not_the_whole_page() -> None:
    page = "<html><head><title>Pumps<body><p>The pump is in hall 4.</p></body></html>"
    document = read_bytes(page.encode(), "a.html")
    assert (document.title, document.text) == ("Pumps", "Pumps\n\nThe pump is in hall 4.")


def test_marked_text_of_xml_is_text() -> None:
    page = "<html><body><p><![CDATA[ The pump is in hall 4. ]]></p></body></html>"
    assert read_bytes(page.encode(), "a.html").text == "The pump is in hall 4."


def test_the_foot_of_a_table_may_be_written_before_its_rows() -> None:
    page = (
        "<table><tfoot><tr><td>Total</td><td>45</td></tr></tfoot><thead><tr><th>Part</th><th>Price</th></tr>"
        "</thead><tbody><tr><td>Pump</td><td>44</td></tr></tbody></table>"
    )
    assert read_bytes(page.encode(), "a.html").text == "Part | Price\nPump | 44\nTotal | 45"


def test_filled_fields_are_text_and_hidden_ones_are_not() -> None:
    page = (
        "<p>Order of the pump.</p><form><label>Remark <textarea>Valve 88\nis open</textarea></label>"
        "<input type=hidden value=token-99><input type=password value=secret><input value='17 pieces'>"
        "<select><option>red</option><option selected>blue</option></select><button>Send</button>"
        "<input type=radio checked>by ship<input type=radio>by air</form>"
    )
    text = read_bytes(f"<html><body>{page}</body></html>".encode(), "a.html").text
    assert "Valve 88\nis open" in text
    assert "17 pieces blue ☑ by ship ☐ by air" in text
    assert not any(word in text for word in ("token", "secret", "red", "Send"))
    only = "<html><body><textarea>Only here.</textarea></body></html>"
    assert read_bytes(only.encode(), "a.html").text == "Only here."


def test_what_unfolds_a_part_is_its_heading() -> None:
    page = "<h2><button>How is it reset?</button></h2><p>Press for five seconds.</p><button>Buy</button>"
    document = read_bytes(f"<html><body>{page}</body></html>".encode(), "a.html")
    assert document.text == "How is it reset?\n\nPress for five seconds."
    assert [heading.title for heading in document.headings] == ["How is it reset?"]


def test_templates_are_no_text_unless_they_are_shown() -> None:
    page = (
        "<p>The hall is cold.</p><template><p>Row of nothing</p></template>"
        "<my-card><template shadowrootmode=open><p>Inside the card.</p></template></my-card>"
    )
    text = read_bytes(f"<html><body>{page}</body></html>".encode(), "a.html").text
    assert text == "The hall is cold.\n\nInside the card."


def test_what_stands_instead_of_scripts_is_read_where_it_is_the_page() -> None:
    body = "<div>Loading …</div><noscript><p>{}</p></noscript>"
    asking = read_bytes(body.format("Please switch scripts on.").encode(), "a.html").text
    assert asking == "Loading …"
    told = "The hall of the pump is cold in winter and warm in summer. " * 6
    assert told.strip() in read_bytes(body.format(told).encode(), "a.html").text
