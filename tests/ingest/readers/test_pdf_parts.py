"""What a PDF holds besides its pages' content: fields, comments, files, forms in XML, labels."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest

from ingest.readers import Limits, Skipped, find_in_bytes, read_bytes
from ingest.readers.base import Member
from ingest.readers.pdf_xfa import NO_WORDS
from tests.ingest.readers.files import pdf


def form() -> bytes:
    """Text, a choice and a box filled in; a password, a button and an empty field."""
    from reportlab.pdfgen.canvas import Canvas

    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(595, 842), invariant=True)
    canvas.drawString(60, 780, "Application for a key")
    fields = canvas.acroForm
    fields.textfield(name="a1", tooltip="Family name", value="Okonkwo", x=60, y=700, width=200)
    fields.textfield(name="a2", tooltip="Nickname", value="", x=60, y=660, width=200)
    fields.textfield(name="a3", tooltip="PIN", value="4711", fieldFlags="password", x=60, y=620, width=90)
    fields.choice(name="a4", tooltip="Depot", value="North", options=["North"], x=60, y=580, width=90)
    fields.checkbox(name="a5", tooltip="Night shift", checked=True, x=60, y=540)
    fields.checkbox(name="a6", tooltip="Weekend", checked=False, x=60, y=500)
    canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def changed(data: bytes, change: Callable[..., object]) -> bytes:
    """The PDF after `change(writer)`."""
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(data)))
    change(writer)
    buffer = io.BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def test_fields_are_read_with_the_names_that_people_see() -> None:
    text = read_bytes(form(), "form.pdf").text
    assert text.startswith("Application for a key\n\n")
    assert "Family name: Okonkwo" in text
    assert "Depot: North" in text
    assert "Night shift: Yes" in text
    for left_out in ("4711", "Nickname", "Weekend"):
        assert left_out not in text


def test_values_stay_out_of_the_running_lines() -> None:
    """A page's fields come after its last line, so that page numbers are still the last of its content."""
    data = pdf([["Head of all pages", f"Body {'x' * n}", f"{n}"] for n in range(1, 5)])

    def add(writer: object) -> None:
        from pypdf.annotations import FreeText

        for number in range(4):
            note = FreeText(text=f"Free words {'y' * number}.", rect=(50, 50, 300, 90))
            writer.add_annotation(page_number=number, annotation=note)  # type: ignore[attr-defined]

    document = read_bytes(changed(data, add), "x.pdf")
    assert [page.text for page in document.pages[1:]] == [
        f"Body {'x' * n}\n\nFree words {'y' * (n - 1)}." for n in range(2, 5)
    ]


def test_comments_and_what_is_hidden() -> None:
    def add(writer: object) -> None:
        from pypdf.annotations import FreeText, Highlight, Text
        from pypdf.generic import ArrayObject, FloatObject, NameObject, NumberObject, TextStringObject

        add_annotation = writer.add_annotation  # type: ignore[attr-defined]
        add_annotation(page_number=0, annotation=Text(text="Ask Bo about this.", rect=(50, 550, 60, 560)))
        points = ArrayObject([FloatObject(n) for n in (60, 790, 150, 790, 60, 775, 150, 775)])
        for words in ("Is this still true?", "four hundred metres"):
            marked = Highlight(rect=(60, 770, 150, 790), quad_points=points)
            marked[NameObject("/Contents")] = TextStringObject(words)
            add_annotation(page_number=0, annotation=marked)
        hidden = FreeText(text="Nobody sees this.", rect=(50, 50, 300, 90))
        hidden[NameObject("/F")] = NumberObject(2)
        add_annotation(page_number=0, annotation=hidden)

    text = read_bytes(changed(pdf([["There are four hundred metres of cable."]]), add), "x.pdf").text
    assert text == "There are four hundred metres of cable.\n\nAsk Bo about this.\nIs this still true?"


def test_files_inside_are_members() -> None:
    def add(writer: object) -> None:
        writer.add_attachment("terms/fee.txt", b"The fee is 30 euros.")  # type: ignore[attr-defined]
        writer.add_attachment("empty.txt", b"")  # type: ignore[attr-defined]

    data = changed(pdf([["The offer is in the attached file."]]), add)
    found = find_in_bytes(data, "offer.pdf")
    assert found.document is not None
    assert found.document.text == "The offer is in the attached file."
    assert Member("terms/fee.txt", b"The fee is 30 euros.") in found.members
    assert {member.name for member in found.members} == {"terms/fee.txt", "empty.txt"}
    small = find_in_bytes(data, "offer.pdf", limits=Limits(expanded_bytes=10)).members
    assert any(member.skip and "unpacked" in member.skip for member in small)


def test_a_portfolio_of_files_without_text_of_its_own() -> None:
    data = changed(
        pdf([[]]),
        lambda writer: writer.add_attachment("a.md", b"# Title"),  # type: ignore[attr-defined]
    )
    found = find_in_bytes(data, "portfolio.pdf")
    assert found.document is None
    assert [member.name for member in found.members] == ["a.md"]


XFA_TEMPLATE = (
    b'<!DOCTYPE t [<!ENTITY e SYSTEM "file:///etc/hostname">]><template '
    b'xmlns="http://www.xfa.org/schema/xfa-template/2.8/"><subform><draw><value><text>Claim for '
    b"travel</text></value></draw><field><caption><value><text>Amount&e;</text></value></caption>"
    b"</field></subform></template>"
)
XFA_DATA = b"<d:datasets xmlns:d='x'><form1><amount>120 euros</amount></form1></d:datasets>"


