from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.text.folding import fold
from rag.text.words import word_spans, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ERR-4031", ["err", "4031", "err4031"]),
        ("19,718,780 votes", ["19", "718", "780", "19718780", "votes"]),
        ("v2.3", ["v2", "3", "v2.3"]),
        ("The company's U.S. don't", ["the", "company", "us", "dont"]),
        ("Covid-19: at 7:01", ["covid", "19", "covid19", "at", "7", "01", "7:01"]),
        ("revenue¹ m² 1½", ["revenue", "m", "1"]),
        ("a_b_value", ["a", "b", "value", "abvalue"]),
        ("绿茶", ["绿茶"]),
        ("喝茶吗", ["喝茶", "茶吗"]),
        ("茶, 2023年5月3日", ["茶", "2023", "年", "5", "月", "3", "日"]),
        ("用Python写", ["用", "python", "写"]),
        ("Ёлка στο Ρήμα", ["елка", "στο", "ρημα"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("한국어 문서", ["한국", "국어", "문서"]),
        ("العَرَبِيَّة", ["العربية"]),
        ("＿ … 😀 -- ''", []),
        ("1.2.3.4.5.6.7", ["1", "2", "3", "4", "5", "6", "7"]),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_writing_does_not_matter() -> None:
    assert words("ＣＯＶＩＤ－１９ ⼀⽇游") == words("covid‑19 一日游")


def test_spans_are_of_the_original_text() -> None:
    text = "ﬁnance ＥＲＲ－４０３１: 绿茶"
    found = {word.word: text[word.start : word.end] for word in word_spans(text)}
    assert found == {
        "finance": "ﬁnance",
        "err": "ＥＲＲ",
        "4031": "４０３１",
        "err4031": "ＥＲＲ－４０３１",
        "绿茶": "绿茶",
    }


@given(st.text())
def test_spans_and_words_agree(text: str) -> None:
    spans = word_spans(text)
    assert [word.word for word in spans] == words(text)
    for word in spans:
        assert 0 <= word.start < word.end <= len(text)
        assert word.word
        assert set(word.word) <= set(fold(text[word.start : word.end]))


@given(st.text())
def test_no_word_holds_a_character_that_a_query_language_could_misread(text: str) -> None:
    assert not any(char in word for word in words(text) for char in " \"'*()-\n\t")


@given(st.text(), st.text())
def test_pieces_apart_by_white_space_do_not_touch(a: str, b: str) -> None:
    assert words(f"{a} \n {b}") == words(a) + words(b)
