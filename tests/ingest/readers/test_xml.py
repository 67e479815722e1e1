"""XML: documents, feeds, records, Office files and books."""

from __future__ import annotations

import pytest

from ingest.errors import Skipped, Unreadable
from ingest.readers import read_bytes
from tests.ingest.readers.reading import headings, read


def test_xml_documents_feeds_and_data() -> None:
    book = (
        "<article xmlns='http://docbook.org/ns/docbook'><title>Rules</title><section><title>Storage</title>"
        "<para>Keep <emphasis>it</emphasis> dry.</para><itemizedlist><listitem><para>one</para></listitem>"
        "<listitem><para>two</para></listitem></itemizedlist><informaltable><tgroup><thead><row>"
        "<entry>Item</entry>"
        "<entry>Days</entry></row></thead><tbody><row><entry>Rope</entry><entry>9</entry></row>"
        "</tbody></tgroup>"
        "</informaltable></section></article>"
    )
    document = read(book, "a.xml")
    assert document.text == "Rules\n\nStorage\n\nKeep it dry.\n\none\n\ntwo\n\nItem | Days\nRope | 9"
    assert headings(document) == [(1, "Rules"), (2, "Storage")]
    feed = (
        '<?xml version="1.0" encoding="GB2312"?><rss><channel><title>新闻</title><item><title>'
        "一</title><description>"
        "&lt;p&gt;第一&lt;/p&gt;&lt;p&gt;第二&lt;/p&gt;</description><pubDate>2024</pubDate></item>"
        "</channel></rss>"
    )
    document = read(feed.encode("gb2312"), "a.xml")
    assert document.text == "新闻\n\n一\n\n第一\n\n第二\n\npubDate: 2024"
    data = (
        '<stock depot="North"><item id="1" unit="m"><name>Cable</name><count>420</count></item>'
        '<item unit="m"><name>Rope'
        "</name><count>9</count></item></stock>"
    )
    document = read(data, "a.xml")
    assert document.text == (
        "stock (depot: North)\n\nid | unit | name | count\n1 | m | Cable | 420\n | m | Rope | 9"
    )


def test_entities_are_never_resolved() -> None:
    text = (
        '<!DOCTYPE a [<!ENTITY secret SYSTEM "file:///etc/passwd"><!ENTITY b "bb">]>'
        "<a><p>caf&eacute; &secret;&b;&amp; more&nbsp;words</p></a>"
    )
    document = read(text, "a.xml")
    assert document.text == "café & more words"


def test_entities_that_grow_without_end_are_refused() -> None:
    grown = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
    bomb = f'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a0 "ha">{grown}]><l>&a9;</l>'
    with pytest.raises((Skipped, Unreadable)):
        read(bomb, "a.xml")


def test_office_documents_in_one_xml_file() -> None:
    word = "http://schemas.microsoft.com/office/word/2003/wordml"
    document = read(
        f'<w:wordDocument xmlns:w="{word}"><w:styles><w:style w:styleId="H"><w:name w:val="heading '
        f'1"/></w:style>'
        '</w:styles><w:body><w:p><w:pPr><w:pStyle w:val="H"/></w:pPr><w:r><w:t>Rules</w:t></w:r>'
        "</w:p><w:p><w:r>"
        "<w:t>Keep it </w:t></w:r><w:r><w:t>dry.</w:t></w:r></w:p></w:body></w:wordDocument>",
        "a.xml",
    )
    assert document.text == "Rules\n\nKeep it dry."
    assert headings(document) == [(1, "Rules")]
    excel = "urn:schemas-microsoft-com:office:spreadsheet"
    document = read(
        f'<Workbook xmlns="{excel}" xmlns:ss="{excel}"><Styles><Style ss:ID="s"/></Styles>'
        f'<Worksheet ss:Name="Costs">'
        '<Table><Row><Cell><Data ss:Type="String">Item</Data></Cell><Cell ss:Index="3"><Data>'
        "Euros</Data></Cell></Row>"
        '<Row><Cell ss:MergeDown="1"><Data>Rope</Data></Cell><Cell ss:Index="3"><Data>9</Data></Cell></Row>'
        '<Row><Cell ss:Index="3"><Data>10</Data></Cell></Row></Table></Worksheet></Workbook>',
        "a.xml",
    )
    assert document.pages[0].text == "Costs\n\nItem | Euros\nRope | 9\nRope | 10"
    package = "http://schemas.microsoft.com/office/2006/xmlPackage"
    body = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    document = read(
        f'<pkg:package xmlns:pkg="{package}"><pkg:part pkg:name="/word/document.xml"><pkg:xmlData>'
        f"<w:document "
        f'xmlns:w="{body}"><w:body><w:p><w:r><w:t>flat</w:t></w:r></w:p></w:body></w:document></pkg:xmlData>'
        "</pkg:part></pkg:package>",
        "a.xml",
    )
    assert document.text == "flat"


def test_a_book_in_xml_without_its_pictures() -> None:
    picture = "iVBORw0KGgo" * 100
    document = read(
        "<FictionBook><body><section><title><p>One</p></title><p>It began.</p></section></body>"
        f"<binary id='a'>{picture}</binary></FictionBook>",
        "a.fb2",
    )
    assert document.text == "One\n\nIt began."


def test_attributes_of_records_are_columns() -> None:
    document = read(
        '<list><part id="7"><name>Pump</name><price cur="EUR">19.90</price></part>'
        '<part id="8"><name>Valve</name><price cur="USD">2.50</price></part></list>',
        "a.xml",
    )
    assert document.text == "id | name | price | price cur\n7 | Pump | 19.90 | EUR\n8 | Valve | 2.50 | USD"


def test_parts_one_behind_the_other_are_read_all() -> None:
    declared = '<?xml version="1.0"?><log><e>{}</e></log>'
    assert read_bytes(b"<a>Pump 4471</a>\n<b>Valve 88</b>", "a.xml").text == "a: Pump 4471\nb: Valve 88"
    several = "\n".join(declared.format(word) for word in ("one", "two", "three"))
    assert read_bytes(several.encode(), "a.xml").text == "e: one\ne: two\ne: three"
    records = "".join(f"<r><n>{n}</n><t>row {n}</t></r>" for n in range(3))
    document = read_bytes(records.encode(), "a.xml")
    assert document.text == "n | t\n0 | row 0\n1 | row 1\n2 | row 2"
    assert len(document.tables) == 1
    behind = read_bytes(b'<?xml version="1.0"?><a><b>in it</b></a> and words behind', "a.xml")
    assert behind.text == "b: in it\n\nand words behind"
