from __future__ import annotations

import pytest

from ingest.errors import Skipped
from ingest.readers import read_bytes
from tests.ingest.readers.files import zipped

_ODF = " ".join(
    f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{short}:1.0"'
    for short in ("office", "table", "text", "style", "presentation")
)
_ODF += ' xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"'
_META = (
    f'<office:document-meta {_ODF} xmlns:dc="http://purl.org/dc/elements/1.1/"><office:meta>'
    f"<dc:title>Cable rules"
    "</dc:title></office:meta></office:document-meta>"
)


def package(kind: str, body: str, **parts: str) -> bytes:
    content = f"<office:document-content {_ODF}><office:body>{body}</office:body></office:document-content>"
    return zipped(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "content.xml": content,
            "meta.xml": _META,
            **parts,
        }
    )


def test_a_text_with_headings_lists_tables_notes_and_boxes() -> None:
    body = (
        "<office:text><text:tracked-changes><text:p>deleted</text:p></text:tracked-changes>"
        '<text:h text:outline-level="2">Storage</text:h>'
        "<text:p>Keep<text:s text:c='2'/>it<text:tab/>dry<text:line-break/>always."
        "<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>By law."
        "</text:p></text:note-body>"
        "</text:note></text:p>"
        "<text:list><text:list-item><text:p>one</text:p><text:list><text:list-item><text:p>inner</text:p>"
        "</text:list-item></text:list></text:list-item><text:list-item><text:p>two</text:p>"
        "</text:list-item></text:list>"
        "<table:table><table:table-header-rows><table:table-row><table:table-cell><text:p>Item</text:p>"
        "</table:table-cell><table:table-cell><text:p>Days</text:p></table:table-cell></table:table-row>"
        "</table:table-header-rows><table:table-row><table:table-cell><text:p>Rope</text:p>"
        "</table:table-cell>"
        "<table:table-cell><text:p>9</text:p></table:table-cell></table:table-row></table:table>"
        "<text:p><draw:frame><draw:text-box><text:p>boxed</text:p></draw:text-box></draw:frame>"
        "</text:p></office:text>"
    )
    document = read_bytes(package("text", body), "a.odt")
    assert document.text == (
        "Storage\n\nKeep it dry\nalways.\n\nFootnote 1: By law.\n\n• one\n• inner\n• two\n\nItem | "
        "Days\nRope | 9\n\n"
        "boxed"
    )
    assert [(heading.level, heading.title) for heading in document.headings] == [(2, "Storage")]
    (table,) = document.tables
    assert document.text[table.start : table.header_end] == "Item | Days"
    assert document.title == "Cable rules"


def test_slides_with_titles_and_notes() -> None:
    body = (
        "<office:presentation><draw:page draw:name='page1'><draw:frame presentation:class='title'>"
        "<draw:text-box>"
        "<text:p>Plan</text:p></draw:text-box></draw:frame><draw:custom-shape><text:p>in a shape</text:p>"
        "</draw:custom-shape><draw:g><draw:frame><draw:text-box><text:p>in a group</text:p>"
        "</draw:text-box></draw:frame>"
        "</draw:g><presentation:notes><draw:frame><draw:text-box><text:p>Say it.</text:p>"
        "</draw:text-box></draw:frame>"
        "</presentation:notes></draw:page><draw:page draw:name='page2'/></office:presentation>"
    )
    document = read_bytes(package("presentation", body), "a.odp")
    assert [(page.number, page.label) for page in document.pages] == [(1, "Plan"), (2, None)]
    assert document.pages[0].text == "Plan\n\nin a shape\n\nin a group\n\nNotes: Say it."


def test_shapes_of_a_slide_are_read_by_their_places() -> None:
    def drawn(text: str, x: str, y: str, kind: str = "frame") -> str:
        inner = f"<text:p>{text}</text:p>"
        if kind == "frame":
            inner = f"<draw:text-box>{inner}</draw:text-box>"
        place = f"svg:x='{x}' svg:y='{y}' svg:width='4cm' svg:height='20mm'"
        return f"<draw:{kind} {place}>{inner}</draw:{kind}>"

    svg = 'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"'
    group = "<draw:g>" + drawn("third", "6cm", "5cm") + drawn("second", "1cm", "5cm") + "</draw:g>"
    turned = drawn("fourth", "1cm", "8cm").replace(
        "svg:x='1cm' svg:y='8cm'", "draw:transform='rotate (0.5) translate (1cm 8cm)'"
    )
    body = (
        f"<office:presentation {svg}><draw:page>"
        + turned
        + group
        + drawn("first", "1in", "20pt", "custom-shape")
        + "</draw:page></office:presentation>"
    )
    assert read_bytes(package("presentation", body), "a.odp").text.split() == [
        "first",
        "second",
        "third",
        "fourth",
    ]


