"""What is searched for: a question that leans on others gets their words, one that stands alone does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.answering.followup import search_questions
from rag.answering.leaning import leans
from rag.records import Turn


def search_question(question: str, history: list[Turn]) -> str:
    return search_questions(question, history)[0]


def test_another_year_takes_the_place_of_the_first() -> None:
    asked = search_question("and in 2022?", [Turn("What was the revenue in 2021?", "EUR 5 m [1].")])
    assert "revenue" in asked
    assert "2022" in asked
    assert "2021" not in asked


def test_a_correction_is_searched_for_without_its_opening() -> None:
    asked = search_question("I mean the one in Lyon", [Turn("Where is the office?", "In Rotterdam [1].")])
    assert asked == "Where is the office? the one in Lyon"


def test_a_yes_to_an_offer_is_leaned_on() -> None:
    history = [
        Turn("How many days of leave are there?", "25 [1]. Would you like to know about sick pay?"),
        Turn("yes", "Sick pay is full pay for six weeks [1]."),
    ]
    assert "sick pay" in search_question("And after that?", history)


def test_thanks_in_between_are_no_question_to_lean_on() -> None:
    history = [Turn("What was the revenue in 2021?", "5 [1]."), Turn("Oh, thanks!", "You are welcome.")]
    assert "revenue" in search_question("and in 2022?", history)


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


@pytest.mark.parametrize(
    "question", ["用表格列出来", "请用英文回答", "把这些做成表格", "总结一下", "簡單說說"]
)
def test_an_order_about_the_answer_searches_for_what_it_answered(question: str) -> None:
    assert search_questions(question, [Turn("年假有多少天？", "二十五天[1]。")]) == ["年假有多少天？"]


@given(
    st.text(max_size=40), st.lists(st.builds(Turn, st.text(max_size=30), st.text(max_size=60)), max_size=4)
)
def test_the_question_itself_is_never_lost(question: str, history: list[Turn]) -> None:
    asked = search_question(question, history)
    if not leans(question) or not history:
        assert asked == question


WARRANTY = Turn(
    "How long is the warranty of the HK-420?",
    "The warranty is 24 months [1]. It can be extended to 36 months [1]. "
    "Would you like to know what the extension costs?",
)
HOUSING = Turn(
    "How do I open the housing?", "1. Inform the grower [1].\n2. Switch off the supply [1].\n3. Lock it [1]."
)
REVENUE = Turn("What was the revenue of the sensor division in 2021?", "EUR 5 m [1].")
保修 = Turn(
    "HK-420 的保修期多长？",
    "1. 保修期为 24 个月[1]。\n2. 购买延保后为 36 个月[1]。\n需要我说明延保的价格吗？",
)


@pytest.mark.parametrize(
    ("before", "question", "expected"),
    [
        (WARRANTY, "and for the HK-430?", ["warranty", "HK-430"]),
        (WARRANTY, "Why so long?", ["warranty"]),
        (WARRANTY, "What does it cover?", ["warranty", "cover"]),
        (WARRANTY, "yes please", ["what the extension costs"]),
        (WARRANTY, "How much is that?", ["warranty"]),
        (WARRANTY, "Can I extend it?", ["warranty", "extend"]),
        (WARRANTY, "And after that?", ["warranty"]),
        (WARRANTY, "Who do I have to ask?", ["warranty", "ask"]),
        (WARRANTY, "More details please", ["warranty"]),
        (WARRANTY, "Is it transferable to another owner?", ["warranty", "transferable"]),
        (WARRANTY, "the second point?", ["extended to 36 months"]),
        (WARRANTY, "Explain the first one", ["24 months"]),
        (HOUSING, "What about step 2?", ["Switch off the supply"]),
        (HOUSING, "Can you explain the third step?", ["Lock it"]),
        (HOUSING, "Why is the second step needed?", ["Switch off the supply", "needed"]),
        (REVENUE, "and in 2022?", ["revenue", "2022"]),
        (REVENUE, "2023?", ["revenue", "2023"]),
        (REVENUE, "And the profit?", ["sensor division", "profit"]),
        (REVENUE, "compared to 2020?", ["revenue", "2020"]),
        (REVENUE, "What about the valve division?", ["revenue", "valve"]),
        (保修, "那 HK-430 呢？", ["保修期", "HK-430"]),
        (保修, "为什么？", ["保修期"]),
        (保修, "第二点呢？", ["购买延保后为 36 个月"]),
        (保修, "第一点是什么意思？", ["保修期为 24 个月"]),
        (保修, "详细说说第二条", ["购买延保后为 36 个月"]),
        (保修, "好的", ["延保的价格"]),
        (保修, "要多少钱？", ["保修期", "多少钱"]),
        (保修, "可以转让吗？", ["保修期", "转让"]),
        (保修, "谁负责？", ["保修期", "谁负责"]),
        (保修, "从什么时候算起？", ["保修期", "什么时候"]),
        (保修, "还有别的条件吗？", ["保修期", "条件"]),
        (保修, "它包括哪些部件？", ["保修期", "部件"]),
    ],
)
def test_what_is_searched_for_in_a_conversation(before: Turn, question: str, expected: list[str]) -> None:
    asked = search_question(question, [before])
    assert all(words in asked for words in expected), asked


@pytest.mark.parametrize(
    "question", ["谁是公司的总经理？", "上海办公室的地址是什么？", "怎么申请因公出国的签证？"]
)
def test_a_new_matter_stays_alone(question: str) -> None:
    assert search_question(question, [保修]) == question


@pytest.mark.parametrize(
    ("question", "asked", "searched"),
    [
        ("那第二个呢", "合同总价是多少，什么时候交货？", "什么时候交货？"),
        ("第二个在哪里？", "合同总价是多少，什么时候交货？", "什么时候交货？ 第二个在哪里？"),
        ("And the second one?", "What is the price, and when is it delivered?", "When is it delivered?"),
        ("And the fifth one?", "What is the price, and when is it delivered?", None),
    ],
)
def test_a_part_of_the_question_before_is_named_by_its_number(
    question: str, asked: str, searched: str | None
) -> None:
    titles = (
        ["合同总价是多少？", "什么时候交货？"]
        if "合同" in asked
        else ["What is the price?", "When is it delivered?"]
    )
    answer = "\n\n".join(f"**{title}**\n\n“It says so.” [1]" for title in titles)
    found = search_questions(question, [Turn(asked, answer)])
    if searched is None:
        assert found[0].startswith(asked)
    else:
        assert found[0] == searched
