"""CSV, JSON, XML, settings and programs."""

from __future__ import annotations

import json

import pytest

from ingest.errors import Skipped, Unreadable
from ingest.readers import read_bytes
from rag.records import Document


def read(text: str | bytes, name: str) -> Document:
    return read_bytes(text.encode() if isinstance(text, str) else text, name)


def headings(document: Document) -> list[tuple[int, str]]:
    for heading in document.headings:
        assert heading.title in document.text[heading.start : heading.start + 200]
    return [(heading.level, heading.title) for heading in document.headings]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("a,b\n1,2\n", ["a | b", "1 | 2"]),
        ("\ufeffa;b\n1,5;2\n", ["a | b", "1,5 | 2"]),
        ("a\tb\n1\t\n\n3\t4\n", ["a | b", "1 |", "3 | 4"]),
        ('a|b\n"x ""y"""|2\n', ["a | b", 'x "y" | 2']),
        ('a,b\n"two\nlines",2\n', ["a | b", "two lines | 2"]),
        ("a,b\r1,2\r3,4\r", ["a | b", "1 | 2", "3 | 4"]),
        ("sep=;\na;b\n1;2\n", ["a | b", "1 | 2"]),
        ("a;b\n1;4,50\n2;0,75\n", ["a | b", "1 | 4,50", "2 | 0,75"]),
        ("a,b\n1,2,3,4\n5,6\n", ["a | b", "1 | 2 | 3 | 4", "5 | 6"]),
        ('a,b\n1,2\n3,"never closed\n5,6\n', ["a | b", "1 | 2", "3 | never closed 5,6"]),
    ],
)
def test_separated_values(text: str, rows: list[str]) -> None:
    document = read(text, "a.csv")
    assert document.kind == "csv"
    assert document.text.split("\n") == rows
    (table,) = document.tables
    assert document.text[table.start : table.header_end] == "a | b"


def test_a_title_above_the_columns_and_another_encoding() -> None:
    document = read("库存表\n物品,数量,单位\n电缆,420,米\n绳子,9,根\n".encode("gb18030"), "a.csv")
    assert document.text == "库存表\n\n物品 | 数量 | 单位\n电缆 | 420 | 米\n绳子 | 9 | 根"


@pytest.mark.parametrize(
    "text",
    [
        "Dear Ann,\nthanks for the list, it helps; really.\nYours,\nBob\n",
        "2024-05-03 10:00:00,123 INFO start, ok\n2024-05-03 10:00:01,456 INFO go, ok\n" * 5,
        "[10.30 16:49:06] app.exe - close, 451 bytes sent, 353 bytes received, lifetime 00:01\n" * 9,
        "May  3 10:00:00 host sshd[1]: failed, retry\nMay  3 10:00:01 host sshd[2]: failed, retry\n" * 5,
        "春眠不觉晓，处处闻啼鸟。\n夜来风雨声，花落知多少。\n床前明月光，疑是地上霜。\n",
    ],
)
def test_prose_and_logs_are_no_tables(text: str) -> None:
    document = read(text, "a.txt")
    assert (document.kind, document.text) == ("text", text)


def test_titles_above_and_notes_below_a_small_table() -> None:
    document = read("Sales\nPrinted in May\n\nRegion,Units\nNorth,420\nSouth,30\n\nSource: own\n", "a.csv")
    assert (
        document.text == "Sales\n\nPrinted in May\n\nRegion | Units\nNorth | 420\nSouth | 30\n\nSource: own"
    )
    (table,) = document.tables
    assert document.text[table.start : table.header_end] == "Region | Units"


def test_a_field_may_be_longer_than_a_megabyte() -> None:
    document = read("id,text\n1," + "word " * 250_000 + "end\n2,short\n", "a.csv")
    assert document.kind == "csv"
    assert document.text.endswith("end\n2 | short")


def test_json_keeps_both_values_of_a_key_that_stands_there_twice() -> None:
    assert read('{"a": 1, "b": 2.50, "a": "x"}', "a.json").text == "a: 1, x\nb: 2.50"


def test_json_keeps_the_path_of_every_value() -> None:
    value = {
        "name": "Depot",
        "open": True,
        "address": {"street": "Harbour Lane", "geo": {"lat": 1.5}},
        "tags": ["dry", "cold"],
        "stock": [{"item": "Cable", "count": 420}, {"item": "Rope", "count": 9, "note": "old"}],
        "people": [{"name": "Ann", "roles": [{"x": 1}]}],
        "grid": [[1, 2], [3, 4]],
        "nothing": None,
    }
    document = read(json.dumps(value), "a.json")
    assert document.text == (
        "name: Depot\nopen: true\ntags: dry, cold\n\naddress.street: Harbour Lane\n\naddress.geo."
        "lat: 1.5\n\nstock:\n\n"
        "item | count | note\nCable | 420 |\nRope | 9 | old\n\npeople[1].name: Ann\n\npeople[1]."
        "roles[1].x: 1\n\ngrid:\n\n"
        "1 | 2\n3 | 4"
    )
    assert document.title == "Depot"
    assert len(document.tables) == 2


