"""Documents that contradict each other are both shown, each with its date."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rag.answering import Answerer, Mode
from rag.answering.events import Finished
from rag.library import Library, writing
from rag.records import Answer
from rag.settings import Settings
from tests.rag.answering.answers import assert_sound
from tests.rag.answering.standins import SayingEngine
from tests.rag.library.samples import WordEmbedder, document, put

QUESTION = "Within how many days must claims for travel expenses be entered?"
NEW = (
    "Travel policy, in force from 1 April 2026. "
    "Claims for travel expenses are entered within 20 days after the trip."
)
OLD = (
    "Travel policy of 2 September 2024. Claims for travel expenses are entered within 60 days after the trip."
)
ZH_NEW = "差旅规定，自2026年4月1日起施行。差旅费用须在出差结束后20天内提交报销申请。"
ZH_OLD = "差旅规定，发布日期：2024年9月2日。差旅费用须在出差结束后60天内提交报销申请。"


@pytest.fixture
def words() -> WordEmbedder:
    return WordEmbedder()


def shelf(home: Path, words: WordEmbedder, *texts: str) -> Iterator[Library]:
    with writing(Settings(home=home)) as writer:
        for number, text in enumerate(texts):
            put(writer, words, f"policy-{number}.txt", document(text))
        writer.publish()
    library = Library.open(Settings(home=home))
    try:
        yield library
    finally:
        library.close()


def answered(
    home: Path,
    words: WordEmbedder,
    engine: SayingEngine,
    question: str,
    *texts: str,
    mode: Mode | None = None,
) -> Answer:
    for library in shelf(home, words, *texts):
        answerer = Answerer(Settings(home=home), library, words, engine)
        last = list(answerer.ask(question, collections=["default"], mode=mode))[-1]
        assert isinstance(last, Finished)
        assert_sound(last.answer)
        return last.answer
    raise AssertionError


@pytest.mark.parametrize("demo", [True, False])
def test_both_are_shown_with_their_dates(tmp_path: Path, words: WordEmbedder, demo: bool) -> None:
    engine = SayingEngine(
        "Claims for travel expenses are entered within 20 days after the trip [1].", demo=demo
    )
    answer = answered(tmp_path, words, engine, QUESTION, NEW, OLD)
    note = answer.text.split("\n\n")[-1]
    assert note.startswith("The documents differ: ")
    assert "policy-0.txt (1 April 2026)" in note
    assert "within 20 days" in note
    assert "policy-1.txt (2 September 2024)" in note
    assert "within 60 days" in note
    assert {citation.path for citation in answer.citations} == {"policy-0.txt", "policy-1.txt"}
    assert all(citation.verified for citation in answer.citations)


OWN = "Travel expenses must be entered within 20 days after the trip."
ZH_OWN = "报销申请须在出差结束后20天内提交。"
RULES = [f"Claims for travel expenses are entered within {days} days after the trip." for days in (20, 60)]
ZH_RULES = [f"差旅费用须在出差结束后{days}天内提交报销申请。" for days in (20, 60)]


@pytest.mark.parametrize("mode", ["quick", "complete"])
@pytest.mark.parametrize("days", [20, 60])
@pytest.mark.parametrize(
    ("own", "question", "texts"), [(OWN, QUESTION, RULES), (ZH_OWN, "报销申请须在几天内提交？", ZH_RULES)]
)
def test_no_sentence_above_gives_one_of_two_values(
    tmp_path: Path, words: WordEmbedder, own: str, question: str, texts: list[str], days: int, mode: Mode
) -> None:
    own = own.replace("20", str(days))
    answer = answered(tmp_path, words, SayingEngine(own, demo=True), question, *texts, mode=mode)
    assert own.rstrip(".。") not in answer.text
    assert answer.coverage["differing"] == 1


def test_it_is_shown_where_nothing_else_is_said(tmp_path: Path, words: WordEmbedder) -> None:
    answer = answered(tmp_path, words, SayingEngine(OWN, demo=True), QUESTION, RULES[0])
    assert answer.text.startswith(OWN.rstrip("."))


def test_in_chinese(tmp_path: Path, words: WordEmbedder) -> None:
    answer = answered(
        tmp_path, words, SayingEngine(demo=True), "差旅费用须在出差结束后几天内提交报销申请？", ZH_NEW, ZH_OLD
    )
    assert "文档的说法不一致：" in answer.text
    assert "2026年4月1日" in answer.text
    assert "2024年9月2日" in answer.text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The revenue of the sensor division was 5 million euros in 2021.",
         "The revenue of the sensor division was 6 million euros in 2022."),
        ("The measured flow of pump P-1 is 263 litres a minute.",
         "The measured flow of pump P-2 is 626 litres a minute."),
        ("The hotel limit for Shanghai is 750 yuan.", "The hotel limit for Rotterdam is 140 euros."),
        ("Claims are entered within 20 days after the trip.",
         "Claims are entered within 20 days after the trip."),
    ],
)  # fmt: skip
def test_what_does_not_contradict(tmp_path: Path, words: WordEmbedder, one: str, other: str) -> None:
    answer = answered(
        tmp_path, words, SayingEngine(demo=True), one.replace(".", "?"), one, other + " Indeed."
    )
    assert "differ" not in answer.text


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        (
            "When does the south gate of the depot close?",
            [
                "Gate rules. The south gate of the depot closes at 22:00.",
                "Gates. The north gate of the depot closes at 18:00.",
            ],
        ),
        (
            "When does the depot gate close on weekdays?",
            [
                "Rules of the north depot\nThe gate of the north depot closes at 18:00 on weekdays.",
                "Rules of the south depot\nThe gate of the south depot closes at 22:00 on weekdays.",
            ],
        ),
        (
            "What is the measured flow of the pump at full load?",
            [
                "Sheet of P-1\nThe measured flow of the pump at full load is 57 litres.",
                "Sheet of P-2\nThe measured flow of the pump at full load is 94 litres.",
            ],
        ),
    ],
)
def test_documents_about_different_things_do_not_differ(
    tmp_path: Path, words: WordEmbedder, question: str, texts: list[str]
) -> None:
    answer = answered(tmp_path, words, SayingEngine(demo=True), question, *texts)
    assert "differ" not in answer.text
    assert "differing" not in answer.coverage
