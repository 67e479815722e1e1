"""A short question goes on about the documents of the one before it if they speak of what it asks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rag.answering import Mode
from rag.answering.continuing import Continues, continuing
from rag.answering.followup import search_questions
from rag.answering.leaning import leans
from rag.embedding.protocol import Embedder
from rag.library import Library
from rag.records import Turn
from rag.settings import Settings
from tests.rag.answering.answers import answered
from tests.rag.library.samples import fill

PAPERS = {
    "青石餐厅.md": "青石餐厅\n\n青石餐厅位于河滨路十二号。掌勺师傅是韩立。靠窗座位需要提前两天预订。",
    "白塔餐厅.md": "白塔餐厅\n\n白塔餐厅位于东门街三号。掌勺师傅是苏明。包间最低消费六百元。",
    "停车场.md": "地下停车场\n\n地下停车场夜里十一点关门。月卡每张三百元。",
    "Heron boat.md": "The boat Heron\n\nHeron lies in Dover. Its skipper is Ada Lund. The mast is of spruce.",
    "Plover boat.md": "The boat Plover\n\nPlover lies in Leith. Its skipper is Tom Reid. The hull is of oak.",
}


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Settings:
    return fill(tmp_path_factory.mktemp("continuing"), embedder, PAPERS)


@pytest.fixture(scope="module")
def continues(settings: Settings, embedder: Embedder) -> Iterator[Continues]:
    library = Library.open(settings)
    yield continuing(library, embedder, settings, ["default"])
    library.close()


@pytest.mark.parametrize(
    ("before", "question"),
    [
        ("白塔餐厅在哪里？", "掌勺师傅姓什么？"),
        ("青石餐厅在哪里？", "掌勺师傅姓什么？"),
        ("Where does the boat Plover lie?", "What's the skipper called?"),
        ("Where does the boat Heron lie?", "What's the skipper called?"),
    ],
)
def test_what_two_documents_say_is_asked_of_the_one_before(
    continues: Continues, before: str, question: str
) -> None:
    asked = search_questions(question, [Turn(before, "There [1].")], continues)
    alone = search_questions(question, [Turn(before, "There [1].")])
    assert alone == [question]
    # Where the question alone finds that document first, it needs no other words.
    assert asked[0] in (question, f"{before} {question}")


@pytest.mark.parametrize("before", ["白塔餐厅在哪里？", "青石餐厅在哪里？"])
def test_the_answer_comes_from_the_document_before(
    settings: Settings, embedder: Embedder, before: str
) -> None:
    history = [Turn(before, "在那里[1]。")]
    answer = answered(settings, embedder, "掌勺师傅姓什么？", mode="quick", history=history)
    assert not leans("掌勺师傅姓什么？")
    assert [citation.path for citation in answer.citations][:1] == [f"{before[:4]}.md"]


@pytest.mark.parametrize("mode", ["quick", "complete"])
def test_an_order_about_the_answer_quotes_the_same_again(
    settings: Settings, embedder: Embedder, mode: Mode
) -> None:
    history = [Turn("白塔餐厅在哪里？", "“白塔餐厅位于东门街三号。” [1]")]
    answer = answered(settings, embedder, "换成英文", mode=mode, history=history)
    assert "东门街三号" in answer.text
    assert {citation.path for citation in answer.citations} == {"白塔餐厅.md"}


@pytest.mark.parametrize(
    ("before", "question"),
    [
        ("青石餐厅在哪里？", "靠窗座位要预订吗？"),
        ("白塔餐厅在哪里？", "月卡卖得贵吗？"),
        ("白塔餐厅在哪里？", "有游泳池吗？"),
        ("青石餐厅在哪里？", "公司的董事长叫什么？"),
        ("Where does the boat Heron lie?", "Is a dentist near here?"),
    ],
)
def test_another_matter_stays_alone(continues: Continues, before: str, question: str) -> None:
    assert search_questions(question, [Turn(before, "There [1].")], continues) == [question]


@pytest.mark.parametrize("question", ["谢谢", "年假从什么时候开始计算，试用期内的员工是否也可以享受年假？"])
def test_nothing_is_searched_for_where_the_words_tell(question: str) -> None:
    def never(question: str, before: str) -> bool:
        raise AssertionError(question)

    assert search_questions(question, [Turn("白塔餐厅在哪里？", "There [1].")], never) == [question]
    assert search_questions("白塔餐厅在哪里？", [], never) == ["白塔餐厅在哪里？"]
    assert search_questions("它呢？", [Turn("白塔餐厅在哪里？", "There [1].")], never)[0].startswith(
        "白塔餐厅"
    )


def test_a_question_asked_again_does_not_go_on(continues: Continues) -> None:
    question = "掌勺师傅姓什么？"
    assert search_questions(question, [Turn(question, "韩[1]。")], continues) == [question]
