"""Quotations in another language than the question, chosen by their meaning."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from rag.answering.extractive.meaning import abroad
from rag.answering.extractive.own_language import own_first
from rag.answering.extractive.units import units
from rag.embedding.protocol import Embedder, Vectors
from tests.rag.answering.extractive.quoting import quoted_of_files, whole_files
from tests.rag.library.samples import WordEmbedder

CONTRACT = (
    "# 设备供货合同\n\n## 交货\n\n卖方应在合同生效后六十日内将设备运至买方仓库。运输费用由卖方承担。\n\n"
    "## 违约责任\n\n卖方逾期交货的，每逾期一日按未交货物价款的千分之二支付违约金。"
    "买方逾期付款的，按日支付万分之三的利息。\n\n"
    "## 质保\n\n质保期为验收之日起十八个月。\n\n## 争议\n\n争议由杭州仲裁委员会仲裁。"
)
RULES = (
    "# 考勤制度\n\n员工每周工作五天。迟到三次记一次警告。\n\n经部门经理同意，员工每周可以在家办公一天。"
    "实习生不得在家办公。\n\n病假超过三天须提交医院证明。"
)
SERVICE = (
    "# Service agreement\n\nThe technician calls back within ninety minutes. The delivery of spare parts is "
    "free of charge.\n\n## Fees\n\nThe yearly fee is 9,600 euros. It is calculated from the number of "
    "sites.\n\n## End\n\nThe agreement may be ended with four months' notice."
)
MANUAL = (
    "# Dryer TR-8\n\nWait ten minutes before the lid is opened: the drum is hot.\n\nThe filter is cleaned "
    "after every fifth load.\n\nThe late start is set with the TIMER button. The remote control works up to "
    "eight metres."
)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How are penalties for late delivery calculated?", "千分之二"),
        ("How much does the seller pay for each day of delay?", "千分之二"),
        ("How long is the warranty period?", "十八个月"),
        ("Where are disputes settled?", "杭州仲裁委员会"),
        ("Who pays for the transport?", "运输费用由卖方承担"),
        ("Is remote work allowed?", "在家办公一天"),
        ("May interns work from home?", "实习生不得"),
        ("每年的服务费是多少？", "9,600 euros"),
        ("这份协议要提前多久通知才能终止？", "four months"),
        ("打开盖子之前要等多久？", "ten minutes"),
        ("过滤器多久清洁一次？", "every fifth load"),
    ],
)
def test_the_other_language_is_quoted_first_where_it_answers(
    question: str, expected: str, embedder: Embedder
) -> None:
    """The texts in the question's own language share words with it and say something else."""
    found = quoted_of_files(question, embedder, MANUAL, SERVICE, RULES, CONTRACT)
    assert expected in "".join(found.text.split("\n\n")[:3])
    assert found.citations


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How is the yearly fee calculated?", "number of sites"),
        ("How often is the filter cleaned?", "every fifth load"),
        ("卖方逾期交货怎么办？", "千分之二"),
        ("病假超过几天要交证明？", "三天"),
    ],
)
def test_what_the_own_language_answers_comes_first(question: str, expected: str, embedder: Embedder) -> None:
    found = quoted_of_files(question, embedder, MANUAL, SERVICE, RULES, CONTRACT)
    assert expected in found.text.split("\n\n")[0]


@pytest.mark.parametrize(
    ("question", "texts", "expected"),
    [
        ("How long?", [CONTRACT, SERVICE], {1}),
        ("要多久？", [CONTRACT, SERVICE], {2}),
        ("要多久？", ["按下按钮：\n\npress_button(3)\n\n然后等待。"], set()),
        (
            "要多久？",
            ['This means "please wait":\n\n请稍候片刻，请稍候。\n\nSay it.'],
            set(),
        ),
        ("How long?", ["12 | 30 %\n\n45 | 7.5"], set()),
    ],
)
def test_a_unit_is_in_another_language_if_it_and_its_text_are(
    question: str, texts: list[str], expected: set[int]
) -> None:
    papers = whole_files(*texts)
    everything = units(papers)
    assert {everything[index].n for index in abroad(question, papers, everything)} == expected