def xfa(
    placeholder: str,
    needs_rendering: bool = True,
    template: bytes = XFA_TEMPLATE,
    data: bytes = XFA_DATA,
    whole: bool = False,
) -> bytes:
    """whole: template and data in one stream."""

    def add(writer: object) -> None:
        from pypdf.generic import (
            ArrayObject,
            BooleanObject,
            DecodedStreamObject,
            DictionaryObject,
            NameObject,
            TextStringObject,
        )

        packets = ArrayObject()
        for name, content in (("template", template), ("datasets", data)):
            stream = DecodedStreamObject()
            stream.set_data(content)
            packets.append(TextStringObject(name))
            packets.append(writer._add_object(stream))  # type: ignore[attr-defined]
        root = writer._root_object  # type: ignore[attr-defined]
        if whole:
            stream = DecodedStreamObject()
            body = template.partition(b"]>")[2] + data
            stream.set_data(b"<xdp:xdp xmlns:xdp='http://ns.adobe.com/xdp/'>" + body + b"</xdp:xdp>")
            packets = writer._add_object(stream)  # type: ignore[attr-defined]
        fields = DictionaryObject({NameObject("/XFA"): packets, NameObject("/Fields"): ArrayObject()})
        root[NameObject("/AcroForm")] = fields
        root[NameObject("/NeedsRendering")] = BooleanObject(needs_rendering)

    return changed(pdf([[placeholder]]), add)


def test_forms_in_xml_give_their_words_and_values() -> None:
    text = read_bytes(xfa("Please use another program."), "claim.pdf").text
    assert text.split("\n") == [
        "Please use another program.", "", "Claim for travel", "Amount", "amount: 120 euros",
    ]  # fmt: skip


def test_forms_in_xml_in_one_stream_or_without_the_mark_of_one() -> None:
    template = XFA_TEMPLATE.replace(b"&e;", b"")
    for data in (
        xfa("Please wait.", needs_rendering=False),
        xfa("Please wait.", template=template, whole=True),
    ):
        text = read_bytes(data, "claim.pdf").text
        assert text.split("\n") == ["Please wait.", "", "Claim for travel", "Amount", "amount: 120 euros"]


def test_forms_in_xml_of_which_nothing_can_be_read_are_named() -> None:
    found = find_in_bytes(xfa("Please wait.", template=b"\x00\x01", data=b""), "claim.pdf")
    assert found.document is not None
    assert found.document.text == "Please wait."
    assert [(member.name, member.skip) for member in found.members] == [("…", NO_WORDS)]
    with pytest.raises(Skipped, match="XFA"):
        read_bytes(xfa("", template=b"\x00\x01", data=b""), "claim.pdf")


def test_labels_stand_beside_numbers() -> None:
    def label(writer: object) -> None:
        writer.set_page_label(0, 1, style="/r")  # type: ignore[attr-defined]
        writer.set_page_label(2, 3, style="/D", prefix="A-")  # type: ignore[attr-defined]

    document = read_bytes(changed(pdf([[f"Text number {n}."] for n in range(4)]), label), "x.pdf")
    assert [(page.number, page.label) for page in document.pages] == [
        (1, "i"), (2, "ii"), (3, "A-1"), (4, "A-2"),
    ]  # fmt: skip


@pytest.mark.parametrize("invisible", ["white", "mode 3"])
def test_invisible_text_is_data_like_any_other(invisible: str) -> None:
    """A layer of recognised text behind a scan is invisible, too; no text of a document is ever obeyed."""
    from reportlab.pdfgen.canvas import Canvas

    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(595, 842), invariant=True)
    text = canvas.beginText(60, 780)
    if invisible == "white":
        text.setFillColorRGB(1, 1, 1)
    else:
        text.setTextRenderMode(3)
    text.textLine("Words that nobody sees.")
    canvas.drawText(text)
    canvas.save()
    assert read_bytes(buffer.getvalue(), "x.pdf").text == "Words that nobody sees."


def test_names_of_files_that_were_encoded_twice() -> None:
    def attach(writer: Any) -> None:
        writer.add_attachment("库存.csv", b"part,pieces\nvalve,3\npump,4\n")

    (member,) = find_in_bytes(changed(pdf(["A list is attached."]), attach), "x.pdf").members
    assert member.name == "库存.csv"


def test_a_pdf_without_its_header() -> None:
    data = pdf([["The pump is in hall 4."]])
    begin = data.index(b"1 0 obj")
    for start in (b"", b"%!PS-Adobe-3.0 PDF-1.4\n"):
        document = read_bytes(start + data[begin:], "x.pdf")
        assert (document.kind, document.text) == ("pdf", "The pump is in hall 4.")


def test_a_note_that_is_only_there_with_its_fonts() -> None:
    def note(writer: Any) -> None:
        from pypdf.generic import ArrayObject, DictionaryObject, FloatObject, NameObject, TextStringObject

        rich = "<body><p>Ask <b>Ann</b> &amp; Bob</p><p>by May</p></body>"
        added = DictionaryObject(
            {
                NameObject("/Type"): NameObject("/Annot"),
                NameObject("/Subtype"): NameObject("/FreeText"),
                NameObject("/Rect"): ArrayObject([FloatObject(n) for n in (60, 600, 200, 640)]),
                NameObject("/RC"): TextStringObject(rich),
            }
        )
        writer.pages[0][NameObject("/Annots")] = ArrayObject([writer._add_object(added)])

    text = read_bytes(changed(pdf([["The pump is in hall 4."]]), note), "x.pdf").text
    assert text == "The pump is in hall 4.\n\nAsk Ann & Bob\nby May"
