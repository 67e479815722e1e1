from __future__ import annotations

import struct
import time
from types import SimpleNamespace

import pytest

from ingest.errors import Unreadable
from ingest.readers import Limits, find_in_bytes, read_bytes
from rag.records import Document
from tests.ingest.readers.files import zipped
from tests.ingest.readers.office_files import relations, rows, xlsx

_ODS = "application/vnd.oasis.opendocument.spreadsheet"
_ODF = " ".join(
    f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{short}:1.0"'
    for short in ("office", "table", "text", "style")
)


def tables(document: Document) -> list[tuple[str, str]]:
    """(header, rest) of each table."""
    text = document.text
    return [
        (text[table.start : table.header_end], text[table.header_end : table.end].lstrip("\n"))
        for table in document.tables
    ]


def test_sheets_are_pages_and_hidden_ones_say_so() -> None:
    data = xlsx(
        {"Costs": rows(["Item", "Euros"], ["Cable", 420]), "Notes": rows(["secret"])},
        states={"Notes": "hidden"},
    )
    document = read_bytes(data, "a.xlsx")
    assert [(page.number, page.label) for page in document.pages] == [
        (1, "Costs"),
        (2, "Notes (hidden sheet)"),
    ]
    assert document.pages[0].text == "Costs\n\nItem | Euros\nCable | 420"
    assert document.pages[1].text == "Notes (hidden sheet)\n\nsecret"
    assert tables(document) == [("Item | Euros", "Cable | 420")]


def test_values_are_as_they_are_shown() -> None:
    cells = (
        '<sheetData><row r="1"><c r="A1"><v>3.0</v></c><c r="B1" s="1"><v>0.125</v></c>'
        '<c r="C1" s="2"><v>45463</v></c><c r="D1" t="b"><v>1</v></c><c r="E1" t="s"><v>0</v></c>'
        '<c r="F1"><f>A1*2</f><v>6</v></c><c r="G1"><f>A1*3</f></c><c r="H1" t="e"><v>#N/A</v></c>'
        '<c r="I1" t="str"><f>"a"</f><v>a_x000D_b</v></c><c r="J1" s="3"><v>1234.5</v></c></row></sheetData>'
    )
    data = xlsx(
        {"Sheet1": cells}, styles=["0.0%", "yyyy-mm-dd", "#,##0.00 &quot;€&quot;"], shared=["shared text"]
    )
    assert read_bytes(data, "a.xlsx").text == (
        "3 | 12.5% | 2024-06-20 | TRUE | shared text | 6 | =A1*3 | #N/A | a b | 1,234.50 €"
    )


def test_numbers_longer_than_a_number_keeps_stay_whole() -> None:
    data = xlsx(
        {
            "Sheet1": rows([], ["Card"]).replace(
                "</sheetData>", "<row><c><v>6222021234567890123</v></c></row></sheetData>"
            )
        }
    )
    assert read_bytes(data, "a.xlsx").text == "Card\n\n6222021234567890123"


def test_what_is_printed_around_a_sheet_stands_once() -> None:
    margins = (
        "<headerFooter><oddHeader>&amp;L&amp;&quot;Arial,Bold&quot;&amp;12Costs of the depot"
        "&amp;CPage &amp;P of &amp;N&amp;RP&amp;&amp;L north</oddHeader>"
        "<oddFooter>&amp;CConfidential&amp;R&amp;D</oddFooter></headerFooter>"
    )
    data = xlsx({"Sheet1": rows(["a"]) + margins, "Sheet2": rows(["b"]) + margins})
    assert read_bytes(data, "a.xlsx").text == "a\n\nCosts of the depot\n\nP&L north\n\nConfidential\n\nb"


def test_merged_cells_stand_in_every_row_and_far_cells_cost_nothing() -> None:
    merged = rows(["Depot", "Shelf", "Metres"], ["North", "1", 5], ["", "2", 6], ["South", "1", 7])
    merged += '<mergeCells><mergeCell ref="A2:A3"/></mergeCells>'
    far = (
        '<sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>'
        "2</v></c></row>"
        "</sheetData>"
    )
    started = time.process_time()
    document = read_bytes(xlsx({"S": merged, "Far": far}), "a.xlsx")
    assert time.process_time() - started < 5
    assert "North | 2 | 6" in document.pages[0].text
    assert document.pages[1].text == "Far\n\n1\n\n2"


