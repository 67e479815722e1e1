"""Beside a good quotation no noise; titles where a quotation does not say what it speaks of."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rag.answering.extractive import extract
from rag.answering.extractive.own_language import characters_held
from rag.answering.extractive.to_the_point import to_the_point
from rag.answering.extractive.units import units
from rag.records import Evidence
from tests.rag.answering.extractive.quoting import even, evidence, quoted
from tests.rag.library.samples import WordEmbedder

RULES = (
    "# Rules for the workshop\n\n## Hours\n\nThe workshop is open from 8 to 18 o'clock.\n\n"
    "## Forbidden\n\n- Smoking\n- Running engines\n- Eating at the bench\n\n"
    "## Keys\n\nThe spare key is with Mrs Osei."
)


def test_others_have_a_word_of_the_question() -> None:
    told = units(evidence("The spare key is with Mrs Osei.", "Lunch is at noon.", "A key costs 5 euros."))
    assert to_the_point([0, 1, 2], told, "Who has the spare key?", ()) == [0, 2]


def test_a_title_of_one_character_is_called() -> None:
    told = units(evidence("艾的别名有艾蒿、香艾。", "# 蓍\n\n又名欧蓍、锯草。"))
    last = len(told) - 1
    assert to_the_point([0, last], told, "蓍的别名有哪些？", ()) == [0, last]


def test_where_the_first_does_not_say_it_all_stay() -> None:
    told = units(evidence("Lunch is at noon.", "The spare key is with Mrs Osei.", "The yard is swept."))
    assert to_the_point([0, 1, 2], told, "Who has the spare key?", ()) == [0, 1, 2]


def test_what_goes_on_from_the_first_stays() -> None:
    told = units(evidence("The spare key is with Mrs Osei. She sits by the door.\n\n# Yard\n\nIt is swept."))
    yard = len(told) - 1
    assert to_the_point([0, 1, yard], told, "Who has the spare key?", ()) == [0, 1]


def test_a_list_is_spoken_for_by_what_stands_above_it() -> None:
    found = evidence(
        "The yard: nothing is forbidden but this.", "Forbidden:\n- smoking\n- open fire", "Lunch."
    )
    told = units(found)
    items = [index for index, unit in enumerate(told) if unit.kind == "item"]
    assert to_the_point([0, *items, len(told) - 1], told, "What is forbidden?", ()) == [0, *items]


@pytest.mark.parametrize(
    ("question", "own", "abroad", "kept"),
    [
        ("需要提前多久申请？", "须提前五个工作日办理申请。", "Apply for leave three days ahead.", False),
        ("机房的温度是多少？", "仓库每天清扫一次。", "The server room is kept at 21 degrees.", True),
        ("HK-42的油压是多少？", "HK-42的油压每周检查。", "The oil pressure of HK-42 is 7 bar.", True),
        ("How long is the warranty of the pump?", "The warranty of the pump is long.", "质保期两年。", False),
    ],
)
def test_the_other_language_is_noise_where_ones_own_says_it(
    question: str, own: str, abroad: str, kept: bool
) -> None:
    told = units(evidence(own, abroad))
    assert (1 in to_the_point([0, 1], told, question, {1})) is kept


def test_characters_that_tell() -> None:
    assert characters_held("付款期限", "六十日内付清货款") == 0.5
    assert characters_held("How long?", "ten days") == 0.0


def test_a_whole_list_is_quoted_under_its_title_where_several_things_are_asked_for() -> None:
    said = quoted("What things are forbidden in the workshop?", RULES).text
    assert "Forbidden: “Smoking • Running engines • Eating at the bench”" in said
    zh = "# 车间规定\n\n## 禁止行为\n\n1. 吸烟。\n2. 私接电线。\n3. 堵塞通道。\n\n## 时间\n\n八点开门。"
    assert "“1. 吸烟。 2. 私接电线。 3. 堵塞通道。”" in quoted("车间里禁止哪些行为？", zh).text


def test_a_clause_with_a_title_of_its_own_is_no_step() -> None:
    rules = (
        "门卫制度\n一、岗位：大门设两人。\n二、交接：每天八点交接。\n"
        "三、处罚：脱岗一次扣三十元。\n四、火警：先报警。"
    )
    said = quoted("脱岗怎么处罚？", rules).text
    assert "脱岗一次扣三十元" in said
    assert "交接" not in said
    assert "火警" not in said


@pytest.mark.parametrize(
    ("question", "text", "title"),
    [
        (
            "Which release needs Python 3?",
            "# Log\n\n## 7.2 (May)\n\n- New: maps.\n- Needs Python 3.",
            "7.2 (May): “",
        ),
        (
            "Which plans were rejected?",
            "# Plan 12: Depot\n\nStatus: rejected\nBy: Ann Roe",
            "Plan 12: Depot: “",
        ),
    ],
)
def test_a_title_tells_which(question: str, text: str, title: str) -> None:
    assert title in quoted(question, text).text


def test_documents_of_one_form_are_told_apart_by_their_names() -> None:
    texts = [f"# Lease\n\n## 3 Rent\n\nThe rent is {rent} euros." for rent in (900, 450)]
    found = [
        replace(item, path=f"{name}.md") for item, name in zip(evidence(*texts), ["ash", "elm"], strict=True)
    ]
    said = extract(
        "What is the rent?", found, rarity=even, embedder=WordEmbedder(), page_of=lambda item, _: item.page
    )
    assert "ash – " in said.text or "ash: " in said.text
    assert "elm – " in said.text or "elm: " in said.text
    same = [replace(item, text=found[0].text) for item in found]
    said = extract("What is the rent?", same, rarity=even, embedder=WordEmbedder(), page_of=lambda item, _: 1)
    assert said.text == "3 Rent: “The rent is 900 euros.” [1] [2]"


def test_a_quotation_over_two_pages_is_cited_on_both() -> None:
    (item,) = evidence("The key hangs by the door. It is red. They also keep a blue one.")
    first = item.text.index("They")

    def page_of(of: Evidence, offset: int) -> int:
        return 1 if offset - of.start < first else 2

    said = extract("Where is the key?", [item], rarity=even, embedder=WordEmbedder(), page_of=page_of)
    assert [(each.page, each.quote) for each in said.citations] == [
        (1, "The key hangs by the door. It is red."),
        (2, "They also keep a blue one."),
    ]
