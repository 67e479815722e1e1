"""A question about several things becomes one about each; what may be one thing stays whole."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.answering.distributing import distributed_en, distributed_zh

ENGLISH = [
    (
        "What are the price, weight and warranty of the HK-420?",
        [
            "What is the price of the HK-420",
            "What is the weight of the HK-420",
            "What is the warranty of the HK-420",
        ],
    ),
    ("List the fee and the term of the lease", ["List the fee of the lease", "List the term of the lease"]),
    (
        "What is the limit in Oslo, Rome and Paris?",
        ["What is the limit in Oslo", "What is the limit in Rome", "What is the limit in Paris"],
    ),
    ("How long is it in Oslo and in Rome?", ["How long is it in Oslo", "How long is it in Rome"]),
]
CHINESE = [
    ("年假和病假分别有几天", ["年假有几天", "病假有几天"]),
    ("合同的付款期限、交货地点各是什么", ["合同的付款期限是什么", "合同的交货地点是什么"]),
    ("甲型号、乙型号的重量分别是多少", ["甲型号的重量是多少", "乙型号的重量是多少"]),
    ("甲公司2021年和2022年的产量分别是多少", ["甲公司2021年的产量是多少", "甲公司2022年的产量是多少"]),
    ("2021年和2022年的产量分别是多少", ["2021年的产量是多少", "2022年的产量是多少"]),
]


@pytest.mark.parametrize(("question", "each"), ENGLISH)
def test_english(question: str, each: list[str]) -> None:
    assert distributed_en(question) == each


@pytest.mark.parametrize(("question", "each"), CHINESE)
def test_chinese(question: str, each: list[str]) -> None:
    assert distributed_zh(question) == each


@pytest.mark.parametrize(
    "question",
    [
        "What are the terms and conditions of the contract?",
        "Who are the auditors of Johnson and Johnson?",
        "What is the limit in Oslo?",
        "年假有几天",
        "甲型号和乙型号的重量和价格分别是多少",
        "各部门有多少人",
    ],
)
def test_one_thing_stays_whole(question: str) -> None:
    assert distributed_en(question) == [question]
    assert distributed_zh(question) == [question]


@given(st.text(alphabet="AB 的和、分别是, andinthe?of", max_size=40))
def test_whatever_is_asked_something_is_asked(question: str) -> None:
    for pieces in (distributed_en(question), distributed_zh(question)):
        assert pieces
        assert all(piece.strip() for piece in pieces) or pieces == [question]
