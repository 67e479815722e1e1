"""Every sentence here was written for these tests; each is decoded from the encodings its language used."""

from __future__ import annotations

import random

import pytest

from ingest import euc_tw
from ingest.encoding import declared, decode

assert euc_tw.available()  # registers the codec

SENTENCES = {
    "zh": "仓库在每月第一个星期一盘点，盘点时暂停发货。请各部门提前两天提交清单，谢谢配合。",
    "zh-hant": "倉庫在每月第一個星期一盤點，盤點時暫停出貨。請各部門提前兩天提交清單，謝謝配合。",
    "ja": "倉庫は毎月最初の月曜日に棚卸しをします。その間は出荷を止めますので、ご注意ください。",
    "ko": "창고는 매월 첫째 월요일에 재고를 조사합니다. 조사하는 동안에는 출고를 하지 않습니다.",
    "ru": "Склад проверяют в первый понедельник каждого месяца. В этот день товар не отпускают.",
    "uk": "Склад перевіряють у перший понеділок кожного місяця. Цього дня товар не відпускають.",
    "bg": "Складът се проверява всеки първи понеделник от месеца. Тогава стока не се дава.",
    "el": "Η αποθήκη ελέγχεται την πρώτη Δευτέρα κάθε μήνα. Εκείνη την ημέρα δεν παραδίδονται προϊόντα.",
    "he": "המחסן נבדק ביום שני הראשון של כל חודש. באותו יום לא מוציאים סחורה.",
    "ar": "يتم جرد المستودع في أول يوم اثنين من كل شهر. لا تخرج البضائع في ذلك اليوم.",
    "th": "คลังสินค้าจะตรวจนับทุกวันจันทร์แรกของเดือน ในวันนั้นจะไม่มีการส่งสินค้า",
    "de": "Das Lager wird am ersten Montag geprüft. Dann dürfen keine Güter hinaus, außer größeren.",
    "fr": "L'entrepôt est contrôlé le premier lundi; ce jour-là rien n'est livré à l'extérieur, même pressé.",
    "es": "El almacén se revisa el lunes. ¿Y qué día no se entregará ningún artículo? Mañana también.",
    "pl": "Magazyn sprawdza się w pierwszy poniedziałek miesiąca. Wtedy nie wydaje się żadnych towarów.",
    "cs": "Sklad se kontroluje první pondělí každého měsíce. Ten den se zboží nevydává, ani když spěchá.",
    "hu": "A raktárt minden hónap első hétfőjén ellenőrzik. Aznap nem adnak ki árut, csak külön, hűtőből.",
    "sr": "Складиште се проверава сваког првог понедељка у месецу. Тада се роба не издаје, јер се броји.",
    "kk": "Қойма әр айдың бірінші дүйсенбісінде тексеріледі. Сол күні тауар берілмейді, өйткені есеп жүреді.",
    "pt": "O armazém é revisto na primeira segunda-feira; nesse dia não há saída de artigos, só à mão.",
    "is": "Vörugeymslan er talin fyrsta mánudag hvers mánaðar. Þann dag er ekkert afhent, því það er talið.",
    "lv": "Noliktavu pārbauda katra mēneša pirmajā pirmdienā. Tajā dienā preces neizsniedz, jo tās skaita.",
    "tr": "Depo her ayın ilk pazartesi günü sayılır. O gün dışarıya ürün çıkışı yapılmaz, çünkü sayımdadır.",
}
WRITTEN_IN = {
    "zh": "gb18030 gbk",
    "zh-hant": "big5 euc_tw",
    "ja": "cp932 euc_jp",
    "ko": "euc_kr",
    "ru": "cp1251 koi8_r mac_cyrillic cp866 iso8859_5",
    "uk": "cp1251",
    "bg": "cp1251",
    "el": "cp1253 iso8859_7 cp737 cp869",
    "he": "cp1255 cp862",
    "ar": "cp1256 iso8859_6 cp720",
    "th": "cp874",
    "de": "cp1252 cp437 cp037 cp500",
    "fr": "cp1252",
    "es": "cp1252",
    "pl": "cp1250 iso8859_2",
    "cs": "cp1250 iso8859_2 mac_latin2",
    "hu": "cp1250",
    "tr": "cp1254",
    "sr": "cp1251 iso8859_5",
    "kk": "kz1048 ptcp154",
    "pt": "cp1252 cp860",
    "is": "cp1252 cp861",
    "lv": "cp1257 cp775",
}
LEGACY = [(language, encoding) for language, names in WRITTEN_IN.items() for encoding in names.split()]
EAST_ASIAN = [pair for pair in LEGACY if pair[0] in ("zh", "zh-hant", "ja", "ko")]
UNICODE = ["utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le", "utf-16-be", "utf-32-le"]


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


def test_marks_of_ascii_between_fields_and_records() -> None:
    read = decode(b"name\x1fprice\x1ePump\x1f4471\x1eValve\x1f88")
    assert read is not None
    assert read.text == "name\tprice\nPump\t4471\nValve\t88"
