from __future__ import annotations

import pytest

from ingest.errors import Unreadable
from ingest.readers import find_in_bytes
from tests.ingest.readers.files import zipped
from tests.ingest.readers.office_files import NAMESPACES, pptx, relations, shape, slide

TABLE = (
    '<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tblPr firstRow="1"/>{}</a:tbl>'
    "</a:graphicData></a:graphic>"
    "</p:graphicFrame>"
)


def row(*cells: str) -> str:
    inner = "".join(f"<a:tc><a:txBody><a:p><a:r><a:t>{c}</a:t></a:r></a:p></a:txBody></a:tc>" for c in cells)
    return f"<a:tr>{inner}</a:tr>"


def test_slides_in_their_order_with_titles_lists_groups_and_tables() -> None:
    first = slide(
        shape("Depot plan", placeholder="title")
        + shape("First point", "Second point", placeholder="body")
        + shape("12", placeholder="sldNum")
        + f"<p:grpSp><p:grpSp>{shape('deep inside')}</p:grpSp></p:grpSp>"
    )
    second = slide(TABLE.format(row("Shelf", "Metres") + row("7", "420")), 'show="0"')
    found = find_in_bytes(pptx([first, second]), "a.pptx").document
    assert found is not None
    assert [page.number for page in found.pages] == [1, 2]
    assert found.pages[0].text == "Depot plan\n\n• First point\n• Second point\n\ndeep inside"
    assert found.pages[0].label == "Depot plan"
    assert found.pages[1].label == "(hidden)"
    assert [(h.start, h.title) for h in found.headings] == [(0, "Depot plan")]
    (table,) = found.tables
    assert found.text[table.start : table.end] == "Shelf | Metres\n7 | 420"
    assert found.text[table.start : table.header_end] == "Shelf | Metres"
    assert found.title == "Depot plan"


def test_notes_charts_drawings_comments_and_embedded_files() -> None:
    chart = (
        f"<c:chartSpace {NAMESPACES}><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Cable</a:t>"
        f"</a:r></a:p></c:rich>"
        "</c:tx></c:title><c:plotArea><c:barChart><c:ser><c:tx><c:strRef><c:strCache><c:pt idx='0'>"
        "<c:v>Metres</c:v>"
        "</c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache><c:pt idx='0'><c:v>"
        "May</c:v></c:pt>"
        "<c:pt idx='1'><c:v>June</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache>"
        "<c:pt idx='0'><c:v>8.1999999999999993</c:v></c:pt><c:pt idx='1'><c:v>9</c:v></c:pt>"
        "</c:numCache></c:numRef>"
        "</c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>"
    )
    diagram = (
        f'<d:dataModel xmlns:d="x" {NAMESPACES}><d:ptLst><d:pt><d:t><a:p><a:r><a:t>Step one</a:t>'
        f"</a:r></a:p></d:t>"
        "</d:pt></d:ptLst></d:dataModel>"
    )
    frame = "<p:graphicFrame><a:graphic><a:graphicData>{}</a:graphicData></a:graphic></p:graphicFrame>"
    content = slide(
        shape("Figures", placeholder="ctrTitle")
        + frame.format('<c:chart r:id="rc"/>')
        + frame.format('<d:relIds xmlns:d="x" r:dm="rd"/>')
    )
    notes = slide(
        shape("Say it slowly.", placeholder="body") + shape("3", placeholder="sldNum"), root="notes"
    )
    comments = f"<p:cmLst {NAMESPACES}><p:cm><p:text>Is this right?</p:text></p:cm></p:cmLst>"
    related = {
        1: {
            "rc": ("chart", "../charts/c1.xml"),
            "rd": ("diagramData", "../diagrams/d1.xml"),
            "rn": ("notesSlide", "../notes/n1.xml"),
            "rm": ("comments", "../comments/m1.xml"),
            "re": ("package", "../embeddings/list.docx"),
        }
    }
    data = pptx(
        [content],
        related,
        charts__c1_dot_xml=chart,
        diagrams__d1_dot_xml=diagram,
        notes__n1_dot_xml=notes,
        comments__m1_dot_xml=comments,
        embeddings__list_dot_docx=b"PK\x03\x04 something",
    )
    found = find_in_bytes(data, "a.pptx")
    assert found.document is not None
    assert found.document.text == (
        "Figures\n\nCable\n\n | Metres\nMay | 8.2\nJune | 9\n\n• Step one\n\nNotes:\nSay it slowly.\n\n"
        "Comment: Is this right?"
    )
    assert [(member.name, member.data) for member in found.members] == [
        ("list.docx", b"PK\x03\x04 something")
    ]


