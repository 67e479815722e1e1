"""Means by file, language and kind."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from eval.summary import Outcome, above_better_leg, percentile, summarise, table


def outcome(id: str, share: float | None, **more: object) -> Outcome:
    values: dict[str, object] = {
        "file": "questions.jsonl",
        "lang": "en",
        "kind": "short",
        "answerable": True,
        "evidence": 8,
        "milliseconds": {"search": 10.0},
        **more,
    }
    return Outcome(id=id, shares={} if share is None else {"fused@8": share}, **values)  # type: ignore[arg-type]


OUTCOMES = [
    outcome("1", 1.0),
    outcome("2", 0.5, lang="zh", kind="list"),
    outcome("3", 0.0, lang="zh", evidence=0),
    outcome("4", None),
    outcome("5", None, answerable=False, evidence=0),
    outcome("6", None, answerable=False),
    outcome("7", 0.25, file="questions_hard.jsonl"),
]


def test_only_what_can_be_scored_is_in_the_means() -> None:
    first, second = summarise(OUTCOMES)
    assert first["file"] == "questions.jsonl"
    assert first["overall"] == {"questions": 3, "fused@8": 0.5}
    assert first["by_lang"] == {
        "en": {"questions": 1, "fused@8": 1.0},
        "zh": {"questions": 2, "fused@8": 0.25},
    }
    assert first["by_kind"] == {
        "list": {"questions": 1, "fused@8": 0.5},
        "short": {"questions": 2, "fused@8": 0.5},
    }
    assert (first["questions"], first["scored"], first["without_quotes"]) == (6, 3, 1)
    assert (first["answerable_silent"], first["unanswerable"], first["unanswerable_silent"]) == (1, 2, 1)
    assert second["overall"] == {"questions": 1, "fused@8": 0.25}


def test_the_table_has_a_line_for_every_group_and_lines_up() -> None:
    text = table(summarise(OUTCOMES))
    assert "no evidence for 1 answerable and 1 of 2 unanswerable ones" in text
    lines = text.splitlines()
    first = lines[1 : lines.index("")]
    assert len({len(line) for line in first}) == 1
    assert any(line.split() == ["zh", "2", "0.250"] for line in lines)


def test_the_fused_ranking_is_compared_with_the_better_leg_at_each_depth() -> None:
    row = {"questions": 4, "dense@8": 0.5, "keyword@8": 0.75, "ranked@8": 0.875, "fused@8": 0.625}
    row |= {"dense@20": 1.0, "keyword@20": 0.75, "ranked@20": 1.0, "fused@20": 0.75, "mrr@8": 0.5}
    assert above_better_leg(row) == {
        "ranked@8": 0.125,
        "fused@8": -0.125,
        "ranked@20": 0.0,
        "fused@20": -0.25,
    }
    assert above_better_leg({"questions": 0}) == {}
    one = Outcome("q.jsonl", "1", "en", "short", True, 8, shares=row)
    assert "above the better leg: ranked@8 +0.125, fused@8 -0.125" in table(summarise([one]))


def test_a_file_without_anything_to_score() -> None:
    (only,) = summarise([outcome("5", None, answerable=False)])
    assert only["overall"] == {"questions": 0}
    assert "0 of 1 questions scored" in table([only])


@given(st.lists(st.floats(0, 1000), min_size=1, max_size=50), st.floats(0.01, 1))
def test_percentile_is_the_smallest_value_that_covers_the_share(values: list[float], share: float) -> None:
    value = percentile(values, share)
    assert value in values
    assert sum(other <= value for other in values) >= share * len(values) - 1e-9
    assert sum(other < value for other in values) < share * len(values)