def test_several_tables_titles_and_notes_of_a_sheet() -> None:
    data = xlsx(
        {
            "Sheet1": rows(
                ["Stock in May"],
                ["Item", "Count"],
                ["Cable", 4],
                [],
                ["Rope", 5],
                [],
                ["Name", "Phone"],
                ["Ann", "0123"],
                ["as of 2 May"],
            )
        }
    )
    document = read_bytes(data, "a.xlsx")
    assert document.text.startswith("Stock in May\n\n")
    # The empty row before Rope parts nothing: the same columns go on.
    assert tables(document) == [("Item | Count", "Cable | 4\nRope | 5"), ("Name | Phone", "Ann | 0123")]
    assert document.text.endswith("as of 2 May")


def test_comments_and_files_of_a_sheet() -> None:
    comments = (
        '<comments xmlns="x"><commentList><comment ref="B2"><text><r><t>count again</t></r></text></comment>'
    )
    data = xlsx(
        {"Sheet1": rows(["one"])},
        parts={
            "xl/worksheets/_rels/sheet1.xml.rels": relations(
                {"c": ("comments", "../comments1.xml"), "e": ("package", "../embeddings/a.docx")}
            ),
            "xl/comments1.xml": comments + "</commentList></comments>",
            "xl/embeddings/a.docx": b"PK\x03\x04x",
        },
    )
    found = find_in_bytes(data, "a.xlsx")
    assert found.document is not None
    assert found.document.text == "one\n\nComment on B2: count again"
    assert [member.name for member in found.members] == ["a.docx"]


def test_drawings_over_a_sheet_say_what_they_say() -> None:
    text = '<a:p xmlns:a="a"><a:r><a:t>{}</a:t></a:r></a:p>'
    data = xlsx(
        {"Sheet1": rows(["one"])},
        parts={
            "xl/worksheets/_rels/sheet1.xml.rels": relations({"d": ("drawing", "../drawings/d.xml")}),
            "xl/drawings/d.xml": f"<x><sp><txBody>{text.format('A box')}</txBody></sp></x>",
            "xl/drawings/_rels/d.xml.rels": relations(
                {"c": ("chartEx", "../charts/c.xml"), "s": ("diagramData", "../diagrams/s.xml")}
            ),
            "xl/charts/c.xml": f"<x><chart><title>{text.format('Tree of costs')}</title></chart></x>",
            "xl/diagrams/s.xml": f"<x><ptLst><pt><t>{text.format('First step')}</t></pt></ptLst></x>",
        },
    )
    assert read_bytes(data, "a.xlsx").text == "one\n\nA box\n\nTree of costs\n\n• First step"


def test_too_much_text_is_refused() -> None:
    with pytest.raises(Unreadable, match="characters of text"):
        read_bytes(
            xlsx({"S": rows(*[["x" * 90] for _ in range(30)])}), "a.xlsx", limits=Limits(text_chars=1000)
        )


def test_an_old_workbook() -> None:
    def record(kind: int, data: bytes) -> bytes:
        return struct.pack("<HH", kind, len(data)) + data

    def place(row: int, column: int) -> bytes:
        return struct.pack("<HH", row, column) + b"\0\0\0"

    def label(row: int, column: int, text: bytes) -> bytes:
        return record(0x0004, place(row, column) + bytes([len(text)]) + text)

    def number(row: int, column: int, value: float) -> bytes:
        return record(0x0003, place(row, column) + struct.pack("<d", value))

    data = record(0x0009, struct.pack("<HH", 2, 0x10))
    data += label(0, 0, b"Item") + label(0, 1, b"Count") + label(1, 0, b"Cable") + number(1, 1, 420.0)
    data += record(0x000A, b"")
    document = read_bytes(data, "a.xls")
    assert document.kind == "xls"
    assert tables(document) == [("Item | Count", "Cable | 420")]
    with pytest.raises(Unreadable, match="damaged"):
        read_bytes(data[:-30], "a.xls")


