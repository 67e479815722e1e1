"""Office documents with XML that a program wrote wrong: one character must not cost the document."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.errors import Unreadable
from ingest.readers import read_bytes
from ingest.readers.archive import parse_xml
from ingest.readers.xml_mending import mended, without_controls
from tests.ingest.readers.files import docx, p, zipped
from tests.ingest.readers.office_files import pptx, rows, shape, slide, xlsx


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("cable \x0b420", "cable 420"),
        ("cable &#x1;420&#11;", "cable 420"),
        ("R&D cable", "R&D cable"),
        ("cable&nbsp;420", "cable\u00a0420"),
        ("cable & wire &lt;3&gt;", "cable & wire <3>"),
        ("cable &bogus; 420", "cable &bogus; 420"),
    ],
)
def test_what_programs_write_wrong(written: str, meant: str) -> None:
    assert parse_xml(f"<r>{written}</r>".encode(), "part").text == meant
    assert meant.replace("\u00a0", " ") in read_bytes(docx(p(written)), "a.docx").text.replace("\u00a0", " ")


def test_broken_utf8_becomes_marks() -> None:
    assert parse_xml(b"<r>Stra\xdfe 420</r>", "part").text == "Stra\ufffde 420"


def test_what_is_cut_off_stays_damaged() -> None:
    assert mended(b"<r><p>cable") is None
    with pytest.raises(Unreadable, match=r"the part word/document\.xml is not valid XML"):
        parse_xml(b"<r><p>cable &#1;", "word/document.xml")


@given(st.text(st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="&<>\ufffe\uffff")))
def test_sound_parts_are_left_alone(text: str) -> None:
    data = f"<r>{text}&amp;&#65;</r>".encode()
    assert without_controls(data) == data
    assert mended(data) is None


def test_parts_that_a_document_can_do_without() -> None:
    assert read_bytes(
        docx(p("Cable 420."), styles="<w:st", numbering="", comments="<w:comments"), "a.docx"
    ).text
    assert read_bytes(xlsx({"One": rows(["Cable", "\x0b420"])}), "a.xlsx").text.endswith("Cable | 420")


def test_a_damaged_slide_is_a_page_without_text() -> None:
    document = read_bytes(pptx([slide(shape("First.")), "<p:sld", slide(shape("Third."))]), "a.pptx")
    assert [page.text for page in document.pages] == ["First.", "", "Third."]


def test_sheets_with_ampersands_of_their_own() -> None:
    written = "R&D caf&eacute;"
    assert read_bytes(xlsx({"Costs": rows([written, 4])}), "a.xlsx").text.endswith("R&D café | 4")
    names = " ".join(
        f'xmlns:{n}="urn:oasis:names:tc:opendocument:xmlns:{n}:1.0"' for n in ("office", "table", "text")
    )
    cell = f"<table:table-cell><text:p>{written}</text:p></table:table-cell>"
    content = (
        f"<office:document-content {names}><office:body><office:spreadsheet><table:table table:name='Costs'>"
        f"<table:table-row>{cell}</table:table-row></table:table></office:spreadsheet></office:body>"
        "</office:document-content>"
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    assert read_bytes(zipped({"mimetype": kind, "content.xml": content}), "a.ods").text.endswith("R&D café")