def test_a_flat_file_and_a_locked_one() -> None:
    flat = (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document {_ODF} '
        f'office:mimetype="application/vnd.oasis.'
        'opendocument.text"><office:body><office:text><text:p>Grüße</text:p></office:text></office:body>'
        "</office:document>"
    )
    document = read_bytes(flat.encode(), "a.fodt")
    assert (document.kind, document.text) == ("odt", "Grüße")
    locked = package("text", "", **{"META-INF/manifest.xml": "<m><encryption-data/></m>"})
    with pytest.raises(Skipped, match="password"):
        read_bytes(locked, "a.odt")


def test_formulas_and_charts_stand_where_they_are_shown() -> None:
    link = 'xmlns:xlink="http://www.w3.org/1999/xlink"'
    body = (
        f"<office:text {link}><text:p>Area <draw:frame><draw:object xlink:href='./Object 1'/>"
        f"<draw:image/></draw:frame>"
        " of a circle.</text:p><text:p><draw:frame><draw:object xlink:href='./Object 2'/>"
        "</draw:frame></text:p>"
        "<text:p>Power <draw:frame><draw:object xlink:href='./Object 3'/></draw:frame>!</text:p>"
        "</office:text>"
    )
    power = "<msup><mi>r</mi><mn>2</mn></msup>"
    annotated = (
        f"<math><semantics><mrow><mi>A</mi><mo>=</mo><mi>π</mi>{power}</mrow>"
        "<annotation>A = %pi r^2</annotation></semantics></math>"
    )
    plain = "<math><msup><mi>x</mi><mrow><mi>n</mi><mo>+</mo><mn>1</mn></mrow></msup></math>"

    def row(*cells: str) -> str:
        inner = "".join(f"<table:table-cell><text:p>{cell}</text:p></table:table-cell>" for cell in cells)
        return f"<table:table-row>{inner}</table:table-row>"

    chart = (
        f'<office:document-content {_ODF} xmlns:chart="urn:c"><office:body><office:chart>'
        f"<chart:chart><chart:title>"
        f"<text:p>Stock</text:p></chart:title><table:table>"
        f"{row('', 'Metres')}{row('May', '420')}</table:table>"
        "</chart:chart></office:chart></office:body></office:document-content>"
    )
    objects = {
        "Object 1/content.xml": annotated,
        "Object 2/content.xml": chart,
        "Object 3/content.xml": plain,
    }
    document = read_bytes(package("text", body, **objects), "a.odt")
    assert document.text == ("Area A=πr^2 of a circle.\n\nStock\n\n | Metres\nMay | 420\n\nPower x^(n+1)!")


_OTHER_PREFIXES = (
    '<o:document xmlns:o="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:t="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:x="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
    'o:mimetype="application/vnd.oasis.opendocument.spreadsheet"><o:body><o:spreadsheet><t:table t:name="S">'
    "<t:table-row><t:table-cell><x:p>Pump</x:p></t:table-cell><t:table-cell><x:p>4471</x:p></t:table-cell>"
    "</t:table-row></t:table></o:spreadsheet></o:body></o:document>"
)


@pytest.mark.parametrize("before", ["", '<?xml version="1.0" encoding="UTF-8"?>\n<!-- made by hand -->\n'])
def test_the_prefixes_of_the_namespaces_are_free(before: str) -> None:
    document = read_bytes((before + _OTHER_PREFIXES).encode(), "a.fods")
    assert (document.kind, document.text) == ("ods", "S\n\nPump | 4471")
    bare = _OTHER_PREFIXES.replace("xmlns:o=", "xmlns=").replace("<o:", "<").replace("</o:", "</")
    bare = bare.replace(
        " o:mimetype", ' xmlns:o="urn:oasis:names:tc:opendocument:xmlns:office:1.0" o:mimetype'
    )
    document = read_bytes((before + bare).encode(), "a.fods")
    assert (document.kind, document.text) == ("ods", "S\n\nPump | 4471")


def test_a_package_without_its_type_is_what_its_manifest_says() -> None:
    content = _OTHER_PREFIXES.replace("o:document", "o:document-content")
    manifest = (
        '<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><m:file-entry '
        'm:full-path="/" m:media-type="application/vnd.oasis.opendocument.spreadsheet"/></m:manifest>'
    )
    data = zipped({"content.xml": content, "META-INF/manifest.xml": manifest})
    document = read_bytes(data, "a.ods")
    assert (document.kind, document.text) == ("ods", "S\n\nPump | 4471")