def test_an_open_document_sheet() -> None:
    def cell(text: str, more: str = "") -> str:
        return f"<table:table-cell {more}><text:p>{text}</text:p></table:table-cell>"

    spanned = 'table:number-rows-spanned="2"'
    empty = '<table:table-row table:number-rows-repeated="1000000"><table:table-cell'
    content = (
        f"<office:document-content {_ODF}><office:automatic-styles><style:style style:name='ta2'>"
        "<style:table-properties table:display='false'/></style:style></office:automatic-styles><office:body>"
        "<office:spreadsheet><table:table table:name='Costs'>"
        f"<table:table-row>{cell('Depot')}{cell('Share')}</table:table-row>"
        f"<table:table-row>{cell('North', spanned)}{cell('12.5 %')}</table:table-row>"
        f"<table:table-row><table:covered-table-cell/>{cell('3 %')}</table:table-row>"
        f"{empty} table:number-columns-repeated='16384'/></table:table-row>"
        "</table:table><table:table table:name='Old' table:style-name='ta2'>"
        f"<table:table-row>{cell('gone')}</table:table-row></table:table>"
        "</office:spreadsheet></office:body></office:document-content>"
    )
    document = read_bytes(zipped({"mimetype": _ODS, "content.xml": content}), "a.ods")
    assert document.kind == "ods"
    assert document.pages[0].text == "Costs\n\nDepot | Share\nNorth | 12.5 %\nNorth | 3 %"
    assert document.pages[1].label == "Old (hidden sheet)"
    assert tables(document)[0] == ("Depot | Share", "North | 12.5 %\nNorth | 3 %")


def test_a_binary_workbook() -> None:
    def record(kind: int, data: bytes = b"") -> bytes:
        number = bytes([kind]) if kind < 128 else bytes([kind & 0x7F | 0x80, kind >> 7])
        return number + bytes([len(data)]) + data

    def wide(text: str) -> bytes:
        return struct.pack("<I", len(text)) + text.encode("utf-16-le")

    def text(column: int, value: str) -> bytes:
        return record(6, struct.pack("<II", column, 0) + wide(value))

    def row(number: int) -> bytes:
        return record(0, struct.pack("<I", number) + bytes(13))

    book = record(131) + record(143) + record(156, struct.pack("<II", 1, 1) + wide("rId1") + wide("Costs"))
    book += record(144) + record(132)
    sheet = record(129) + record(148, struct.pack("<IIII", 0, 1, 0, 1)) + record(145)
    sheet += row(0) + text(0, "Item") + text(1, "Euros")
    sheet += row(1) + text(0, "Rope") + record(5, struct.pack("<IId", 1, 0, 9.0))
    sheet += record(146) + record(130)
    types = "application/vnd.ms-excel.sheet.binary.macroEnabled.main"
    data = zipped(
        {
            "[Content_Types].xml": f'<Types><Override PartName="/x" ContentType="{types}"/></Types>',
            "_rels/.rels": relations({"r1": ("officeDocument", "xl/workbook.bin")}),
            "xl/workbook.bin": book,
            "xl/_rels/workbook.bin.rels": relations({"rId1": ("worksheet", "worksheets/sheet1.bin")}),
            "xl/worksheets/sheet1.bin": sheet,
        }
    )
    document = read_bytes(data, "a.xlsb")
    assert document.kind == "xlsb"
    assert document.pages[0].text == "Costs (hidden sheet)\n\nItem | Euros\nRope | 9"
    assert tables(document) == [("Item | Euros", "Rope | 9")]


def test_a_panic_of_the_library_is_a_damaged_file(monkeypatch: pytest.MonkeyPatch) -> None:
    class Panic(BaseException):
        """As its own, which is no Exception either."""

    def from_filelike(_: object) -> None:
        raise Panic("index out of range")

    monkeypatch.setattr("python_calamine.CalamineWorkbook", SimpleNamespace(from_filelike=from_filelike))
    data = zipped({"[Content_Types].xml": "application/vnd.ms-excel.sheet.binary.macroEnabled.main"})
    with pytest.raises(Unreadable, match="index out of range"):
        read_bytes(data, "a.xlsb")


def test_a_workbook_that_lost_the_list_of_its_parts() -> None:
    import io
    import zipfile

    whole = xlsx({"Costs": rows(["Item", "Euros"], ["Cable", 420])})
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(whole)) as given, zipfile.ZipFile(out, "w") as made:
        for name in given.namelist():
            if name != "xl/_rels/workbook.xml.rels":
                made.writestr(name, given.read(name))
    assert read_bytes(out.getvalue(), "a.xlsx").text == "Costs\n\nItem | Euros\nCable | 420"
