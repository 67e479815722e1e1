"""A row that is asked for and that a table does not have: said, with the nearest rows."""

from __future__ import annotations

import pytest

from rag.embedding.protocol import Embedder
from rag.settings import Settings
from tests.rag.answering.answers import answered
from tests.rag.library.samples import fill

PAPERS = {
    "fees.md": "# Fees of the radiology department\n\n| Examination | Price EUR | Minutes |\n|---|---|---|\n"
    "| MRI scan of the knee | 310 | 25 |\n| MRI scan of the spine | 390 | 35 |\n"
    "| CT scan of the head | 240 | 10 |\n| CT scan of the lung | 260 | 12 |\n| X-ray of the hand | 45 | 5 |\n"
    "| Ultrasound | 85 | 20 |\n",
    "plans.md": "# Tariffs\n\n| Plan | Price a month |\n|---|---|\n| Silver plan | 9 |\n| Gold plan | 19 |\n"
    "| Gold plan for students | 12 |\n",
    "价目表.md": "# 体检价目表\n\n| 项目 | 价格（元） |\n|---|---|\n| 膝关节核磁共振 | 680 |\n"
    "| 腰椎核磁共振 | 720 |\n"
    "| 胸部平扫 | 320 |\n| 腹部彩超 | 180 |\n",
    "stock.csv.md": "# Cartons\n\n| Article | Price EUR | Stock |\n|---|---|---|\n"
    "| Carton S | 0.42 | 5200 |\n| Carton M | 0.61 | 3100 |\n| Carton L | 0.88 | 900 |\n",
    "incidents.md": "# Incidents\n\n| No. | Date | Closed by |\n|---|---|---|\n| 1 | 2024-01-09 | Moe |\n"
    "| 2 | 2024-02-21 | Nowak |\n| 3 | 2024-05-21 | Pires |\n| 4 | 2024-05-02 | Dahl |\n",
    "hours.md": "# Hours\n\nThe department is open from 7:30. The parking of the clinic costs 2 euros.",
}


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Settings:
    return fill(tmp_path_factory.mktemp("rows"), embedder, PAPERS)


@pytest.mark.parametrize("mode", ["quick", "complete"])
@pytest.mark.parametrize(
    ("question", "asked", "near"),
    [
        ("What does an MRI scan of the head cost?", "no row for “MRI scan of the head”", "310"),
        ("How long does a CT scan of the spine take?", "no row for “CT scan of the spine”", "240"),
        ("What is the price of an X-ray of the foot?", "no row for “X-ray of the foot”", "45"),
        ("What does the platinum plan cost?", "no row for “platinum plan”", "19"),
        ("What does a Carton XL cost?", "no row for “Carton XL”", "0.88"),
        ("头部核磁共振多少钱？", "没有“头部核磁共振”", "680"),
    ],
)
def test_it_is_said_and_the_nearest_rows_are_named(
    settings: Settings, embedder: Embedder, question: str, asked: str, near: str, mode: str
) -> None:
    answer = answered(settings, embedder, question, mode=mode)  # type: ignore[arg-type]
    assert asked in answer.text.split("\n\n")[0]
    assert near in answer.text
    if mode == "complete":
        assert answer.coverage["answered"] == 0


@pytest.mark.parametrize("mode", ["quick", "complete"])
@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What does an MRI scan of the knee cost?", "310"),
        ("How much is an ultrasound of the liver?", "85"),
        ("What does the gold plan cost for students?", "12"),
        ("What does a scan of the lung cost?", "260"),
        ("Which is cheaper, an MRI scan of the knee or a CT scan of the head?", "240"),
        ("What does a Carton L cost?", "0.88"),
        ("膝关节核磁共振多少钱？", "680"),
        ("做腰椎核磁共振要多少钱？", "720"),
        ("腹部彩超的价格是多少？", "180"),
    ],
)
def test_a_row_that_is_there_answers(
    settings: Settings, embedder: Embedder, question: str, value: str, mode: str
) -> None:
    answer = answered(settings, embedder, question, mode=mode)  # type: ignore[arg-type]
    assert value in answer.text
    assert "no row" not in answer.text
    assert "没有“" not in answer.text


@pytest.mark.parametrize("mode", ["quick", "complete"])
def test_a_row_is_singled_out_by_its_day_in_any_way_of_writing(
    settings: Settings, embedder: Embedder, mode: str
) -> None:
    question = "Who closed the incident of 21 May 2024?"
    answer = answered(settings, embedder, question, mode=mode)  # type: ignore[arg-type]
    assert "Pires" in answer.text
    assert not any(who in answer.text for who in ("Moe", "Nowak", "Dahl"))