class ShortEmbedder(WordEmbedder):
    """Refuses what is longer than it can take, as the real one does."""

    def embed_passages(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        assert all(len(self.token_offsets(text)) <= self.max_tokens for text in texts)
        return super().embed_passages(texts, progress)


@pytest.mark.parametrize("question", ["Where does the list end?", "清单在哪里结束？"])
def test_a_sentence_longer_than_the_embedder_takes_is_compared_by_its_beginning(question: str) -> None:
    endless = "The list holds " + ", ".join(f"part {number}" for number in range(200)) + ". It ends here."
    found = quoted_of_files(question, ShortEmbedder(max_tokens=40), endless)
    assert found.citations


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        ("更衣柜钥匙由谁保管？", ("The key of the locker is kept by the porter.", "更衣柜钥匙由门卫保管。")),
        (
            "Who keeps the key of the locker?",
            ("更衣柜钥匙由门卫保管。", "The key of the locker is kept by Ida."),
        ),
        ("Кто хранит ключи от шкафов?", ("更衣柜钥匙由门卫保管。", "Ключи от шкафов хранятся у вахтёра.")),
    ],
)
def test_what_says_it_in_the_language_of_the_question_comes_first(
    question: str, texts: tuple[str, str]
) -> None:
    found = quoted_of_files(question, WordEmbedder(), *texts).text
    assert found.startswith(f"“{texts[1]}”")


def test_without_an_answer_in_its_own_language_the_other_one_stays() -> None:
    assert own_first([2.0, 1.5], [0.0, 0.1], [0]) == [2.0, 1.5]
    assert own_first([2.0, 1.5], [0.6, 0.3], [0]) == [2.0, 1.5]


LEAVE = (
    "# Leave policy\n\nEmployees receive 27 days of annual leave per year. Five days may be carried over."
    "\n\nBereavement leave is three days for close relatives."
)
TRAVEL = (
    "# Travel policy\n\nThe daily allowance abroad is 62 euros. Receipts must be handed in within 30 days of "
    "the end of the journey.\n\nA rental car needs the approval of the department head."
)
ATTENDANCE = "# 员工考勤制度\n\n员工每年享有十二天年假，入职满一年后可以使用。\n\n员工请假须经部门经理批准。"
EQUIPMENT = (
    "# 办公设备管理\n\n设备丢失由本人赔偿一半。\n\n申请新设备须经部门经理批准，审批期限为五个工作日。\n\n"
    "租用车辆由行政部统一安排。"
)


@pytest.mark.parametrize(
    ("question", "expected", "noise"),
    [
        ("租车需要谁批准？", "department head", "经理"),
        ("丧假有几天？", "three days", "十二天"),
        ("多久内要交收据？", "within 30 days", "工作日"),
        ("How long is the approval period for new equipment?", "五个工作日", "27 days"),
    ],
)
def test_what_shares_a_word_in_the_own_language_is_no_noise_beside_it(
    question: str, expected: str, noise: str, embedder: Embedder
) -> None:
    found = quoted_of_files(question, embedder, ATTENDANCE, EQUIPMENT, LEAVE, TRAVEL).text
    assert expected in found.split("\n\n")[0]
    assert noise not in found


@pytest.mark.parametrize("order", [(LEAVE, TRAVEL, ATTENDANCE), (ATTENDANCE, LEAVE, TRAVEL)])
def test_words_that_ask_do_not_hide_that_the_own_language_answers(
    order: Sequence[str], embedder: Embedder
) -> None:
    """几天 and what it makes with its neighbours tell nothing of what is asked, however rare they are."""
    found = quoted_of_files("年假有几天？", embedder, *order).text
    assert "十二天年假" in found.split("\n\n")[0]
    assert "27 days" not in found
