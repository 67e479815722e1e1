from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.glossary import Glossary
from rag.glossary.entries import Entries, Measure, Same
from rag.text.folding import fold

GLOSSARY = Glossary(
    Entries(
        same=(
            Same(names=("CEO", "chief executive officer", "首席执行官")),
            Same(names=("PO", "purchase order", "采购订单")),
            Same(names=("IT", "information technology")),
            Same(names=("R&D", "research and development")),
            Same(names=("DPO", "data protection officer")),
            Same(names=("gross profit", "毛利")),
        ),
        measure=(
            Measure(
                names=("DPO", "days payable outstanding"), parts=(("accounts payable",), ("cost of sales",))
            ),
            Measure(
                names=("gross profit margin", "毛利率"),
                parts=(("gross profit", "毛利"), ("revenue", "net sales")),
            ),
        ),
    )
)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who is the CEO?", {"CEO": ("chief executive officer", "首席执行官")}),
        ("Who are the CEOs of both?", {"CEO": ("chief executive officer", "首席执行官")}),
        ("the Chief Executive Officer's pay", {"chief executive officer": ("CEO", "首席执行官")}),
        ("新任首席执行官是谁？", {"首席执行官": ("CEO", "chief executive officer")}),
        ("How many purchase orders are open?", {"purchase order": ("PO", "采购订单")}),
        ("Is it allowed? Ask the po.", {}),
        ("PO-4711, the IT-Team and CEO2", {}),
        ("What does R&D cost?", {"R&D": ("research and development",)}),
        (
            "What is our DPO?",
            {"DPO": ("data protection officer", "accounts payable", "cost of sales")},
        ),
        (
            "What was the gross profit margin?",
            {"gross profit margin": ("gross profit", "毛利", "revenue", "net sales")},
        ),
        ("毛利率是多少？", {"毛利率": ("gross profit", "毛利", "revenue", "net sales")}),
        ("Was the gross profit high?", {"gross profit": ("毛利",)}),
        # What is asked for already is not looked for again.
        (
            "Is the CEO (chief executive officer) here?",
            {"CEO": ("首席执行官",), "chief executive officer": ("首席执行官",)},
        ),
        ("", {}),
    ],
)
def test_names_in_a_question(question: str, names: dict[str, tuple[str, ...]]) -> None:
    named = {thing.name: thing.others for thing in GLOSSARY.named(question)}
    assert named == names


def test_in_the_order_of_the_question() -> None:
    asked = "毛利率 of R&D, said the CEO to the R&D"
    assert [thing.name for thing in GLOSSARY.named(asked)] == ["毛利率", "R&D", "CEO"]


@given(st.text(max_size=60))
def test_any_text_is_a_question(text: str) -> None:
    for thing in GLOSSARY.named(text):
        assert fold(thing.name) in fold(text)
        assert thing.others
        assert thing.name not in thing.others


def test_without_entries_nothing_is_named() -> None:
    assert Glossary(Entries()).named("Who is the CEO?") == []
