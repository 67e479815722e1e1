"""Every sentence here was written for these tests; each is decoded from the encodings its language used."""

from __future__ import annotations

import random

import pytest

from ingest import euc_tw
from ingest.encoding import declared, decode
from tests.ingest.languages import EAST_ASIAN, LEGACY, SENTENCES, UNICODE

assert euc_tw.available()  # registers the codec


@pytest.mark.parametrize(("language", "encoding"), LEGACY)
def test_legacy_encodings_by_their_letters(language: str, encoding: str) -> None:
    text = f"{SENTENCES[language]}\n1. {SENTENCES[language]}\n"
    got = decode(text.encode(encoding))
    assert got is not None
    assert got.text == text


@pytest.mark.parametrize(("language", "encoding"), EAST_ASIAN)
def test_a_few_characters_are_enough_for_east_asian_text(language: str, encoding: str) -> None:
    got = decode(SENTENCES[language][:14].encode(encoding))
    assert got is not None
    assert got.text == SENTENCES[language][:14]


def test_chinese_is_never_taken_for_cyrillic() -> None:
    rng = random.Random(7)
    characters = [c for c in SENTENCES["zh"] if c > "\u4e00"]
    for _ in range(60):
        text = "".join(rng.choice(characters) for _ in range(rng.randint(4, 40)))
        got = decode(text.encode("gb18030"))
        assert got is not None
        assert got.text == text


@pytest.mark.parametrize("encoding", UNICODE)
@pytest.mark.parametrize("language", ["zh", "ru", "de"])
def test_unicode_with_and_without_marks(encoding: str, language: str) -> None:
    text = f"{SENTENCES[language]}\nNo. 420, shelf seven, 7.5 kg\n"
    got = decode(text.encode(encoding))
    assert got is not None
    assert got.text == text


def test_iso_2022() -> None:
    got = decode(SENTENCES["ja"].encode("iso2022_jp"))
    assert got is not None
    assert got.text == SENTENCES["ja"]


def test_a_euro_and_a_ligature_of_the_later_latin_set() -> None:
    text = "Le cœur du réseau coûte 15 € par mois, à Nîmes comme à Évry."
    got = decode(text.encode("iso8859_15"))
    assert got is not None
    assert got.text == text


def test_frames_of_characters_do_not_hide_the_letters() -> None:
    text = f"┌{'─' * 60}┐\n│ {SENTENCES['de'][:40]} │\n└{'─' * 60}┘\n"
    got = decode(text.encode("cp437"))
    assert got is not None
    assert got.text == text


def test_a_zero_in_a_short_text_does_not_make_it_wide() -> None:
    got = decode(b"a,b\n1,\x00\n2,three\n")
    assert got is not None
    assert got.text == "a,b\n1,\n2,three\n"


def test_tildes_before_brackets_are_no_chinese() -> None:
    source = b"see~{\\it} and files~{a1,b2} end"
    got = decode(source)
    assert got is not None
    assert got.text == source.decode()


def test_a_false_label_is_not_believed_and_a_true_one_decides() -> None:
    page = '<html><head><meta charset="{}"></head><body>{}</body></html>'
    false = decode(page.format("iso-8859-1", SENTENCES["zh"]).encode("gb18030"))
    assert false is not None
    assert SENTENCES["zh"] in false.text
    # "é" alone says little; the label does.
    true = decode(page.format("cp437", "Café ferm\u00e9").encode("cp437"))
    assert true is not None


def test_what_counts_may_come_late_in_a_long_line() -> None:
    text = "x" * 50_000 + SENTENCES["zh"]
    got = decode(text.encode("gb18030"))
    assert got is not None
    assert got.text == text


def test_declared_names_the_wider_set() -> None:
    assert declared(b'<meta http-equiv="Content-Type" content="text/html; charset=gb2312">') == "gb18030"
    assert declared(b"<?xml version='1.0' encoding='Shift_JIS'?>") == "cp932"
    assert declared(b'<meta charset="nonsense">') is None
    assert declared(b"no label") is None


def test_line_ends_marks_and_controls_are_tidied() -> None:
    got = decode(b"a\r\nb\rc\x00\x01d\x0c\n")
    assert got is not None
    assert got.text == "a\nb\ncd\x0c\n"
    assert decode(b"start " + b"\x00" * 500 + b" end") is not None


@pytest.mark.parametrize("size", [200, 1001, 20_000])
def test_random_bytes_are_no_text(size: int) -> None:
    rng = random.Random(size)
    for _ in range(10):
        assert decode(rng.randbytes(size)) is None


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\x1b[1;31merror\x1b[0m: no cable\n" * 20, "error: no cable\n" * 20),
        (b"\x1b]0;title\x07done", "done"),
        (b"N\x08NA\x08AM\x08ME\x08E _\x08c_\x08a_\x08b", "NAME cab"),
    ],
)
def test_the_output_of_programs_is_text(data: bytes, text: str) -> None:
    decoded = decode(data)
    assert decoded is not None
    assert decoded.text == text


@pytest.mark.parametrize(
    "label", ["gb2312", '"GBK"', "x-gbk", "ks_c_5601-1987", "utf-8", "nonsense", "zlib", ""]
)
def test_a_label_from_outside_is_weighed(label: str) -> None:
    text = "浔阳仓库第七号货架存放备用电缆四百二十米，验收人是陆明远。"
    decoded = decode(text.encode("gb18030"), label)
    assert decoded is not None
    assert decoded.text == text


def test_marks_of_ascii_between_fields_and_records() -> None:
    read = decode(b"name\x1fprice\x1ePump\x1f4471\x1eValve\x1f88")
    assert read is not None
    assert read.text == "name\tprice\nPump\t4471\nValve\t88"
