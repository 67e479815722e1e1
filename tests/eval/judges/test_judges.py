"""The judges against the hand-labelled pairs and against single cases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from eval.judges import checking
from eval.judges.agreement import agreement
from eval.judges.choose import judges
from eval.judges.exact import ExactJudge
from eval.judges.model import ModelJudge, vote_in
from eval.judges.pairs import pairs
from eval.judges.semantic import SemanticJudge
from eval.judges.verdict import Support
from eval.judges.windows import statements, windows
from rag.embedding.protocol import Embedder
from rag.engine.protocol import EngineInfo, Token
from rag.errors import UsageError

Q = "How long is the leave, and who grants it?"


def verdict(fact: str, answer: str, question: str = Q) -> Support:
    return ExactJudge().judge(question, [fact], answer)[0].support


def test_the_pairs_are_many_in_both_languages_with_hard_negatives() -> None:
    found = pairs()
    assert len(found) >= 120
    assert len([pair for pair in found if pair.held_out]) >= 50
    for lang in ("en", "zh"):
        mine = [pair for pair in found if pair.lang == lang]
        assert len(mine) >= 60
        assert {pair.label for pair in mine} == {"support", "partial", "none"}
        assert {"number", "negation", "partial", "reworded"} <= {pair.kind for pair in mine}
    assert len({(pair.nugget, pair.answer) for pair in found}) == len(found)


def test_the_exact_judge_is_fit_in_both_languages_and_across_them() -> None:
    checked = checking.check(ExactJudge())
    for group in checking.GROUPS:
        assert checked.groups[group].kappa >= 0.6, group
    assert checked.unfit == []
    assert checked.waver == 0


def test_the_semantic_judge_is_fit_everywhere(embedder: Embedder) -> None:
    checked = checking.check(SemanticJudge(embedder))
    for group in checking.GROUPS:
        assert checked.groups[group].kappa >= 0.6, group


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("It is painted grey [1].", "support"),
        ("This is about Pump P-17 [1].", "none"),
        ("Pump P-17 weighs 26 kg [1].", "none"),
        ("Pump P-18 is painted grey [1].", "none"),
    ],
)
def test_naming_what_the_question_names_states_nothing(answer: str, expected: Support) -> None:
    asked = "What colour is pump P-17 painted?"
    assert verdict("Pump P-17 is painted grey.", answer, asked) == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Yes, the warranty lasts 24 months [1].", "support"),
        ("The warranty lasts 36 months [1].", "none"),
    ],
)
def test_another_figure_than_the_question_has_contradicts(answer: str, expected: Support) -> None:
    asked = "Does the warranty last 24 months?"
    assert verdict("The warranty lasts 24 months.", answer, asked) == expected


@pytest.mark.parametrize(
    ("fact", "answer", "expected"),
    [
        ("导出支持PDF和XML。", "Exports can be PDF or XML [1].", "support"),
        ("导出支持PDF和XML。", "Exports can be PDF [1].", "partial"),
        ("导出支持PDF和XML。", "Exports cannot be PDF or XML [1].", "none"),
        ("导出支持PDF和XML。", "Exports take a minute [1].", "none"),
        ("The app runs on macOS.", "该应用可在macOS上运行[1]。", "support"),
        ("The app runs on any phone.", "该应用可在任何手机上运行[1]。", "none"),
    ],
)
def test_names_written_alike_are_compared_across_languages(fact: str, answer: str, expected: Support) -> None:
    assert verdict(fact, answer, "?") == expected


def test_answers_longer_than_the_embedder_takes_are_judged(embedder: Embedder) -> None:
    row = "| interest rate swap | " + " ".join(f"cell {n} of the hedge" for n in range(300)) + " |"
    answer = f"{row}\n\nThe leave is 25 days [1]."
    found = SemanticJudge(embedder).judge(Q, ["Leave is 25 days."], answer)[0]
    assert found.support == "support"


@pytest.mark.parametrize(
    ("fact", "answer", "support"),
    [
        ("Leave is 25 days.", "You get twenty-five days of leave [1].", "support"),
        ("Leave is 25 days.", "You get 30 days of leave [1].", "none"),
        ("Leave is 25 days.", "", "none"),
        ("Leave is 25 days.", "The documents do not mention how long the leave is.", "none"),
        ("Leave is 25 days and granted by the head.", "Leave is 25 days.", "partial"),
        ("年假为15天。", "年假有十五天[1]。", "support"),
        ("不得进入机房。", "可以进入机房[1]。", "none"),
    ],
)
def test_single_cases(fact: str, answer: str, support: Support) -> None:
    assert verdict(fact, answer) == support


def test_a_fact_may_be_spread_over_sentences() -> None:
    answer = "The warranty is long. It lasts 24 months. Wear parts are not covered by it."
    fact = "The warranty lasts 24 months and does not cover wear parts."
    assert verdict(fact, answer, "What does the warranty cover?") == "support"


def test_kappa_by_hand() -> None:
    labels: list[Support] = ["support"] * 4 + ["none"] * 6
    said: list[Support] = ["support"] * 3 + ["none"] * 6 + ["support"]
    found = agreement(labels, said)
    # 8 of 10 agree; by chance 0.4 × 0.4 + 0.6 × 0.6 = 0.52.
    assert found.kappa == pytest.approx((0.8 - 0.52) / 0.48)
    assert found.confusion == ((3, 0, 1), (0, 0, 0), (1, 0, 5))
    assert agreement([], []).kappa == 0
    assert agreement(["none"], ["none"]).kappa == 1


def test_windows_and_statements() -> None:
    assert windows(["a", "b", "c"]) == ["a", "b", "c", "a b", "b c", "a b c"]
    assert statements("One [1]. Two [2].") == ["One.", "Two."]
    assert statements("The documents do not contain this.") == []


class Says:
    """An engine that says the next of its lines every time it is asked."""

    def __init__(self, *lines: str) -> None:
        self._lines = lines
        self.asked: list[tuple[Sequence[Any], dict[str, Any]]] = []

    def info(self) -> EngineInfo:
        return EngineInfo("said", 4096, "ready")

    def stream(self, messages: Sequence[Any], **options: Any) -> Iterator[Token]:
        self.asked.append((messages, options))
        yield Token(self._lines[(len(self.asked) - 1) % len(self._lines)])


def test_the_model_judge_counts_votes_and_tells_how_it_wavers() -> None:
    engine = Says("support", "none", "support")
    found = ModelJudge(engine).judge(Q, ["Leave is 25 days."], "25 days [1]")[0]  # type: ignore[arg-type]
    assert found.support == "support"
    assert found.agreement == pytest.approx(2 / 3)
    seeds = {options["sampling"].seed for _, options in engine.asked}
    assert len(seeds) == 3
    assert all(options["schema"]["enum"] == ["support", "partial", "none"] for _, options in engine.asked)
    assert "[1]" not in engine.asked[0][0][-1].content


def test_a_draw_goes_to_the_sterner_verdict_and_babble_counts_for_nothing() -> None:
    drawn = ModelJudge(Says("support", "partial", "none"))  # type: ignore[arg-type]
    assert drawn.judge(Q, ["A fact."], "An answer.")[0].support == "none"
    assert vote_in("I would say partial, not none") == "partial"
    assert vote_in("well") == "none"


def test_agreement_is_measured_once_and_kept(tmp_path: Path) -> None:
    first = checking.remembered(ExactJudge(), tmp_path)
    kept = list(tmp_path.iterdir())
    assert checking.remembered(ExactJudge(), tmp_path) == first
    assert list(tmp_path.iterdir()) == kept
    assert set(first["groups"]) == set(checking.GROUPS)


def test_judges_by_name(embedder: Embedder) -> None:
    made = judges(["exact", "semantic", "exact"], embedder, Says(""))  # type: ignore[arg-type]
    assert [judge.name for judge in made] == ["exact", "semantic"]
    with pytest.raises(UsageError, match="no judge 'guess'"):
        judges(["guess"], embedder, Says(""))  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="No judge"):
        judges([], embedder, Says(""))  # type: ignore[arg-type]
