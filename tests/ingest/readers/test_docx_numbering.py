"""The numbers that Word prints before paragraphs."""

from __future__ import annotations

import pytest

from ingest.readers import read_bytes
from ingest.readers.list_numerals import chinese, ordinal, roman, written
from tests.ingest.readers.files import docx, p, part


def read(body: str, numbering: str) -> str:
    return read_bytes(docx(body, numbering=numbering), "file.docx").text


NUMBERING = part(
    "numbering",
    '<w:abstractNum w:abstractNumId="0">'
    '<w:lvl w:ilvl="0"><w:numFmt w:val="chineseCounting"/><w:lvlText w:val="第%1条"/></w:lvl>'
    '<w:lvl w:ilvl="1"><w:numFmt w:val="decimal"/><w:isLgl/><w:lvlText w:val="%1.%2"/></w:lvl>'
    '<w:lvl w:ilvl="2"><w:start w:val="3"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="(%3)"/></w:lvl>'
    "</w:abstractNum>"
    '<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>'
    '<w:num w:numId="7"><w:abstractNumId w:val="0"/></w:num>'
    '<w:num w:numId="8"><w:abstractNumId w:val="1"/></w:num>',
)


def listed(text: str, level: int, number: int = 7) -> str:
    return p(text, f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>')


def test_numbers_that_word_prints_are_in_the_text() -> None:
    body = "".join(
        (
            listed("甲", 0), listed("a", 1), listed("b", 1), listed("x", 2), listed("y", 2), listed("乙", 0),
            listed("c", 1), listed("dot", 0, 8), listed("plain", 0, 0),
        )
    )  # fmt: skip
    assert read(body, NUMBERING) == (
        "第一条 甲\n1.1 a\n1.2 b\n(c) x\n(d) y\n第二条 乙\n2.1 c\n• dot\n\nplain"
    )


def test_numerals() -> None:
    assert [chinese(n) for n in (1, 10, 11, 20, 35, 101, 110)] == [
        "一", "十", "十一", "二十", "三十五", "一百零一", "一百一十",
    ]  # fmt: skip
    assert [roman(n) for n in (1, 4, 9, 14, 1999)] == ["i", "iv", "ix", "xiv", "mcmxcix"]
    assert roman(0) == "0"
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 22)] == ["1st", "2nd", "3rd", "4th", "11th", "22nd"]


@pytest.mark.parametrize(
    ("style", "number", "text"),
    [
        ("decimalEnclosedCircle", 3, "③"),
        ("decimalEnclosedCircle", 21, "21"),
        ("ideographTraditional", 2, "乙"),
        ("ideographZodiac", 12, "亥"),
        ("chineseLegalSimplified", 10, "壹拾"),
        ("ideographDigital", 20, "二〇"),
        ("decimalFullWidth", 12, "１２"),
        ("koreanDigital", 2, "이"),
        ("ganada", 15, "가"),
        ("aiueo", 2, "イ"),
        ("russianLower", 3, "в"),
        ("upperLetter", 27, "AA"),
        ("decimalZero", 7, "07"),
        ("numberInDash", 5, "- 5 -"),
        ("unheard-of", 5, "5"),
    ],
)
def test_numerals_of_other_lists(style: str, number: int, text: str) -> None:
    assert written(number, style) == text


def levels(*patterns: str, more: str = "") -> str:
    return "".join(
        f'<w:lvl w:ilvl="{n}"><w:numFmt w:val="decimal"/><w:lvlText w:val="{pattern}"/>'
        f"{more if n else ''}</w:lvl>"
        for n, pattern in enumerate(patterns)
    )


def test_a_list_that_begins_anew_does() -> None:
    numbering = part(
        "numbering",
        f'<w:abstractNum w:abstractNumId="0">{levels("%1.")}</w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
        '<w:num w:numId="2"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0">'
        '<w:startOverride w:val="1"/></w:lvlOverride></w:num>'
        '<w:num w:numId="3"><w:abstractNumId w:val="0"/></w:num>',
    )
    body = "".join(
        listed(text, 0, number) for text, number in (("a", 1), ("b", 1), ("c", 2), ("d", 2), ("e", 3))
    )
    assert read(body, numbering) == "1. a\n2. b\n1. c\n2. d\n3. e"


@pytest.mark.parametrize(("restart", "last"), [("", "2.1"), ('<w:lvlRestart w:val="0"/>', "2.2")])
def test_a_level_may_go_on_counting_under_the_next_number(restart: str, last: str) -> None:
    numbering = part(
        "numbering",
        f'<w:abstractNum w:abstractNumId="0">{levels("%1.", "%1.%2", more=restart)}</w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>',
    )
    body = "".join(listed("x", level, 1) for level in (0, 1, 0, 1))
    assert read(body, numbering) == f"1. x\n1.1 x\n2. x\n{last} x"