def test_json_lines_damage_and_depth() -> None:
    lines = '{"id": 1, "text": "one"}\n{"id": 2, "text": "two"}\n{"id": 3, "te'
    assert "id: 1\ntext: one" in read(lines, "a.jsonl").text
    assert read(lines.rpartition("\n")[0], "a.jsonl").text == "id | text\n1 | one\n2 | two"
    broken = '{"a": 1, // comment\n "b": 2}'
    assert read(broken, "a.json").text == broken
    deep = "[" * 100_000 + "]" * 100_000
    assert read(deep, "a.json").text == deep
    assert "a: 1" in read(json.dumps([[[{"a": 1}]]]), "a.json").text


def test_a_notebook() -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Stock\n", "How much?\n"]},
        {
            "cell_type": "code",
            "source": "print(420)",
            "outputs": [{"output_type": "stream", "text": ["420\n"]}],
        },
    ]
    document = read(json.dumps({"nbformat": 4, "cells": cells}), "a.ipynb")
    assert document.text == "Stock\n\nHow much?\n\nprint(420)\n\n420"
    assert headings(document) == [(1, "Stock")]


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


def test_settings_have_their_sections_as_headings() -> None:
    document = read("[tool]\na = 1\n[tool.lint]\nb = 2\n", "a.toml")
    assert (document.kind, headings(document)) == ("toml", [(1, "tool"), (2, "tool.lint")])
    document = read("# x\nservices:\n  web:\n    image: a\n  db:\n    image: b\nname: z\n", "a.yaml")
    assert headings(document) == [(1, "services"), (2, "web"), (2, "db")]


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        (
            "a.py",
            "class A:\n    async def b(self):\n        pass\n\ndef c(): ...\n",
            [(1, "A"), (2, "b"), (1, "c")],
        ),
        ("a.go", "func (s *S) Run() error {\n}\ntype T struct {\n}\n", [(1, "Run"), (1, "T")]),
        ("a.rs", "impl<T> Foo for Bar {\n    pub fn y(&self) {}\n}\n", [(1, "Bar"), (2, "y")]),
        ("a.ts", "export class A {\n}\nexport const run = async (x) => {\n}\n", [(1, "A"), (1, "run")]),
        (
            "a.java",
            "public class A {\n    private int get(int a) {\n        return f(a);\n    }\n}\n",
            [(1, "A"), (2, "get")],
        ),
        ("a.c", "static int add(int a, int b)\n{\n    return g(a);\n}\n", [(1, "add")]),
        ("a.sql", "CREATE TABLE IF NOT EXISTS stock (id int);\n", [(1, "stock")]),
        ("run", "#!/bin/bash\nstart() {\n  true\n}\n", [(1, "start")]),
        ("a.css", "p { color: red }\n", []),
    ],
)
def test_programs_have_their_definitions_as_headings(
    name: str, text: str, found: list[tuple[int, str]]
) -> None:
    document = read(text, name)
    assert (document.kind, document.text, headings(document)) == ("code", text, found)


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


def test_numbers_stand_as_they_are_written() -> None:
    text = read('{"price": 3.50, "id": 12345678901234567890, "x": NaN, "y": [1.0, 2e3]}', "a.json").text
    assert text == "price: 3.50\nid: 12345678901234567890\nx: NaN\ny: 1.0, 2e3"


def test_attributes_of_records_are_columns() -> None:
    document = read(
        '<list><part id="7"><name>Pump</name><price cur="EUR">19.90</price></part>'
        '<part id="8"><name>Valve</name><price cur="USD">2.50</price></part></list>',
        "a.xml",
    )
    assert document.text == "id | name | price | price cur\n7 | Pump | 19.90 | EUR\n8 | Valve | 2.50 | USD"


def test_a_separated_text_that_calls_itself_a_workbook() -> None:
    document = read("Ort\tWert\nKöln\t13,5\n".encode("utf-16"), "export.xls")
    assert (document.kind, document.text) == ("csv", "Ort | Wert\nKöln | 13,5")


def test_notebooks_of_the_third_format() -> None:
    cells = [
        {"cell_type": "heading", "level": 2, "source": ["Flow"]},
        {
            "cell_type": "code",
            "input": ["measure()"],
            "outputs": [{"output_type": "stream", "text": ["17 l"]}],
        },
    ]
    document = read(json.dumps({"nbformat": 3, "worksheets": [{"cells": cells}]}), "a.ipynb")
    assert document.text == "Flow\n\nmeasure()\n\n17 l"
    assert headings(document) == [(2, "Flow")]


def test_letters_of_java_messages() -> None:
    text = "greeting=\\u4f60\\u597d \\ud83d\\ude00\npath=C:\\\\users\\\\u4e2d\n"
    assert read(text, "messages_zh.properties").text == "greeting=你好 😀\npath=C:\\\\users\\\\u4e2d\n"
    assert read("a = \\u4f60\n", "a.ini").text == "a = \\u4f60\n"


def test_no_value_steers_a_terminal() -> None:
    document = read('{"note": "cable\\u001b]0;gone\\u0007 on shelf \\u009b2Jseven"}', "a.json")
    assert document.text == "note: cable ]0;gone  on shelf  2Jseven"