def test_a_formula_is_said_once_and_escaped_line_ends_are_line_ends() -> None:
    formula = (
        '<mc:AlternateContent xmlns:mc="mc"><mc:Choice><m:t xmlns:m="m">E=mc</m:t></mc:Choice>'
        "<mc:Fallback><a:r><a:t>a picture</a:t></a:r></mc:Fallback></mc:AlternateContent>"
    )
    texts = f"<a:p><a:r><a:t>Energy </a:t></a:r>{formula}</a:p><a:p><a:r><a:t>one_x000B_two</a:t></a:r></a:p>"
    body = f"<p:sp><p:nvSpPr><p:nvPr/></p:nvSpPr><p:txBody>{texts}</p:txBody></p:sp>"
    found = find_in_bytes(pptx([slide(body)]), "a.pptx").document
    assert found is not None
    assert found.text == "Energy E=mc\none\ntwo"


def test_a_missing_slide_leaves_its_number_and_none_at_all_is_damage() -> None:
    data = pptx([slide(shape("one")), slide(shape("two"))])
    found = find_in_bytes(data, "a.pptx").document
    assert found is not None
    assert [page.text for page in found.pages] == ["one", "two"]
    empty = zipped(
        {
            "_rels/.rels": relations({"r1": ("officeDocument", "ppt/presentation.xml")}),
            "ppt/presentation.xml": f"<p:presentation {NAMESPACES}/>",
        }
    )
    with pytest.raises(Unreadable, match="no slides"):
        find_in_bytes(empty, "a.pptx")


def at(left: int, top: int, width: int, height: int, name: str = "a", inner: str = "") -> str:
    place = f'<a:off x="{left}" y="{top}"/><a:ext cx="{width}" cy="{height}"/>{inner}'
    return f"<{name}:xfrm>{place}</{name}:xfrm>"


def put(drawn: str, place: str) -> str:
    return drawn.replace("<p:spPr/>", f"<p:spPr>{place}</p:spPr>")


def test_boxes_are_read_by_their_places_where_they_were_drawn_in_another_order() -> None:
    group = (
        f"<p:grpSp><p:grpSpPr>{at(0, 300, 400, 100)}</p:grpSpPr>"
        + put(shape("fourth"), at(7000, 0, 900, 900))
        + put(shape("third"), at(0, 0, 900, 900))
        + "</p:grpSp>"
    )
    drawn = [
        put(shape("last"), at(0, 500, 400, 50)),
        group,
        put(shape("second"), at(210, 100, 190, 100)),
        put(shape("first"), at(0, 100, 190, 100)),
        put(shape("Head", placeholder="title"), at(0, 600, 400, 50)),
        put(shape("7", placeholder="sldNum"), at(0, 0, 10, 10)),
    ]
    document = find_in_bytes(pptx([slide("".join(drawn))]), "a.pptx").document
    assert document is not None
    assert document.text.split() == ["Head", "first", "second", "third", "fourth", "last"]


def test_places_come_from_the_layout_and_its_master() -> None:
    layout = slide(
        put(shape("here", placeholder="body").replace("<p:ph ", '<p:ph idx="1" '), at(0, 100, 190, 300))
        + shape("there", placeholder="obj").replace("<p:ph ", '<p:ph idx="2" '),
        root="sldLayout",
    )
    master = slide(put(shape("all", placeholder="body"), at(0, 450, 400, 100)), root="sldMaster")
    data = pptx(
        [
            slide(
                put(shape("late"), at(0, 700, 100, 10))
                + shape("middle", placeholder="obj").replace("<p:ph ", '<p:ph idx="2" ')
                + shape("early", placeholder="body").replace("<p:ph ", '<p:ph idx="1" ')
            )
        ],
        {1: {"rl": ("slideLayout", "../layouts/l1.xml")}},
        layouts__l1_dot_xml=layout,
        layouts___rels__l1_dot_xml_dot_rels=relations({"rm": ("slideMaster", "../masters/m1.xml")}),
        masters__m1_dot_xml=master,
    )
    document = find_in_bytes(data, "a.pptx").document
    assert document is not None
    assert document.text.split() == ["early", "middle", "late"]


def test_slides_written_from_the_right_are_read_from_there() -> None:
    right = shape("ראשון").replace("<a:p>", '<a:p><a:pPr rtl="1"/>')
    left = shape("שני").replace("<a:p>", '<a:p><a:pPr rtl="1"/>')
    drawn = put(left, at(0, 0, 100, 50)) + put(right, at(200, 0, 100, 50))
    document = find_in_bytes(pptx([slide(drawn)]), "a.pptx").document
    assert document is not None
    assert document.text.split() == ["ראשון", "שני"]


def test_deep_groups_are_read_without_their_places() -> None:
    deep = put(shape("inside"), at(0, 0, 1, 1))
    for _ in range(90):
        deep = f"<p:grpSp>{deep}</p:grpSp>"
    document = find_in_bytes(pptx([slide(shape("before") + deep)]), "a.pptx").document
    assert document is not None
    assert document.text.split() == ["before", "inside"]
