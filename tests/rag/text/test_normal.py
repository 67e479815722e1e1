from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.text.normal import find_quote, normalise

PAGE = (
    "The share-\nholders voted.  Net-\nzero emissions: 19,718,780 for; 977,228,788 against.\n"
    "“Quoted” text — with dashes, ＦＵＬＬ　ｗｉｄｔｈ and ⼀个⽇⼦。本次\n会 议通过了决议，共３０％。\n"
    "Growth was 10² points, or 3.5 %. The internet company’s naïve plan."
)


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("The shareholders voted.", "The share-\nholders voted"),
        ("the share-holders voted", "The share-\nholders voted"),
        ("Net-zero emissions", "Net-\nzero emissions"),
        ("netzero emissions", "Net-\nzero emissions"),
        ("19,718,780", "19,718,780"),
        ("for; 977,228,788", "for; 977,228,788"),
        ('"Quoted" text - with', "Quoted” text — with"),
        ("full width", "ＦＵＬＬ　ｗｉｄｔｈ"),
        ("一个日子", "⼀个⽇⼦"),
        ("本次会议通过了决议", "本次\n会 议通过了决议"),
        ("共30%", "共３０％"),
        ("company's naive plan", "company’s naïve plan"),
        ("… 3.5% ...", "3.5 %"),
        ("  'points,'  ", "points"),
    ],
)
def test_finds_the_original_span(quote: str, found: str) -> None:
    span = find_quote(quote, PAGE)
    assert span is not None
    assert PAGE[slice(*span)] == found


@pytest.mark.parametrize(
    "quote",
    [
        "718,780",  # the end of a longer number
        "9,718,780",
        "19,718",  # its beginning
        "977,228",
        ".5 %",  # would be 3.5
        "net company",  # inside "internet"
        "grow",
        "102 points",  # 10² is not 102
        "977,228,789",
        "voted against",
        "",
        " … ",
        "—",
    ],
)
def test_does_not_find(quote: str) -> None:
    assert find_quote(quote, PAGE) is None


@pytest.mark.parametrize("text", ["It costs 718.5 euros.", "It costs 718,5 euros.", "718.5"])
def test_a_number_without_its_decimals_is_another(text: str) -> None:
    assert find_quote("718", text) is None
    assert find_quote("718.5", text.replace(",", ".")) is not None


def test_a_part_of_a_word_when_asked_for() -> None:
    span = find_quote("net comp", PAGE, whole_words=False)
    assert span is not None
    assert PAGE[slice(*span)] == "net comp"


def test_goes_on_after_a_place_inside_a_word() -> None:
    text = "internet, then net"
    assert find_quote("net", text) == (15, 18)


def test_a_unit_behind_a_number_is_no_part_of_it() -> None:
    assert find_quote("5", "a 5G net") == (2, 3)
    assert find_quote("5", "共5个") == (1, 2)
    assert find_quote("5", "3.5") is None
    assert find_quote("5", "see 5.") == (4, 5)


@given(st.text(min_size=1), st.text(), st.text())
def test_whatever_stands_there_is_found(quote: str, before: str, after: str) -> None:
    text = f"{before} {quote} {after}"
    span = find_quote(quote, text, whole_words=False)
    if span is None:
        # Nothing to compare by: no letter and no digit was left after folding.
        assert not any(char.isalnum() for char in normalise(quote))
    else:
        start, end = span
        assert 0 <= start < end <= len(text)


@given(st.text(alphabet="ab1,.- \n", min_size=1, max_size=6), st.text(alphabet="ab1,.- \n", max_size=40))
def test_a_found_span_says_what_the_quote_says(quote: str, text: str) -> None:
    span = find_quote(quote, text)
    if span is not None:
        strip = str.maketrans("", "", " \n-.,")
        assert text[slice(*span)].translate(strip) == quote.translate(strip)
        start, end = span
        assert not (start and text[start].isalpha() and text[start - 1].isalpha())
        assert not (end < len(text) and text[end].isdecimal() and text[end - 1].isdecimal())


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("The  share-\nholders\n\tvoted ", "the shareholders voted"),
        ("本次\n会 议", "本次会议"),
        ("用 Python 写", "用python写"),
        ("2019-\n2020", "2019- 2020"),
        ("", ""),
    ],
)
def test_normalise(text: str, normal: str) -> None:
    assert normalise(text) == normal


@given(st.text())
def test_normalise_leaves_single_spaces(text: str) -> None:
    normal = normalise(text)
    assert "  " not in normal
    assert normal == normal.strip()
