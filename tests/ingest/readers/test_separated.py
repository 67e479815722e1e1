"""Separated values: what is a table, with its titles and notes."""

from __future__ import annotations

import pytest

from tests.ingest.readers.reading import read


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


def test_a_separated_text_that_calls_itself_a_workbook() -> None:
    document = read("Ort\tWert\nKöln\t13,5\n".encode("utf-16"), "export.xls")
    assert (document.kind, document.text) == ("csv", "Ort | Wert\nKöln | 13,5")
