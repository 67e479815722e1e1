"""A question that stands alone is searched for as it is; one that leans on others gets their words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.answering.followup import leans, search_questions
from rag.records import Turn

ALONE = [
    "What was PepsiCo's revenue in 2022?",
    "parental leave policy",
    "How long is the warranty of the HK-420?",
    "Who signs purchase orders above 10,000 euros?",
    "员工年假有多少天？",
    "试用期工资怎么算",
    "传感器供应框架合同的付款期限是多久？",
    "In which year was the company founded and who founded it in Rotterdam as its first director?",
    "出差住宿标准是多少？",
    "公司其他节假日如何安排？",
    "Is it allowed to smoke in the yard?",
    "Is there a policy on pets?",
    "Which papers that expire soon must be renewed?",
    "What happened in the first quarter?",
]
LEANING = [
    "and in 2022?",
    "What about contractors?",
    "how about 2023",
    "in 2022?",
    "Why?",
    "Who approved it?",
    "Is that paid?",
    "What does it cost?",
    "yes",
    "Yes, please.",
    "go on",
    "是的",
    "好的，谢谢",
    "那2022年呢？",
    "试用期呢？",
    "它的保修期多长？",
    "这个需要谁批准？",
    "为什么？",
    "?",
]


def search_question(question: str, history: list[Turn]) -> str:
    return search_questions(question, history)[0]


@pytest.mark.parametrize("question", ALONE)
def test_questions_that_stand_alone(question: str) -> None:
    assert not leans(question)
    history = [Turn("What colour is the sea?", "Blue [1]. Would you like to know about fish?")]
    assert search_question(question, history * 3) == question


@pytest.mark.parametrize("question", LEANING)
def test_questions_that_lean(question: str) -> None:
    assert leans(question)
    assert search_question(question, []) == question
    assert "annual leave" in search_question(
        question, [Turn("How many days of annual leave are there?", "25 [1].")]
    )


def test_another_year_takes_the_place_of_the_first() -> None:
    asked = search_question("and in 2022?", [Turn("What was the revenue in 2021?", "EUR 5 m [1].")])
    assert "revenue" in asked
    assert "2022" in asked
    assert "2021" not in asked


def test_a_chain_of_followups_reaches_the_first_question() -> None:
    history = [Turn("What was the revenue in 2021?", "5 [1]."), Turn("and in 2022?", "6 [2].")]
    asked = search_question("What about 2023?", history)
    assert "revenue" in asked
    assert "2023" in asked
    assert "2022" not in asked


@pytest.mark.parametrize(
    ("offer", "asked"),
    [
        ("二十五天[1]。需要我说明结转规定吗？", "结转规定"),
        ("二十五天[1]。是否需要详细介绍病假的申请流程？", "病假的申请流程"),
        (
            "It is 25 days [1]. Would you like to know how long parental leave lasts?",
            "how long parental leave lasts",
        ),
        (
            "It is 25 days [1]. Shall I list the steps for claiming expenses?",
            "the steps for claiming expenses",
        ),
    ],
)
def test_yes_carries_out_the_offer(offer: str, asked: str) -> None:
    for yes in ("yes", "好的"):
        assert search_question(yes, [Turn("What about leave days?", offer)]) == asked


def test_yes_without_an_offer_asks_for_more_of_the_same() -> None:
    assert search_questions("yes", [Turn("What about leave days?", "It is 25 days [1].")]) == [
        "What about leave days?"
    ]


def test_an_offer_that_leans_itself_keeps_the_question() -> None:
    first, *_ = search_questions(
        "yes", [Turn("What does the pump cost?", "9 [1]. Shall I also list its parts?")]
    )
    assert first == "What does the pump cost? its parts"


def test_what_else_may_be_tried() -> None:
    history = [Turn("What was the revenue in 2021?", "5 [1].")]
    assert search_questions("and in 2022?", history)[1] == "What was the revenue in ?"


@given(
    st.text(max_size=40), st.lists(st.builds(Turn, st.text(max_size=30), st.text(max_size=60)), max_size=4)
)
def test_the_question_itself_is_never_lost(question: str, history: list[Turn]) -> None:
    asked = search_question(question, history)
    if not leans(question) or not history:
        assert asked == question
