"""Numbers agree across their ways of writing, and differ where they differ."""

from __future__ import annotations

import time
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.citations.numbers import han_value, missing, says_number, stated, values

AGREE = [
    ("25 days", "twenty-five days"),
    ("25 days", "二十五天"),
    ("25天", "２５ 天"),
    ("1.2 million euros", "EUR 1,200,000"),
    ("120万元", "1,200,000 yuan"),
    ("1200000", "120万"),
    ("two weeks", "2 weeks"),
    ("三十天", "30 days"),
    ("2023-05-03", "May 3, 2023"),
    ("5月3日", "3 May"),
    ("09:30", "9:30 a.m."),
    ("25.0 %", "25%"),
    ("二〇二三年", "in 2023"),
    ("105 days", "one hundred and five days"),
    ("250 euros", "two hundred fifty euros"),
    ("EUR 200,000", "two hundred thousand euros"),
    ("two million three hundred thousand", "2.3 million"),
    ("2,304", "two thousand three hundred and four"),
    ("nineteen hundred", "1900"),
    ("12 and 40", "twelve and forty"),
    ("5, 6", "five six"),
    ("100 to 200 days", "between one hundred and two hundred days"),
    ("5,000 to 6,000", "between five thousand and six thousand"),
    ("EUR 120,000", "one hundred and twenty thousand euros"),
    ("2.5 million", "two million and five hundred thousand"),
    ("一百零五人", "105"),
    ("3.5亿", "350 million"),
    ("1. Send the form.", "Send the form."),
    ("第一步：填表", "填表"),
    ("one of the offices", "an office"),
    ("19 718 780", "19 718 780"),
]
DIFFER = [
    ("25 days", "20 days"),
    ("three weeks", "two weeks"),
    ("三十天", "二十天"),
    ("1.2 million", "1.3 million"),
    ("718", "19,718,780"),
    ("in 2023", "in 2022"),
    ("two hundred and five days", "200 days"),
    ("105", "one hundred; five"),
    ("46", "forty, six"),
    ("eleven", "five and six"),
    ("two million", "2"),
    ("0.5 %", "5 %"),
    ("十五个工作日", "五个工作日"),
]


@pytest.mark.parametrize(("claim", "text"), AGREE)
def test_agree(claim: str, text: str) -> None:
    assert not missing(claim, values(text))


@pytest.mark.parametrize(("claim", "text"), DIFFER)
def test_differ(claim: str, text: str) -> None:
    assert missing(claim, values(text))


@pytest.mark.parametrize(
    ("numeral", "value"),
    [
        *(
            ("十", 10),
            ("十五", 15),
            ("二十", 20),
            ("一百零五", 105),
            ("三千二百", 3200),
            ("三万二千", 32_000),
        ),
        *(("一亿二千万", 120_000_000), ("二〇二三", 2023), ("两百", 200), ("一万亿", 10**12)),
    ],
)
def test_chinese_numerals(numeral: str, value: int) -> None:
    assert han_value(numeral) == Decimal(value)


def test_empty_lines_take_no_time() -> None:
    started = time.process_time()
    assert stated("\n" * 20_000 + "25 days") == [frozenset([Decimal(25)])]
    assert time.process_time() - started < 2


@given(st.integers(0, 10**12), st.sampled_from(["{:d}", "{:,d}", "about {:d} items", "共{:d}件"]))
def test_a_number_is_found_however_it_is_grouped(value: int, shape: str) -> None:
    assert Decimal(value) in values(shape.format(value))
    assert Decimal(value) in stated(shape.format(value))[0]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("two days a week", True),
        ("每周两天", True),
        ("40 litres", True),
        ("every March", True),
        ("Employees may work from home.", False),
        ("一般由经理决定", False),
    ],
)
def test_a_number_is_said_in_words_too(text: str, says: bool) -> None:
    assert says_number(text) is says


@pytest.mark.parametrize(
    ("claim", "source", "right"),
    [
        ("违约金为百分之八。", "违约金为百分之八。", True),
        ("违约金为百分之九。", "违约金为百分之八。", False),
        ("The penalty is 8 percent.", "违约金不超过货款的百分之八。", True),
        ("违约金为百分之八。", "The penalty is 8 %.", True),
        ("每日千分之三。", "0.3 % a day", True),
        ("每日千分之三。", "0.5 % a day", False),
        ("增长百分之十二点五。", "Growth was 12.5 %.", True),
        ("增长百分之十二点四。", "Growth was 12.5 %.", False),
        ("共有五件样品。", "There are 6 samples.", False),
    ],
)
def test_shares_in_chinese_words(claim: str, source: str, right: bool) -> None:
    assert (not missing(claim, values(source))) is right


@pytest.mark.parametrize("text", ["每年两次", "千分之三的违约金", "twice a year", "checked monthly", "减半"])
def test_what_answers_how_much_or_how_often(text: str) -> None:
    assert says_number(text)


def test_words_without_any_number_do_not() -> None:
    assert not says_number("The invoice goes to the buyer.")


@given(st.integers(1, 999_999_999))
def test_english_numerals_are_read_back(value: int) -> None:
    text = in_words(value)
    assert values(f"about {text} items") == {Decimal(value)}
    assert values(text.replace("-", " ").replace(" and ", " ")) == {Decimal(value)}


def in_words(value: int) -> str:
    """American and British: 105 as "one hundred and five"."""
    ones = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
    ]
    ones += ["seventeen", "eighteen", "nineteen"]
    tens = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
    for scale, name in ((10**6, "million"), (10**3, "thousand")):
        if value >= scale:
            rest = value % scale
            join = " and " if 0 < rest < 100 else " "
            return f"{in_words(value // scale)} {name}" + (join + in_words(rest) if rest else "")
    if value >= 100:
        return f"{ones[value // 100]} hundred" + (f" and {in_words(value % 100)}" if value % 100 else "")
    if value >= 20:
        return tens[value // 10 - 2] + (f"-{ones[value % 10]}" if value % 10 else "")
    return ones[value]
