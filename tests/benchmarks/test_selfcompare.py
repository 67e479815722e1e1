"""A strategy compared with itself: what counts as an alarm, and what as no test at all."""

from __future__ import annotations

import random
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from benchmarks import selfset
from benchmarks.selfcompare import Pair, differing, kept, told
from eval import datasets
from eval.comparing import Run, comparison


def runs(seeds: int, *, shift: float = 0.0, same: bool = False) -> list[Run]:
    """Runs over forty questions whose facts are stated by luck; the last ones luckier by `shift`."""
    found = []
    for seed in range(seeds):
        rng = random.Random(0 if same else seed + 100)
        chance = 0.4 + (shift if seed >= seeds // 2 else 0.0)
        lines: dict[Any, Any] = {}
        for n in range(40):
            stated = float(rng.random() < chance)
            lines["q.jsonl", f"q{n}"] = {
                "lang": "en", "kind": "fact", "answer": f"{rng.random()}",
                "figures": {"vital": stated, "total_s": 1.0 + seed},
            }  # fmt: skip
        found.append(Run(Path(f"{seed}.jsonl"), {"strategy": {"name": f"own:{seed}"}}, lines))
    return found


def pairs(of: list[Run]) -> list[Pair]:
    return [Pair(a, b, comparison(of[a], of[b])) for a, b in combinations(range(len(of)), 2)]


def test_luck_is_no_alarm_and_slower_runs_are_counted_apart() -> None:
    found = runs(6)
    compared = pairs(found)
    assert kept(found, compared)
    assert sum(pair.disjoint for pair in compared) == 3
    said = told(found, compared)
    assert "own: 6 runs over 40 questions" in said
    assert "answers that differ between two seeds: 100%" in said
    assert "15 of 15" in said.split("any time")[1]


def test_a_true_difference_breaks_the_promise() -> None:
    found = runs(4, shift=0.55)
    assert not kept(found, pairs(found))


def test_runs_that_are_all_alike_show_nothing() -> None:
    found = runs(3, same=True)
    assert differing(found) == 0
    assert not kept(found, pairs(found))


@pytest.mark.parametrize("seed", [0, 1])
def test_the_made_data_set_is_right(tmp_path: Path, seed: int) -> None:
    dataset = datasets.read(selfset.write(tmp_path, seed=seed))
    assert len(dataset.files[0].questions) == 20
    for question in dataset.files[0].questions:
        text = (dataset.docs / question.evidence[0].doc).read_text(encoding="utf-8")
        assert all(nugget.text in text for nugget in question.nuggets)
        assert len(question.nuggets) == 2
    again = selfset.write(tmp_path / "again", seed=seed)
    assert (again / "questions.jsonl").read_bytes() == (tmp_path / "questions.jsonl").read_bytes()
