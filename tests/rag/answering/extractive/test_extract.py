"""Quotations: cut where the text has its joints, chosen by the question, true to the letter."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag.answering.extractive import Extract, extract
from rag.answering.extractive.layout import layout
from rag.answering.extractive.units import units
from rag.citations import MARKER
from rag.records import Document, Heading, Page, Table
from tests.rag.answering.extractive.quoting import even, evidence, quoted
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


def test_what_two_documents_say_in_the_same_words_is_shown_once_with_both_marks() -> None:
    clause = "Late delivery costs one percent of the contract price per full week of delay."
    found = quoted(
        "What does late delivery cost?",
        f"{clause} The price is fixed.",
        f"The board read the clause. {clause} All agreed.",
    )
    assert found.text.split("\n\n")[0] == f"“{clause}” [1] [2]"
    assert found.text.count(clause) == 1
    assert {(citation.n, citation.path) for citation in found.citations if citation.quote == clause} == {
        (1, "p1.pdf"),
        (2, "p2.pdf"),
    }


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


HANDBOOK = (
    "Handbook\n\nAnnual leave\n\nAnnual leave is taken in half days and asked for ten days before.\n\n"
    "Years of service | Annual leave (days)\nfewer than 5 | 10\n5 to 10 | 13\n10 and more | 16\n\n"
    "Events\n\nTime | Event\n23:40 | The value counts as stale. The delay of alarm A-31 begins.\n"
    "01:10 | The alarm A-31 is sent.\n\nReport\n\nField | Entry\nAuthor | Femke Bakker\nSeverity | 1"
)


def of_document(question: str, document: Document, *spans: tuple[int, int]) -> Extract:
    text = document.text
    items = [
        replace(item, start=start, end=end)
        for item, (start, end) in zip(
            evidence(*(text[start:end] for start, end in spans or [(0, len(text))])),
            spans or [(0, len(text))],
            strict=True,
        )
    ]
    return extract(
        question,
        items,
        rarity=even,
        embedder=WordEmbedder(),
        page_of=lambda item, _: item.page,
        layout_of=lambda _: layout(document),
    )


def handbook() -> Document:
    tables = []
    for header in ("Years of service | Annual leave (days)", "Time | Event", "Field | Entry"):
        start = HANDBOOK.index(header)
        end = HANDBOOK.find("\n\n", start)
        tables.append(Table(start, end if end > 0 else len(HANDBOOK), start + len(header)))
    titles = ("Handbook", "Annual leave\n\n", "Events", "Report")
    headings = tuple(
        Heading(HANDBOOK.index(title), 1 + (n > 0), title.strip()) for n, title in enumerate(titles)
    )
    return Document("d1", "docx", (Page(None, HANDBOOK),), headings, tables=tuple(tables))


def test_a_table_whose_title_is_asked_for_is_told_row_by_row() -> None:
    text = of_document("How many days of annual leave?", handbook()).text
    for row in (
        "fewer than 5; Annual leave (days): 10",
        "5 to 10; Annual leave (days): 13",
        "10 and more; An",
    ):
        assert f"Years of service: {row}" in text
    assert text.count("[1]") == len(text.split("\n\n"))


def test_a_row_that_is_named_comes_alone_and_says_what_its_cells_are() -> None:
    text = of_document("How many days of annual leave with 5 to 10 years of service?", handbook()).text
    assert "Years of service: 5 to 10; Annual leave (days): 13 [1]" in text
    assert "fewer than" not in text


def test_a_row_stays_whole_also_where_it_holds_sentences() -> None:
    text = of_document("When did the delay of alarm A-31 begin?", handbook()).text
    assert "Time: 23:40; Event: The value counts as stale. The delay of alarm A-31 begins. [1]" in text


def test_titles_that_say_nothing_are_left_out() -> None:
    assert "Author: Femke Bakker [1]" in of_document("Who is the author?", handbook()).text


def test_the_titles_come_from_the_document_where_the_evidence_begins_in_the_table() -> None:
    document = handbook()
    start = HANDBOOK.index("5 to 10")
    found = of_document("Annual leave for 5 to 10 years?", document, (start, HANDBOOK.index("Events")))
    assert "Years of service: 5 to 10; Annual leave (days): 13 [1]" in found.text
    for citation in found.citations:
        assert document.text[citation.start : citation.end] == citation.quote


def test_the_head_of_a_page_is_no_part_of_a_list_that_goes_over_it() -> None:
    first = "Safety rules\nDocument S-7, version 5\n\n1 Opening\n\n1. Switch off.\n2. Lock."
    second = "Safety rules S-7 version 5\n2 Gloves\nGloves are tested every six months."
    text = f"{first}\n\n{second}"
    headings = tuple(Heading(text.index(title), 1, title) for title in ("1 Opening", "2 Gloves"))
    document = Document("d1", "pdf", (Page(1, first), Page(2, second)), headings)
    found = of_document("How do I open it? What are the steps of opening?", document)
    assert "2. Lock.” [1]" in found.text
    assert "version 5" not in found.text


def test_a_table_of_a_pdf_that_nobody_told_of_is_quoted_under_its_titles() -> None:
    text = quoted(
        "What is the unit price for an order of pieces?",
        "1 Prices\nOrder quantity Unit price Remark\n"
        "100 – 499 pieces 204.00 smallest order\n500 and more 186.00",
    ).text
    assert "Order quantity Unit price Remark … 100 – 499 pieces 204.00" in text


def test_the_number_of_a_heading_stays_whole() -> None:
    text = quoted("When was 4.2.0 released?", "## 4.2.0 (15 June 2026)\n\nUp to 48 boxes on both buses.").text
    assert text.startswith("4.2.0 (15 June 2026): “Up to 48")


def test_points_of_a_list_do_not_read_as_one_sentence() -> None:
    slide = "Aims\n\n• Turnover of the shop: 30 million\n• A new shop in Graz\n• More space for the shop."
    said = quoted("What turnover, shop in Graz and space for the shop are the aims?", slide).text
    assert "A new shop in Graz • More space" in said
    assert quoted("Aims?", slide).text.startswith("Aims: “Turnover of the shop: 30 million • A new shop")
    ended = quoted("What are the aims?", "Aims\n\n- A shop opens.\n- Another closes.").text
    assert "opens. Another closes." in ended


@pytest.mark.parametrize(
    "letter",
    [
        "Dear Ms Roe,\n\nNine crates of glass broke on the ramp.\n\nKind regards",
        "罗女士，\n\n九箱玻璃在坡道上摔碎。\n\n此致",
    ],
)
def test_whom_a_letter_addresses_is_no_heading(letter: str) -> None:
    first, second = units(evidence(letter))[:2]
    assert (first.kind, second.kind) == ("head", "sentence")
    assert quoted("How many crates of glass broke? 碎了几箱玻璃？", letter).text.startswith(
        f"“{second.text}”"
    )
