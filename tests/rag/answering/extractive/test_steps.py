"""Steps that belong together are quoted together where a question asks what is to be done."""

from __future__ import annotations

import pytest

from rag.prompting.kinds import asks_steps
from tests.rag.answering.extractive.quoting import quoted

LIST = (
    "# Changing the filter of the dryer\n\nApproved by the workshop. Version 4.\n\n"
    "1. Switch the dryer off and let it cool down.\n2. Open the flap at the left side.\n"
    "3. Pull the old filter out. Mind the dust.\n4. Push the new one in until it clicks.\n"
    "5. Close the flap and note the date.\n\n## Spare parts\n\nFilters are ordered once a year."
)
BARE = (
    "Evacuation notice\n1. Stop the machines.\n2. Walk to the stairs.\n3. Wait at the gate for the count."
    "\nThe evacuation siren is tested every March."
)
PROSE = (
    "## Archive\n\nThe archive is in the basement. It is dry.\n\n"
    "First the box gets a label with the year. Then the clerk enters it into the register. "
    "The shelf number is written on the lid. Finally the box of files is taken to the archive.\n\n"
    "Boxes older than ten years are destroyed."
)
LABELLED = (
    "Calibrating the scale\n\nStep 1: Empty the pan.\n\nStep 2: Press the zero key for five seconds.\n\n"
    "Step 3: Put the test weight on the pan.\n\nStep 4: Confirm the value."
)
CHINESE = (
    "# 更换滤芯\n\n编制：设备科。\n\n1. 关闭进水阀。\n2. 拧下滤壳。\n3. 放入新滤芯。\n"
    "4. 打开进水阀并检查是否漏水。\n\n## 备件\n\n滤芯每年订购一次。"
)
CHINESE_PROSE = (
    "## 图书借阅\n\n图书室在三楼。\n\n首先在前台登记姓名。然后到书架取书。再由管理员扫码。"
    "最后领取借书回执。\n\n逾期每天罚款一元。"
)


@pytest.mark.parametrize(
    ("question", "text", "first", "last"),
    [
        ("How do I change the filter of the dryer?", LIST, "1. Switch the dryer off", "note the date."),
        (
            "What must be done when a new filter is pushed in?",
            LIST,
            "1. Switch the dryer off",
            "note the date.",
        ),
        ("What do I do with the old filter?", LIST, "1. Switch the dryer off", "note the date."),
        ("What do we do in an evacuation?", BARE, "1. Stop the machines.", "for the count."),
        ("How is a box of files taken to the archive?", PROSE, "First the box", "taken to the archive."),
        ("What are the steps to calibrate the scale?", LABELLED, "Step 1:", "Confirm the value."),
        ("How do I zero the pan?", LABELLED, "Step 1:", "Confirm the value."),
        ("滤芯怎么更换？", CHINESE, "1. 关闭进水阀", "检查是否漏水。"),
        ("放入新滤芯时应该做什么？", CHINESE, "1. 关闭进水阀", "检查是否漏水。"),
        ("如何取书？", CHINESE_PROSE, "首先在前台", "借书回执。"),
    ],
)
def test_all_steps_are_quoted(question: str, text: str, first: str, last: str) -> None:
    best = quoted(question, text).text.split("\n\n")[0]
    assert first in best
    assert last in best


def test_what_stands_around_a_list_is_not_quoted_with_it() -> None:
    best = quoted("What do I do with the old filter?", LIST).text.split("\n\n")[0]
    assert "Approved by" not in best
    assert "once a year" not in best


def test_a_question_for_a_fact_quotes_its_step_alone() -> None:
    best = quoted("On which side is the flap?", LIST).text.split("\n\n")[0]
    assert "2. Open the flap" in best
    assert "Switch the dryer off" not in best


@pytest.mark.parametrize(
    "question",
    [
        "What must be done after an accident?",
        "What do I do if the siren sounds?",
        "What does a visitor have to do?",
        "What happens when the order arrives?",
        "停电了怎么办？",
        "入职第一天要做什么？",
    ],
)
def test_questions_that_ask_for_steps(question: str) -> None:
    assert asks_steps(question)


@pytest.mark.parametrize(
    "question", ["What does the valve cost?", "What do the bolts weigh?", "滤芯多少钱？"]
)
def test_questions_that_do_not(question: str) -> None:
    assert not asks_steps(question)
