"""A question that stands alone is searched for as it is; one that leans on others gets their words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.answering.courtesy import courtesy
from rag.answering.followup import search_questions
from rag.answering.leaning import leans
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
    "How did the horse latitudes get their name?",
    "When did Tesla attain his transmitter patent?",
    "How long does it take to repair a pump?",
    "Can I smoke in the yard?",
    "What is the notice period of the Rotterdam lease?",
    "Who signs for phase one?",
    "差旅费用的报销期限是多久？",
    "如何重置密码？",
    "比较鹿特丹和苏州的年假",
    "哪家供应商交货最快？",
    "Are there exceptions to the travel policy?",
    "Compare the two leases of Rotterdam and Lyon",
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
    "When did it take place?",
    "How can I create one?",
    "How do I apply?",
    "Can we cancel?",
    "Is there anything else?",
    "What is the deadline?",
    "What are its benefits?",
    "If not, what happens?",
    "Aren't they considered an expense, and therefore not part of the price of the goods?",
    "No, I meant the office in Lyon.",
    "不是，我是说鹿特丹的办公室",
    "期限是多久？",
    "有哪些例外？",
    "费用多少？",
    "Why 8%?",
    "Same for Lyon?",
    "Are there exceptions?",
    "Which documents are needed?",
    "Which is cheaper?",
    "该合同的违约金是多少？",
    "前面提到的合同什么时候到期？",
    "还需要什么手续？",
    "最晚什么时候？",
    "两者有什么区别？",
    "这两种方案哪个便宜？",
    "哪个更好？",
    "用表格列出来",
    "请举个例子",
    "为什么是8%？",
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


def test_a_yes_to_an_answer_that_offers_nothing_is_asked_what_is_wanted() -> None:
    plain = Turn("How long is the warranty?", "“Two years from delivery.” [1]")
    for words in ("yes", "ok", "Sure.", "好的", "是的", "嗯"):
        assert courtesy(words, [plain], "en")
    for words in ("go on", "tell me more", "继续", "yes, and in 2022?"):
        assert not courtesy(words, [plain], "en")
    assert courtesy("好的", [plain], "zh").startswith("好的")


def test_thanks_and_no_ask_nothing() -> None:
    for words in ("thanks", "ok, thank you!", "No, thanks.", "谢谢", "好的，谢谢您", "不用了，谢谢"):
        assert courtesy(words, [], "en")
    for words in ("no", "不用了", "算了"):
        assert courtesy(words, [保修], "zh")
        assert not courtesy(words, [], "zh")
    for words in ("yes", "好的", "go on"):
        assert courtesy(words, [], "zh")
        assert not courtesy(words, [保修], "zh")
    for words in ("yes", "好的", "thank you note template", "谢谢信怎么写？", "no smoking rules", "不锈钢"):
        assert not courtesy(words, [WARRANTY], "en")


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
