"""Things that are told apart by their number alone are not mixed up with their neighbours."""

from __future__ import annotations

import pytest

from rag.answering.extractive.numbered import named, told_apart
from rag.answering.extractive.units import units
from rag.records import Evidence
from tests.rag.answering.extractive.quoting import evidence, quoted

SHEDS = "\n\n".join(
    f"Rule {n}. The tools of shed {n + 40} are kept by clerk {'CDEF'[n % 4]}." for n in range(8)
)
CODES = (
    "第二章 故障\nF11：油温过高。处置：停机降温二十分钟。\nF12：油位过低。处置：加注新油并排气。\n"
    "F13：滤芯堵塞。处置：更换滤芯。"
)
RECORDS = "\n\n".join(
    f"# Shed {n}\n\nThe key is with {name}." for n, name in enumerate(["Mara", "Otto", "Ines"], start=7)
)


@pytest.mark.parametrize(
    ("question", "text", "right", "wrong"),
    [
        ("Who keeps the tools of shed 44?", SHEDS, "shed 44", ["shed 43", "shed 45", "shed 46"]),
        ("44号棚的工具由谁保管？", SHEDS, "shed 44", ["shed 43", "shed 45", "shed 46"]),
        ("F12怎么处置？", CODES, "加注新油", ["停机降温", "更换滤芯"]),
        ("Who has the key of shed 8?", RECORDS, "Otto", ["Mara", "Ines"]),
    ],
)
def test_only_the_one_that_is_named_is_quoted(question: str, text: str, right: str, wrong: list[str]) -> None:
    said = quoted(question, text).text
    assert right in said
    assert not [each for each in wrong if each in said]


@pytest.mark.parametrize(
    "question", ["Which sheds are there beside shed 44?", "Who keeps the tools of other sheds than shed 44?"]
)
def test_a_question_about_others_gets_others(question: str) -> None:
    told = units(evidence(SHEDS))
    assert told_apart(question, told, evidence(SHEDS))[1] == frozenset()


def test_two_that_are_named_are_both_quoted() -> None:
    said = quoted("Who keeps the tools of shed 42 and of shed 45?", SHEDS).text
    assert "shed 42" in said
    assert "shed 45" in said
    assert "shed 44" not in said


def test_where_none_is_the_one_that_is_named_nothing_is_set_aside() -> None:
    assert told_apart("Who keeps shed 99?", units(evidence(SHEDS)), evidence(SHEDS))[1] == frozenset()


def test_a_document_is_called_by_its_number() -> None:
    found: list[Evidence] = evidence("It is oiled every week.", "It is oiled every month.", "See lathe 5.")
    named_by = [
        Evidence(**{**{f: getattr(item, f) for f in item.__slots__}, "path": path})
        for item, path in zip(found, ("lathe 5.txt", "lathe 6.txt", "notes.txt"), strict=True)
    ]
    its, others = told_apart("How often is lathe 5 oiled?", units(named_by), named_by)
    assert (its, others) == ({0, 2}, {1})


@pytest.mark.parametrize(
    "text",
    [
        "after 5 days",
        "in May 2024",
        "more than 500 euros",
        "费用500元",
        "6月15号",
        "in 2019",
        "Q3",
        "at 10:30",
    ],
)
def test_measures_and_dates_name_nothing(text: str) -> None:
    assert not list(named(text))
