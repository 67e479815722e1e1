from __future__ import annotations

from ingest.readers import read_bytes
from rag.records import Document


def read(body: bytes, start: bytes = rb"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0 Arial;}}") -> Document:
    return read_bytes(start + body + b"}", "a.rtf")


def test_headings_lists_tables_and_notes() -> None:
    document = read(
        rb"{\stylesheet{\s1 heading 1;}{\s0 Normal;}}{\info{\title Cable rules}{\author Nobody}}"
        rb"{\header Lane depot\par}\pard\s1 Storage\par\pard\plain Keep it {\v hidden }dry.{"
        rb"\footnote By law.}\par "
        rb"{\listtext 1.\tab}first\par{\listtext 2.\tab}second\par "
        rb"\trowd\trhdr\pard\intbl Item\cell Days\cell\row\trowd\pard\intbl Rope\par and more\cell "
        rb"9\cell\row "
        rb"\pard After {\field{\*\fldinst HYPERLINK x}{\fldrslt the link}}.\par{\*\unknown never}{\pict 0102}"
    )
    assert document.text == (
        "Storage\n\nKeep it dry.\n\nFootnote 1: By law.\n\n1. first\n2. second\n\nItem | "
        "Days\nRope and more | 9\n\n"
        "After the link.\n\nLane depot"
    )
    assert [(heading.level, heading.title) for heading in document.headings] == [(1, "Storage")]
    (table,) = document.tables
    assert document.text[table.start : table.header_end] == "Item | Days"
    assert document.title == "Cable rules"


def test_every_font_in_its_encoding_and_characters_by_number() -> None:
    chinese = b"".join(b"\\'%02x" % byte for byte in "浔阳仓库".encode("gb18030"))
    fonts = rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset134 S;}{\f2\fcharset204 A;}}"
    russian = b"".join(b"\\'%02x" % byte for byte in "склад".encode("cp1251"))
    document = read(
        rb"\f1 "
        + chinese
        + rb"\f0  caf\'e9 \u26085?\u26412\'3f \f2 "
        + russian
        + rb"{\uc0\u-10179\u-8704} \'80",
        fonts,
    )
    assert document.text == "浔阳仓库 café 日本 склад😀 Ђ"


def test_what_is_damaged_or_binary_does_no_harm() -> None:
    assert (
        read(rb"before {\object{\objdata 0105}{\result shown}} \bin5 {{{{{ after }}}} {").text
        == "before shown after"
    )
    assert read_bytes(b"{\\rtf1 cut \\'", "a.rtf").text == "cut"


def test_text_behind_the_last_row_stands_behind_the_table() -> None:
    data = rb"{\rtf1\ansi Before\par\trowd\cellx1\cellx2 Pump\cell 17\cell\row Behind}"
    assert read_bytes(data, "a.rtf").text == "Before\n\nPump | 17\n\nBehind"
