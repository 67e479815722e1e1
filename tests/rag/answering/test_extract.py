"""Quotations: cut where the text has its joints, chosen by the question, true to the letter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag.answering.extractive import Extract, extract
from rag.answering.extractive.units import units
from rag.citations import MARKER
from rag.records import Evidence
from tests.rag.library.samples import WordEmbedder

LEAVE = (
    "# Leave\n\nEmployees receive 25 days of annual leave per year. It is agreed with the team lead. "
    "The canteen opens at seven.\n\nParental leave lasts 14 weeks."
)
STEPS = (
    "六、触电急救\n1. 先断电。不能断电时用干燥的绝缘物。\n2. 立即胸外按压。\n3. 拨打急救分机 8119。\n"
    "七、附则\n本须知自发布之日起执行。"
)
TABLE = "项目 | 天数 | 备注\n年休假 | 13 天 | 连续工作满五年\n婚假 | 10 天 | 需提供证明"
PDF_TABLE = (
    "Table 4: Safe positions\nActuator Frost season Rest of the year\nHeating valve open 40 % closed\n"
    "Roof vents closed open 15 %\nThe positions are taken after ten minutes without any valid measurement."
)
PEOPLE = (
    "People to know\n\nJane Doe\n\nHead of engineering, extension 214.\n\n"
    "John Roe\n\nHead of support, extension 230."
)
FAQ = "5. How long is the warranty?\nThe warranty is 24 months from delivery."
PAPER = "Retrieval helps small models [12, 13]. Large models[4] need it less, as rows[0] says."


def evidence(*texts: str) -> list[Evidence]:
    return [
        Evidence(
            n=n,
            document=f"d{n}",
            path=f"p{n}.pdf",
            collection="default",
            text=text,
            start=1000 * n,
            end=1000 * n + len(text),
            pages=(n,),
            heading=(),
            score=1.0,
            tokens=1,
        )
        for n, text in enumerate(texts, start=1)
    ]


def even(words: Iterable[str]) -> Mapping[str, float]:
    return dict.fromkeys(words, 1.0)


def quoted(question: str, *texts: str) -> Extract:
    return extract(
        question, evidence(*texts), rarity=even, embedder=WordEmbedder(), page_of=lambda item, _: item.page
    )


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        (
            "How many days of annual leave?",
            LEAVE,
            "Employees receive 25 days of annual leave per year. It is agreed",
        ),
        (
            "有人触电了怎么急救？",
            STEPS,
            "先断电。不能断电时用干燥的绝缘物。 2. 立即胸外按压。 3. 拨打急救分机 8119。",
        ),
        ("年休假有几天？", TABLE, "项目 | 天数 | 备注 … 年休假 | 13 天 | 连续工作满五年"),
        (
            "What are the safe positions?",
            PDF_TABLE,
            "Heating valve open 40 % closed Roof vents closed open 15 %",
        ),
        ("Who is the head of engineering?", PEOPLE, "Jane Doe: “Head of engineering, extension 214.” [1]"),
        ("How long is the warranty?", FAQ, "The warranty is 24 months from delivery."),
        ("Does retrieval help small models?", PAPER, "Retrieval helps small models."),
    ],
)
def test_what_is_quoted_can_be_understood(question: str, text: str, expected: str) -> None:
    assert expected in quoted(question, text).text.split("\n\n")[0]


def test_each_part_of_a_question_gets_its_quotation() -> None:
    found = quoted("How long is parental leave, and when does the canteen open?", LEAVE)
    assert "14 weeks" in found.text
    assert "opens at seven" in found.text


TEXTS = st.lists(
    st.sampled_from([LEAVE, STEPS, TABLE, PDF_TABLE, PEOPLE, FAQ, PAPER, "x", "?", "Title\n\n", "# T"]),
    min_size=1,
    max_size=4,
)
QUESTIONS = st.sampled_from(
    ["How many days?", "怎么急救？", "Who?", "safe positions", "?", "leave and canteen, how?"]
)


@settings(deadline=None, max_examples=80)
@given(QUESTIONS, TEXTS)
def test_every_quotation_stands_where_it_says(question: str, texts: list[str]) -> None:
    found = quoted(question, *texts)
    assert found.text
    papers = evidence(*texts)
    shown = {int(n) for n in MARKER.findall(found.text)}
    assert shown == {citation.n for citation in found.citations}
    for citation in found.citations:
        item = papers[citation.n - 1]
        assert citation.start is not None
        assert citation.end is not None
        assert item.text[citation.start - item.start : citation.end - item.start] == citation.quote
        assert (citation.n, citation.start, citation.end) in found.spans


@given(st.lists(st.text("aB1. \n|?#-：。", max_size=60), min_size=1, max_size=3))
def test_units_cover_the_text_in_order(texts: list[str]) -> None:
    papers = evidence(*texts)
    for item in papers:
        own = [unit for unit in units(papers) if unit.n == item.n]
        assert all(unit.text == item.text[unit.start : unit.end] for unit in own)
        assert all(a.end <= b.start for a, b in pairwise(own))
        kept = "".join(unit.text for unit in own)
        assert "".join(kept.split()) == "".join(item.text.split())
