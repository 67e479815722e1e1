"""Things that are told apart by their number alone are not mixed up with their neighbours."""

from __future__ import annotations

from dataclasses import replace

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

CHANGES = (
    "# Changes\n\n## 2.10.0 (2025-09-01)\n\n- Added: dark theme.\n- Fixed: the clock.\n\n"
    "## 2.9.1 (2025-07-15)\n\n- Added: export of tables.\n- Removed: the old menu.\n\n"
    "## 2.9.0 (2025-06-30)\n\n- Changed: the colour of links."
)


@pytest.mark.parametrize(
    ("question", "text", "right", "wrong"),
    [
        ("What changed in version 2.9.1?", CHANGES, "export of tables", ["dark theme", "colour of links"]),
        ("Who keeps the tools of shed 044?", SHEDS, "shed 44", ["shed 43", "shed 45"]),
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


@pytest.mark.parametrize(
    ("text", "things"),
    [
        ("study 7", {("study", "7")}),
        ("retention/study-07", {("study", "7")}),
        ("Study record 07", {("record", "7")}),
        ("version 3.2.1", {("version", "3.2.1")}),
        ("## 3.2.1 (2024-05-06)", {("version", "3.2.1")}),
        ("v2.4 of the API", {("version", "2.4")}),
        ("版本号为1.0.3", {("version", "1.0.3")}),
        ("on 12.03.2026 from 192.168.1.10, 3.5 kg", set()),
    ],
)
def test_what_a_text_names(text: str, things: set[tuple[str, str]]) -> None:
    assert set(named(text)) == things


def test_a_document_keeps_its_number_under_a_heading_that_counts_otherwise() -> None:
    found: list[Evidence] = evidence("# Record 03\n\nIt lasts a year.", "# Record 04\n\nIt lasts a month.")
    found = [replace(item, path=f"trial-{n:02d}.md") for n, item in enumerate(found, start=3)]
    told = units(found)
    its, others = told_apart("How long does trial 3 last?", told, found)
    assert {told[index].n for index in its} == {1}
    assert {told[index].n for index in others} == {2}
