"""Texts that are cut, damaged, or written in two encodings."""

from __future__ import annotations

import random

import pytest

from ingest import euc_tw
from ingest.encoding import decode
from tests.ingest.languages import EAST_ASIAN, SENTENCES


def test_utf8_with_one_damaged_byte_stays_utf8() -> None:
    data = bytearray(SENTENCES["zh"].encode())
    data[31] = 0x20
    got = decode(bytes(data))
    assert got is not None
    assert got.encoding == "utf-8"
    assert "请各部门提前两天提交清单" in got.text


def test_lines_of_two_encodings_are_both_read() -> None:
    data = SENTENCES["zh"].encode("gb18030") + b"\n" + SENTENCES["zh"].encode() + b"\n"
    got = decode(data)
    assert got is not None
    assert got.text == f"{SENTENCES['zh']}\n{SENTENCES['zh']}\n"


def test_a_log_that_two_programs_write_is_read_line_by_line() -> None:
    zh, ru = SENTENCES["zh"], SENTENCES["ru"]
    lines = [(zh, "utf-8"), (ru, "cp1251"), (zh, "gb18030")] * 8
    got = decode(b"\r\n".join(text.encode(encoding) for text, encoding in lines))
    assert got is not None
    assert got.text == "\n".join(text for text, _ in lines)


def test_short_lines_in_an_older_encoding_are_not_taken_for_a_mixed_text() -> None:
    rng = random.Random(3)
    characters = [c for c in SENTENCES["zh"] if c > "\u4e00"]
    text = "\n".join("".join(rng.choices(characters, k=rng.randint(2, 12))) for _ in range(400))
    got = decode(text.encode("gb18030"))
    assert got is not None
    assert got.text == text


@pytest.mark.parametrize("language", ["zh", "ru", "fr"])
@pytest.mark.parametrize("short", [True, False])
def test_utf8_that_is_cut_inside_a_character(language: str, short: bool) -> None:
    text = SENTENCES[language] if short else SENTENCES[language] * 300
    place = next(i for i, character in enumerate(text) if character > "\x7f")
    last = max(i for i, character in enumerate(text) if character > "\x7f")
    data = text[place : last + 1].encode()
    found = decode(data[1:-1])
    assert found is not None
    assert found.encoding == "utf-8"
    assert found.text == text[place + 1 : last]


@pytest.mark.parametrize(("language", "encoding"), EAST_ASIAN)
@pytest.mark.parametrize("times", [1, 20])
def test_two_byte_encodings_that_are_cut_inside_a_character(language: str, encoding: str, times: int) -> None:
    text = SENTENCES[language].split("。")[0].split(".")[0]
    data = (text * times).encode(encoding)
    found = decode(data[1:])
    assert found is not None
    assert found.text.endswith(text[3:])
    assert len(found.text) <= len(text) * times
    last = len(text[-1].encode(encoding)) - 1
    assert last > 0
    found = decode(data[:-last])
    assert found is not None
    assert found.text == (text * times)[:-1]


def test_a_last_letter_of_an_older_encoding_is_no_cut() -> None:
    found = decode("Wir treffen uns im Café".encode("cp1252"))
    assert found is not None
    assert found.text.endswith("Café")


def test_zeros_where_nothing_was_written() -> None:
    text = SENTENCES["zh"]
    line = (text + "\n").encode("gb18030")
    read = decode(line * 3 + b"\0" * 4096)
    assert read is not None
    assert read.text == (text + "\n") * 3
    for encoding in ("utf-16-le", "utf-16-be", "utf-32-le", "ascii"):
        english = "The store is counted on every first Monday.\n" * 3
        read = decode(english.encode(encoding) + b"\0" * 512 + english.encode(encoding))
        assert read is not None
        assert read.text == english * 2


def test_a_log_with_a_few_damaged_bytes() -> None:
    good = b"12:00:01 counted the store\n" * 40
    read = decode(good + b"\x00\x01\x02\xff\xfe\x80\n" + good)
    assert read is not None
    assert read.text.count("counted the store") == 80
    assert decode(good + bytes(range(1, 9)) * 40 + b"\xff\x81") is None


def test_euc_tw_with_bytes_that_are_none_of_its_characters() -> None:
    assert b"a\xc4\xe3\xc5\xc6".decode(euc_tw.NAME) == "a中文"
    assert b"\xc4\xe3\xc4\xff\xc5".decode(euc_tw.NAME, "replace") == "中\ufffd\ufffd\ufffd"
    with pytest.raises(UnicodeDecodeError):
        b"\xc4\xe3\xc4".decode(euc_tw.NAME)
    with pytest.raises(UnicodeEncodeError):
        "中😀".encode(euc_tw.NAME)


@pytest.mark.parametrize("first", ["utf-8", "gb18030"])
@pytest.mark.parametrize("times", [1, 40])
def test_two_encodings_in_one_line(first: str, times: int) -> None:
    second = "gb18030" if first == "utf-8" else "utf-8"
    text = SENTENCES["zh"] * times
    read = decode(text.encode(first) + text.encode(second))
    assert read is not None
    assert read.text == text * 2
