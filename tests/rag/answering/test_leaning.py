"""Which questions stand on their own and which need the conversation before them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.answering.followup import search_questions
from rag.answering.leaning import leans, orders
from rag.answering.nameless import nameless
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


@pytest.mark.parametrize("question", ALONE)
def test_questions_that_stand_alone(question: str) -> None:
    assert not leans(question)
    history = [Turn("What colour is the sea?", "Blue [1]. Would you like to know about fish?")]
    assert search_questions(question, history * 3) == [question]


@pytest.mark.parametrize("question", LEANING)
def test_questions_that_lean(question: str) -> None:
    assert leans(question)
    assert search_questions(question, []) == [question]
    history = [Turn("How many days of annual leave are there?", "25 [1].")]
    assert "annual leave" in search_questions(question, history)[0]


NAMELESS = [
    "罚金是多少？",
    "体温多少度",
    "是用来干什么的？",
    "造成了什么后果？",
    "都用到哪里去了",
    "第三个渠道卖了多少？",
    "为什么数量减少了？",
    "怎么报名？什么时候截止？",
    "比去年低了多少",
    "名字是怎么来的？",
    "8月份发生了什么事",
    "净利润是多少",
    "有副作用吗",
    "啥时候开始的",
]
NAMING = [
    "年假有多少天？",
    "加班费怎么算？",
    "谁是董事长？",
    "年会是什么时候？",
    "工作时间是几点到几点？",
    "忘记密码怎么办？",
    "病假需要哪些材料？",
    "投诉电话是多少？",
    "有食堂吗？",
    "鹿特丹办公室的租金是多少？",
]


@pytest.mark.parametrize("question", NAMELESS)
def test_a_chinese_question_without_a_name_leans(question: str) -> None:
    assert nameless(question)
    assert leans(question)


@pytest.mark.parametrize("question", NAMING)
def test_a_chinese_question_that_names_something_does_not(question: str) -> None:
    assert not nameless(question)
    assert not leans(question)


@pytest.mark.parametrize("question", ["What is the price?", "2022", "?", "", " "])
def test_only_chinese_questions_are_nameless(question: str) -> None:
    assert not nameless(question)


@pytest.mark.parametrize(
    "question",
    ["為什麼？", "這個怎麼辦理？", "還有別的條件嗎？", "它的價格呢", "該條款適用於誰", "後來提高到多少？"],
)
def test_traditional_characters_lean_like_simplified_ones(question: str) -> None:
    assert leans(question)


@pytest.mark.parametrize(
    "question",
    [
        "换成英文",
        "用表格",
        "列个表",
        "做成表格",
        "请用英文回答",
        "翻译成英文",
        "把上面的内容列成表格",
        "再说一遍",
        "举个例子",
        "用一句话概括",
        "请用英文再说一遍",
        "簡單說說",
    ],
)
def test_orders_about_the_answer_before(question: str) -> None:
    assert orders(question)
    assert leans(question)


@pytest.mark.parametrize(
    "question",
    [
        "比较鹿特丹和苏州的年假",
        "总结2025年战略会议",
        "列出所有供应商",
        "翻译费是多少",
        "总结报告什么时候交",
        "用车怎么申请",
    ],
)
def test_orders_about_something_else(question: str) -> None:
    assert not orders(question)
    assert not leans(question)


@given(st.text(alphabet="的了有没多少最几一什么怎样还月，。?x", max_size=29))
def test_only_words_of_the_lists_make_a_question_nameless(question: str) -> None:
    """Many ways to cut a question into words must cost no time either."""
    if "x" in question or not any(char >= "\u4e00" for char in question):
        assert not nameless(question)
    elif nameless(question):
        assert nameless(f"{question}的")
