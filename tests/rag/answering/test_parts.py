"""What a question consists of, by its grammar alone, in both languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.answering.parts import MOST, parts_of
from rag.answering.planning import told_parts

PARTS = [
    ("What is a lamp, and who made it?", ["What is a lamp?", "Who made it?"]),
    (
        "What is the hotel limit in Shanghai, and how soon after a trip must I claim my expenses?",
        ["What is the hotel limit in Shanghai?", "How soon after a trip must I claim my expenses?"],
    ),
    (
        "What are the price, weight and warranty of the HK-420?",
        [
            "What is the price of the HK-420?",
            "What is the weight of the HK-420?",
            "What is the warranty of the HK-420?",
        ],
    ),
    ("What is a lamp, and what does iPhone mean?", ["What is a lamp?", "What does iPhone mean?"]),
    ("手册写了什么？iPhone 怎么用？", ["手册写了什么？", "iPhone 怎么用？"]),
    ("1. How long is leave?\n2. Who approves it?", ["How long is leave?", "Who approves it?"]),
    ("Tell me (1) the price, (2) the warranty of SM-31", ["the price", "the warranty of SM-31"]),
    (
        "The light is red. What does it mean, and what should I do?",
        ["What does it mean?", "What should I do?"],
    ),
    (
        "What happens if the supplier is late, is there a penalty, and can we cancel?",
        ["What happens if the supplier is late?", "Is there a penalty?", "Can we cancel?"],
    ),
    ("年假和病假分别有几天？", ["年假有几天？", "病假有几天？"]),
    ("HK-420和HK-430的保修期分别是多久？", ["HK-420的保修期是多久？", "HK-430的保修期是多久？"]),
    ("合同的付款期限、交货地点各是什么？", ["合同的付款期限是什么？", "合同的交货地点是什么？"]),
    ("保修期多长？想延长要多少钱，什么时候买？", ["保修期多长？", "想延长要多少钱？", "什么时候买？"]),
    ("请回答：\n1、交货期\n2、违约金", ["交货期", "违约金"]),
]
WHOLE = [
    "What are the terms and conditions of the contract?",
    "Explain research and development costs in 2023.",
    "In the frost season, which positions do the actuators take?",
    "When and where was the company founded?",
    "Compare the warranty of the HK-420 and the HK-430.",
    "如果供应商逾期交货，要付多少违约金？",
    "出差到上海，住宿标准是多少？",
    "HK-420和HK-430有什么区别？",
    "Salt and pepper",
    "???",
]


@pytest.mark.parametrize(("question", "expected"), PARTS)
def test_the_parts_of_a_question(question: str, expected: list[str]) -> None:
    assert [part.text for part in parts_of(question)] == expected


@pytest.mark.parametrize("question", WHOLE)
def test_what_is_one_question_stays_one(question: str) -> None:
    assert [part.text for part in parts_of(question)] == [question]


def test_a_part_is_searched_for_with_what_it_leans_on() -> None:
    assert parts_of("What is a lamp, and who made it?")[1].search == "What is a lamp? Who made it?"
    meaning, _ = parts_of("The HK-420 shows alarm A-31. What does it mean, and what should I check first?")
    assert "A-31" in meaning.search
    assert parts_of("How long is leave? Where is the head office?")[1].search == "Where is the head office?"


def test_each_side_of_a_comparison_is_searched_for() -> None:
    (part,) = parts_of("What is the difference between the HK-420 and the HK-430?")
    assert [search.rpartition(" ")[2] for search in part.also] == ["HK-420", "HK-430"]
    (part,) = parts_of("HK-420和HK-430有什么区别？")
    assert len(part.also) == 2


@given(st.text("What is a lamp, and who made it? 1. 2) 、和以及分别？；\n", max_size=120))
def test_there_is_always_a_part_and_never_too_many(question: str) -> None:
    found = parts_of(question)
    assert 1 <= len(found) <= MOST
    assert all(part.text == question.strip() or part.text for part in found)


ASKED = "Tell me about the pump: its price, who sells it and how long it lasts."


@pytest.mark.parametrize(
    "said",
    [
        "What is the price of the pump?\nWho sells the pump?",
        "1. What is the price of the pump?\n2. Who sells the pump?",
        "- What is the price of the pump?\n\n- Who sells the pump?",
        '["What is the price of the pump?", "Who sells the pump?"]',
        '```json\n{"parts": [{"q": "What is the price of the pump?"}, {"q": "Who sells the pump?"}]}\n```',
        "Here are the parts:\n**What is the price of the pump?**\n**Who sells the pump?**",
        "What is the price of the pump?\nWho sells the pump?\nWho sells the pump?",
        "What is the price of the pump?\nWho sells the pump?\nWhat is the capital of France?\n这台泵多少钱？",
        "What is the price of the pump?\nWho sells the pump?\nThe pump costs 5 euros [1].",
    ],
)
def test_what_a_model_says_of_the_parts_in_any_shape(said: str) -> None:
    assert told_parts(said, ASKED) == ["What is the price of the pump?", "Who sells the pump?"]


def test_a_model_that_answers_adds_no_parts() -> None:
    assert told_parts("The pump costs 5 euros.", ASKED) == []
    assert told_parts("", ASKED) == []
    assert told_parts('{"parts": [', ASKED) == []


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What are the hotel limits in Berlin, Zurich and Suzhou?", ["Berlin?", "Zurich?", "Suzhou?"]),
        ("How long is the probation period in Rotterdam and in Suzhou?", ["Rotterdam?", "Suzhou?"]),
        ("Who founded Johnson and Johnson?", ["Johnson and Johnson?"]),
        ("Who was the head of Procter and Gamble?", ["Procter and Gamble?"]),
        ("What is the population of New York City?", ["New York City?"]),
    ],
)
def test_places_that_are_named_one_by_one_are_parts(question: str, names: list[str]) -> None:
    assert [part.text.partition(names[place])[1] for place, part in enumerate(parts_of(question))] == names
