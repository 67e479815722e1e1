from __future__ import annotations

import io

import docx as python_docx
import pytest

from ingest.errors import Skipped, Unreadable
from ingest.readers import Limits, read_bytes
from rag.records import Document
from tests.ingest.readers.files import docx, p, part, zipped


def read(data: bytes) -> Document:
    return read_bytes(data, "file.docx")


def titles(document: Document) -> list[tuple[int, str]]:
    for heading in document.headings:
        assert document.text[heading.start :].startswith(heading.title)
    return [(heading.level, heading.title) for heading in document.headings]


def test_a_document_of_another_program() -> None:
    made = python_docx.Document()
    made.add_heading("Lane & Co. rules", 0)
    made.add_heading("Fees", 1)
    made.add_paragraph("Bring it back in time.")
    made.add_heading("Late return", 2)
    made.add_paragraph("first", style="List Bullet")
    made.add_paragraph("second", style="List Bullet")
    made.add_paragraph("one", style="List Number")
    table = made.add_table(rows=2, cols=3)
    for row, texts in zip(table.rows, (("Item", "Days", "Euros"), ("Book", "14", "3")), strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    made.add_paragraph("The end.")
    made.sections[0].header.paragraphs[0].text = "Lane & Co., internal"
    buffer = io.BytesIO()
    made.save(buffer)
    document = read(buffer.getvalue())
    assert document.title == "Lane & Co. rules"
    assert titles(document) == [(1, "Lane & Co. rules"), (1, "Fees"), (2, "Late return")]
    assert document.text == (
        "Lane & Co. rules\n\nFees\n\nBring it back in time.\n\nLate return\n\n• first\n• second\n1. one\n\n"
        "Item | Days | Euros\nBook | 14 | 3\n\nThe end.\n\nLane & Co., internal"
    )
    assert [page.number for page in document.pages] == [None]


def test_page_breaks_make_no_pages() -> None:
    body = p("before") + "<w:p><w:r><w:br w:type='page'/><w:t>after</w:t></w:r></w:p>"
    document = read(docx(body))
    assert [page.number for page in document.pages] == [None]
    assert document.text == "before\n\nafter"


STYLES = part(
    "styles",
    '<w:style w:styleId="a1"><w:name w:val="heading 1"/></w:style>'
    '<w:style w:styleId="a2"><w:name w:val="heading 2"/><w:basedOn w:val="a1"/></w:style>'
    '<w:style w:styleId="own"><w:name w:val="Chapter"/><w:basedOn w:val="a2"/></w:style>'
    '<w:style w:styleId="flat"><w:name w:val="Flat"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style>'
    '<w:style w:styleId="loop"><w:name w:val="Loop"/><w:basedOn w:val="loop"/></w:style>',
)


def styled(text: str, style: str) -> str:
    return p(text, f'<w:pStyle w:val="{style}"/>')


def test_headings_by_style_in_any_language() -> None:
    body = styled("总则", "a1") + styled("细则", "own") + styled("附录", "flat") + styled("x", "loop")
    body += p("直接", '<w:outlineLvl w:val="0"/>') + styled("By id", "Heading3")
    document = read(docx(body, styles=STYLES))
    assert titles(document) == [(1, "总则"), (2, "细则"), (3, "附录"), (1, "直接"), (3, "By id")]


def test_merged_cells_are_repeated_downwards_and_counted_across() -> None:
    def cell(text: str, properties: str = "") -> str:
        return f"<w:tc><w:tcPr>{properties}</w:tcPr>{p(text)}</w:tc>"

    rows = (
        cell("Area") + cell("Item") + cell("Pieces"),
        cell("North", '<w:vMerge w:val="restart"/>') + cell("Cable") + cell("420"),
        cell("", "<w:vMerge/>") + cell("both the same", '<w:gridSpan w:val="2"/>'),
    )
    table = "<w:tbl>" + "".join(f"<w:tr>{row}</w:tr>" for row in rows) + "</w:tbl>"
    assert read(docx(table)).text == "Area | Item | Pieces\nNorth | Cable | 420\nNorth | both the same"


def test_a_table_in_a_cell_stays_in_its_row() -> None:
    inner = f"<w:tbl><w:tr><w:tc>{p('a')}</w:tc><w:tc>{p('b')}</w:tc></w:tr></w:tbl>"
    table = f"<w:tbl><w:tr><w:tc>{p('left')}</w:tc><w:tc>{p('right')}{inner}</w:tc></w:tr></w:tbl>"
    assert read(docx(table)).text == "left | right a | b"


def test_runs_fields_changes_and_hidden_text() -> None:
    body = (
        "<w:p><w:r><w:t>A</w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del>"
        "<w:ins><w:r><w:t>B</w:t></w:r></w:ins><w:hyperlink><w:r><w:t>C</w:t></w:r></w:hyperlink>"
        "<w:r><w:fldChar w:fldCharType='begin'/><w:instrText>PAGE</w:instrText></w:r><w:r><w:t>D</w:t></w:r>"
        "<w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r><w:r><w:tab/><w:t>E</w:t><w:br/><w:t>F</w:t></w:r>"
        "<w:r><w:noBreakHyphen/><w:t>G</w:t><w:softHyphen/><w:t>H</w:t></w:r>"
        "<w:sdt><w:sdtContent><w:r><w:t>I</w:t></w:r></w:sdtContent></w:sdt></w:p>"
    )
    assert read(docx(body)).text == "ABCD E\nF-GHI"


def test_notes_stand_after_their_paragraph_and_text_boxes_too() -> None:
    notes = part(
        "footnotes",
        f'<w:footnote w:type="separator" w:id="0">{p("---")}</w:footnote>'
        f'<w:footnote w:id="5">{p("see shelf seven")}</w:footnote>',
    )
    ends = part("endnotes", f'<w:endnote w:id="2">{p("counted in May")}</w:endnote>')
    box = f"<w:r><w:pict><w:txbxContent>{p('in a box')}</w:txbxContent></w:pict></w:r>"
    body = (
        f'<w:p><w:r><w:t>Cable</w:t><w:footnoteReference w:id="5"/></w:r>{box}</w:p>' + p("Next.")
    )  # fmt: skip
    assert read(docx(body, footnotes=notes, endnotes=ends)).text == (
        "Cable\n\nin a box\n\nFootnote 1: see shelf seven\n\nNext.\n\nEndnote 1: counted in May"
    )


def test_headers_and_footers_stand_once_and_page_numbers_do_not() -> None:
    document = read(
        docx(
            p("Body."),
            header1=part("hdr", p("Lane &amp; Co.")),
            header2=part("hdr", p("Lane &amp; Co.")),
            footer1=part("ftr", p("7")),
        )
    )
    assert document.text == "Body.\n\nLane & Co."


def test_comments_and_a_body_kept_as_html() -> None:
    document = read(
        docx(
            p("Text.") + '<w:altChunk r:id="raFChunk1"/>',
            comments=part("comments", f'<w:comment w:id="1">{p("Is that so?")}</w:comment>'),
            aFChunk1="<html><body><h1>Inside</h1><p>The HTML part.</p></body></html>",
        )
    )
    assert document.text == "Text.\n\nInside\n\nThe HTML part.\n\nComment: Is that so?"


def test_form_fields_say_what_they_show() -> None:
    def field(data: str) -> str:
        return f'<w:r><w:fldChar w:fldCharType="begin"><w:ffData>{data}</w:ffData></w:fldChar></w:r>'

    chosen = '<w:ddList><w:result w:val="1"/><w:listEntry w:val="red"/><w:listEntry w:val="blue"/></w:ddList>'
    body = (
        field('<w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox>')
        + "<w:r><w:t xml:space='preserve'> agreed, </w:t></w:r>"
        + field('<w:checkBox><w:default w:val="1"/><w:checked w:val="0"/></w:checkBox>')
        + "<w:r><w:t xml:space='preserve'> refused, </w:t></w:r>"
        + field(chosen)
    )
    assert read(docx(f"<w:p>{body}</w:p>")).text == "☒ agreed, ☐ refused, blue"


def test_signs_of_symbol_fonts_are_the_ones_they_show() -> None:
    signs = "".join(
        f'<w:r><w:sym w:font="{font}" w:char="{code}"/></w:r>'
        for font, code in (
            ("Symbol", "F06D"),
            ("Symbol", "F0A3"),
            ("Wingdings", "F0FC"),
            ("MS Gothic", "2612"),
        )
    )
    assert read(docx(f"<w:p>{signs}</w:p>")).text == "μ≤✓☒"


def test_a_damaged_list_of_styles_does_not_hide_the_document() -> None:
    assert read(docx(p("The text"), styles="<w:styles broken")).text == "The text"


def test_equations_keep_their_powers() -> None:
    body = "<w:p><w:r><w:t>E=m</w:t></w:r><m:oMath xmlns:m='urn:m'><m:sSup><m:e><m:r><m:t>c</m:t></m:r></m:e>"
    body += "<m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath></w:p>"
    assert read(docx(body)).text == "E=mc^2"


def test_entities_are_not_resolved(tmp_path_factory: pytest.TempPathFactory) -> None:
    secret = tmp_path_factory.mktemp("secret") / "file.txt"
    secret.write_text("do not read this")
    root = part("document", f"<w:body>{p('safe &x; text')}</w:body>")
    xml = f'<!DOCTYPE d [<!ENTITY x SYSTEM "{secret.as_uri()}">]>{root}'
    document = read(zipped({"word/document.xml": xml}))
    assert "do not read" not in document.text
    assert "safe" in document.text


def test_bombs_are_refused_before_they_are_unpacked() -> None:
    data = zipped({"word/document.xml": part("document", "<w:body>" + p("x" * 50) * 600_000 + "</w:body>")})
    assert len(data) < 400_000
    with pytest.raises(Unreadable, match="as a zip bomb does"):
        read(data)


def test_expansion_is_bounded_whatever_the_directory_says() -> None:
    data = docx(p("word " * 3000))
    with pytest.raises(Unreadable, match="more than the limit"):
        read_bytes(data, "a.docx", limits=Limits(expanded_bytes=5000))


def test_damage_and_emptiness_have_reasons() -> None:
    with pytest.raises(Unreadable, match="not valid XML"):
        read(zipped({"word/document.xml": "<w:document"}))
    with pytest.raises(Unreadable, match="main part is missing"):
        read(zipped({"[Content_Types].xml": "wordprocessingml.document.main+xml"}))
    with pytest.raises(Skipped, match="no text"):
        read(docx("<w:p/>"))
    broken = bytearray(docx(p("text " * 2000)))
    middle = broken.index(b"word/document.xml") + 60
    broken[middle : middle + 40] = b"\x00" * 40
    with pytest.raises(Unreadable, match="damaged"):
        read(bytes(broken))


def test_raised_figures_stay_apart_from_figures() -> None:
    up = '<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>{}</w:t></w:r>'
    line = f"<w:p><w:r><w:t>10</w:t></w:r>{up.format(6)}<w:r><w:t> m</w:t></w:r>{up.format(3)}</w:p>"
    assert read(docx(line)).text == "10^6 m3"


def test_deleted_rows_are_left_out() -> None:
    def row(text: str, properties: str = "") -> str:
        return f"<w:tr><w:trPr>{properties}</w:trPr><w:tc>{p(text)}</w:tc><w:tc>{p('7')}</w:tc></w:tr>"

    gone = row("Gone", '<w:del w:id="3" w:author="A"/>')
    data = docx(f"<w:tbl>{row('Pump')}{gone}{row('Valve')}</w:tbl>")
    assert read_bytes(data, "a.docx").text == "Pump | 7\nValve | 7"
