"""What a report says, as plain values: the same for the page, for Markdown and for JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from eval.comparing import Comparison, Key, Run, comparisons, read, worst
from eval.measures import MEASURES, Measure, means, measure_of
from eval.statistics.paired import interval
from eval.summary import percentile
from rag.errors import UsageError

COSTS = ("characters", "answer_tokens", "prompt_tokens", "first_token_s", "total_s")
SHOWN = 5
"""Regressions, or worst questions of a single run, that are shown in full."""


@dataclass(frozen=True, slots=True)
class Cost:
    measure: Measure
    mean: float
    p95: float


@dataclass(frozen=True, slots=True)
class Side:
    """One run's answer to one question. facts: those of the headline judge. score: the headline."""

    name: str
    score: float | None
    line: Mapping[str, Any]

    def facts(self, support: str) -> list[str]:
        found = []
        for fact in self.line.get("facts", ()):
            first = next(iter(fact["verdicts"].values()), None)
            if first and first["support"] == support:
                found.append(fact["text"])
        return found


@dataclass(frozen=True, slots=True)
class Case:
    """A question that is shown in full, with one side or two."""

    key: Key
    question: str
    reference: Sequence[str]
    sides: Sequence[Side]


@dataclass(frozen=True, slots=True)
class Contents:
    """runs: the first is the baseline. cases: for each comparison its worst regressions; for a single run its
    worst questions."""

    dataset: str
    runs: Sequence[Run]
    measures: Sequence[Measure]
    means: Sequence[Mapping[str, float]]
    headline: Measure
    alone: tuple[float, float, float, int]
    comparisons: Sequence[Comparison]
    cases: Sequence[Sequence[Case]]
    costs: Sequence[Sequence[Cost]]
    judges: Sequence[Mapping[str, Any]]

    def without_texts(self) -> Contents:
        """The same without questions, answers and evidence."""
        return replace(self, cases=[[] for _ in self.cases])

    def as_json(self) -> dict[str, Any]:
        return {
            "dataset": self.dataset,
            "headline": self.headline.key,
            "runs": [
                {
                    "name": run.name,
                    "run": str(run.path),
                    "questions": len(run.lines),
                    "failed": run.failed,
                    "means": dict(found),
                    "costs": {
                        cost.measure.key: {"mean": round(cost.mean, 4), "p95": round(cost.p95, 4)}
                        for cost in costs
                    },
                    "header": dict(run.head),
                }
                for run, found, costs in zip(self.runs, self.means, self.costs, strict=True)
            ],
            "comparisons": [found.as_json() for found in self.comparisons],
            "worst": [[{"file": case.key[0], "id": case.key[1]} for case in cases] for cases in self.cases],
            "judges": list(self.judges),
        }


def contents(paths: Sequence[Path], *, seed: int = 0) -> Contents:
    """Raises UsageError for no run, a run twice, or runs that cannot be compared."""
    if not paths:
        raise UsageError("No run is named.", fix="Name one run file or several.")
    if len({path.resolve() for path in paths}) < len(paths):
        raise UsageError("A run is named twice.", fix="Name each run once.")
    found = [read(path) for path in paths]
    base = found[0]
    compared = comparisons(base, found[1:], seed=seed) if len(found) > 1 else []
    averages = [means([line for line in run.lines.values() if "error" not in line]) for run in found]
    headline = compared[0].headline.measure if compared else measure_of(next(iter(averages[0])))
    return Contents(
        dataset=str(base.head["dataset"]),
        runs=found,
        measures=[measure_of(key) for key in _shared(averages)],
        means=averages,
        headline=headline,
        alone=_alone(base, headline, seed),
        comparisons=compared,
        cases=[_regressions(one) for one in compared] or [_lowest(base, headline)],
        costs=[_costs(run) for run in found],
        judges=base.head.get("agreement", []),
    )


def _shared(averages: Sequence[Mapping[str, float]]) -> list[str]:
    order = [measure.key for measure in MEASURES]
    keys = dict.fromkeys(key for found in averages for key in found)
    return sorted(keys, key=lambda key: order.index(key) if key in order else len(order))


def _alone(run: Run, headline: Measure, seed: int) -> tuple[float, float, float, int]:
    """Mean of the headline over one run's questions, its interval, and their number."""
    import numpy as np

    values = np.asarray(
        [line["figures"][headline.key] for line in run.lines.values() if headline.key in line["figures"]]
    )
    if not len(values):
        return 0.0, 0.0, 0.0, 0
    low, high = interval(values, seed=seed, span=headline.span or max(1.0, float(abs(values).max())))
    floor = 0.0 if headline.unit == "share" else -float("inf")
    return float(values.mean()), max(floor, low), high, len(values)


def _regressions(found: Comparison) -> list[Case]:
    return [_case(key, [found.a, found.b], found.headline.measure) for key in worst(found, SHOWN)]


def _lowest(run: Run, headline: Measure) -> list[Case]:
    sign = -1.0 if headline.better == "less" else 1.0
    scored = [key for key, line in run.lines.items() if headline.key in line["figures"]]
    scored.sort(key=lambda key: sign * run.lines[key]["figures"][headline.key])
    return [_case(key, [run], headline) for key in scored[:SHOWN]]


def _case(key: Key, runs: Sequence[Run], headline: Measure) -> Case:
    line = runs[0].lines[key]
    return Case(
        key=key,
        question=str(line.get("question", "")),
        reference=line.get("reference", ()),
        sides=[Side(run.name, run.lines[key]["figures"].get(headline.key), run.lines[key]) for run in runs],
    )


def _costs(run: Run) -> list[Cost]:
    result = []
    for key in COSTS:
        values = [line["figures"][key] for line in run.lines.values() if key in line["figures"]]
        if values:
            result.append(Cost(measure_of(key), sum(values) / len(values), percentile(values, 0.95)))
    return result
