"""What documents call otherwise than the question, in its own language and in another: the glossary knows."""

from __future__ import annotations

import pytest

from rag.answering.extractive.naming import OtherNames
from rag.answering.unmentioned import unmentioned
from rag.embedding.any_length import beginning
from rag.embedding.protocol import Embedder
from rag.glossary import Glossary, Named, glossary_of
from rag.glossary.entries import Entries, Same
from rag.settings import Settings
from tests.rag.answering.answers import answered
from tests.rag.answering.extractive.quoting import evidence
from tests.rag.library.samples import fill

PAPERS = {
    "Rules Oslo.md": "Staff rules Oslo\n\nThe probation period is four months.\n\n"
    "Full-time staff have 26 days of paid leave a year.\n\nThe canteen opens at eleven.",
    "制度-厦门.md": "厦门办公室制度\n\n试用期为两个月，试用期内不得出差。\n\n"
    "员工每年享有十四天年假，须提前三个工作日申请。",
    "contract Brand.md": "Supply contract Brand\n\nInvoices are settled within 25 days.\n\n"
    "Payment terms are 25 days net.\n\nThe goods travel by ship.",
    "合同-海润.md": "采购合同 海润\n\n乙方十日内交货。\n\n甲方应在收到发票后四十日内付清货款。",
    "pumps.md": "Pump P7\n\nThe pump delivers 40 litres a minute. Its filter is cleaned every 300 hours.",
    "branches.md": "Branches\n\n| Branch | Staff | Opened |\n|---|---|---|\n| Lisbon | 64 | 2012 |\n"
    "| Prague | 31 | 2017 |\n| Turin | 18 | 2020 |\n",
    "parking.md": "Car park\n\nThe car park has 80 places. Visitors get a permit for two days.",
}
GLOSSARY = '[[same]]\nnames = ["Project Sparrow", "order line nine"]\n'


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Settings:
    return fill(tmp_path_factory.mktemp("names"), embedder, PAPERS)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("奥斯陆的试用期多长？", "four months"),
        ("奥斯陆的年假有几天？", "26 days"),
        ("How long is the trial period in Xiamen?", "试用期为两个月"),
        ("How many days of annual leave do they have in Xiamen?", "十四天年假"),
    ],
)
def test_a_thing_and_a_place_are_found_in_the_other_language(
    settings: Settings, embedder: Embedder, question: str, said: str
) -> None:
    answer = answered(settings, embedder, question)
    assert answer.found
    assert said in answer.text.split("\n\n")[0]


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("布拉格有多少员工？", "31"),
        ("里斯本和布拉格一共有多少员工？", "95"),
        ("哪个分公司的员工最多？", "64"),
    ],
)
def test_a_table_is_asked_by_other_names(
    settings: Settings, embedder: Embedder, question: str, value: str
) -> None:
    answer = answered(settings, embedder, question)
    assert f"**{value}**" in answer.text
    assert answer.coverage["table"]


@pytest.mark.parametrize(
    "question",
    [
        "Compare the annual leave in Oslo and Xiamen",
        "How does paid leave in Oslo differ from Xiamen?",
        "Is the annual leave in Oslo longer than in Xiamen?",
        "奥斯陆和厦门的年假有什么区别？",
        "比较奥斯陆和厦门的年假",
    ],
)
def test_a_comparison_quotes_both_sides(settings: Settings, embedder: Embedder, question: str) -> None:
    text = answered(settings, embedder, question).text
    assert "26 days of paid leave" in text
    assert "十四天年假" in text
    assert "not mention" not in text


@pytest.mark.parametrize(
    ("question", "papers"),
    [
        ("试用期多长？", {"Rules Oslo.md", "制度-厦门.md"}),
        ("年假有几天？", {"Rules Oslo.md", "制度-厦门.md"}),
    ],
)
def test_each_document_that_says_it_by_any_name_answers(
    settings: Settings, embedder: Embedder, question: str, papers: set[str]
) -> None:
    answer = answered(settings, embedder, question, mode="every")
    assert {citation.path for citation in answer.citations} == papers


def test_a_document_in_other_words_of_the_same_characters_answers(
    settings: Settings, embedder: Embedder
) -> None:
    answer = answered(settings, embedder, "付款期限是多久？", mode="every")
    papers = {citation.path for citation in answer.citations}
    assert {"contract Brand.md", "合同-海润.md"} <= papers
    assert papers.isdisjoint({"pumps.md", "parking.md", "制度-厦门.md"})


def test_a_number_of_what_is_asked_comes_before_another_number(
    settings: Settings, embedder: Embedder
) -> None:
    assert "十四天年假" in answered(settings, embedder, "厦门的年假有几天？").citations[0].quote


def test_what_no_document_says_stays_unsaid(settings: Settings, embedder: Embedder) -> None:
    assert not answered(settings, embedder, "里约热内卢的保修期多长？").found


def test_a_quotation_of_any_length_is_compared(embedder: Embedder) -> None:
    long = " ".join(f"row {n} of the table is {n * 7} metres long" for n in range(400))
    cut = beginning(long, embedder)
    assert long.startswith(cut)
    assert embedder.embed_passages([cut]).shape == (1, embedder.dimension)
    assert beginning("A short one.", embedder) == "A short one."


def test_names_are_lent_only_for_what_is_said() -> None:
    names = OtherNames([Named("probation", ("trial period", "试用期"))])
    assert "probation" in names.with_lent(["trial", "period", "six"])
    assert "probation" in names.with_lent(["试用", "用期"])
    assert "probation" not in names.with_lent(["trial", "run"])


def test_a_name_in_another_language_is_a_mention() -> None:
    glossary = Glossary(Entries(same=(Same(names=("Xiamen", "厦门")),)))
    question = "What is the rent in Xiamen?"
    texts = evidence("The rent is 40 euros a day.", "The rent is low.", "厦门的租金为每月三千元。")
    assert unmentioned(question, texts) == ["Xiamen"]
    assert unmentioned(question, texts, glossary.named(question)) == []


def test_a_teams_own_names_count(settings: Settings) -> None:
    (settings.home / "glossary.toml").write_text(GLOSSARY, encoding="utf-8")
    try:
        (named,) = glossary_of(settings).named("When does Project Sparrow start?")
    finally:
        (settings.home / "glossary.toml").unlink()
    assert "sparrow" in OtherNames([named]).with_lent(["order", "line", "nine"])
