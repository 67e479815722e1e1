"""`python -m benchmarks.selfcompare`: is a strategy ever called better than itself under another seed?

One strategy is run under many seeds; every two runs are compared by what `eval compare` calls. Whatever it
then speaks of is a false alarm. Runs that are there already are not asked again.

Two pairs that share a run are no two independent tries, so the number among disjoint pairs (1-2, 3-4, …) is
said too. Times are counted apart: they depend on what else the machine did, and a difference may be true.

Exit code 1 if the headline differs in more than 5 % of the pairs, or if the seeds made no difference to the
answers, so that nothing was tried.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from statistics import fmean, pstdev

from benchmarks import selfset
from eval.comparing import Comparison, Run, comparison, read
from eval.statistics import ALPHA
from rag.errors import RagError

HERE = Path(__file__).parent
SECONDS = "seconds"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.selfcompare", description=__doc__)
    parser.add_argument("dataset", nargs="?", type=Path, help="default: twenty questions made by rule")
    parser.add_argument("--strategy", default="short-own-words", help="default: %(default)s")
    parser.add_argument("--strategies", type=Path, default=HERE / "selfcompare.toml", metavar="FILE")
    parser.add_argument("--seeds", type=int, default=21, help="runs, so many (default 21: 210 pairs)")
    parser.add_argument("--runs", type=Path, nargs="+", metavar="RUN", help="compare these, ask nothing")
    parser.add_argument("--work", type=Path, help="where libraries are kept (default: RAG_HOME/eval)")
    parser.add_argument("-o", dest="folder", type=Path, help="where the runs go (default: below --work)")
    chosen = parser.parse_args(arguments)
    if (len(chosen.runs) if chosen.runs else chosen.seeds) < 2:
        parser.error("two runs make a pair")
    try:
        return _measured(chosen)
    except RagError as error:
        print(f"{error.message} {error.fix}".strip(), file=sys.stderr)
        return 2


def _measured(chosen: argparse.Namespace) -> int:
    began = time.monotonic()
    runs = [read(path) for path in chosen.runs or _run_all(chosen)]
    print(f"{len(runs)} runs after {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    pairs = []
    for a, b in combinations(range(len(runs)), 2):
        pairs.append(Pair(a, b, comparison(runs[a], runs[b])))
        if len(pairs) % 20 == 0:
            print(f"  {len(pairs)} pairs compared", file=sys.stderr, flush=True)
    print(told(runs, pairs))
    print(f"{time.monotonic() - began:.0f} s", file=sys.stderr)
    return 0 if kept(runs, pairs) else 1


@dataclass(frozen=True, slots=True)
class Pair:
    """a, b: places of the two runs."""

    a: int
    b: int
    found: Comparison

    @property
    def disjoint(self) -> bool:
        """One of the pairs 1-2, 3-4, …, no two of which share a run."""
        return self.a % 2 == 0 and self.b == self.a + 1

    @property
    def headline(self) -> bool:
        return self.found.headline.verdict != "unclear"

    @property
    def further(self) -> bool:
        """Any other measure but a time."""
        return any(row.verdict != "unclear" for row in self.found.rows[1:] if row.measure.unit != SECONDS)

    @property
    def groups(self) -> bool:
        return any(row.verdict != "unclear" for row in self.found.groups)

    @property
    def times(self) -> bool:
        return any(row.verdict != "unclear" for row in self.found.rows if row.measure.unit == SECONDS)


def kept(runs: Sequence[Run], pairs: Sequence[Pair]) -> bool:
    return differing(runs) > 0 and fmean(pair.headline for pair in pairs) <= ALPHA


def differing(runs: Sequence[Run]) -> float:
    """Share of (question, pair of runs) whose two answers are not the same text."""
    keys = [key for key in runs[0].lines if all(key in run.lines for run in runs)]
    return fmean(
        a.lines[key].get("answer") != b.lines[key].get("answer")
        for a, b in combinations(runs, 2)
        for key in keys
    )


def told(runs: Sequence[Run], pairs: Sequence[Pair]) -> str:
    """The figures, a line each."""
    key = pairs[0].found.headline.measure.key
    means = [
        fmean(line["figures"][key] for line in run.lines.values() if key in line["figures"]) for run in runs
    ]
    changed = fmean(1 - pair.found.headline.paired.ties / pair.found.headline.paired.n for pair in pairs)
    lines = [
        f"{runs[0].name.partition(':')[0]}: {len(runs)} runs over {len(pairs[0].found.keys)} questions",
        f"answers that differ between two seeds: {differing(runs):.0%}; whose {key} differs: {changed:.0%}",
        f"{key}: {fmean(means):.3f} on average, from {min(means):.3f} to {max(means):.3f} "
        f"(standard deviation {pstdev(means):.3f})",
        f"{'spoke of a difference':32} {'pairs':>12}  {'95 % if independent':27}  {'disjoint pairs':>14}",
        _line(f"headline ({key})", pairs, [pair.headline for pair in pairs]),
        _line("any other measure but times", pairs, [pair.further for pair in pairs]),
    ]
    if any(pair.found.groups for pair in pairs):
        lines.append(_line("any language or kind", pairs, [pair.groups for pair in pairs]))
    lines.append(_line("any time (may be true)", pairs, [pair.times for pair in pairs]))
    ps = [pair.found.headline.paired.p for pair in pairs]
    shares = ", ".join(f"{fmean(p <= level for p in ps):.0%} at most {level}" for level in (0.05, 0.2, 0.5))
    lines.append(f"p of the headline: {shares}")
    return "\n".join(lines)


def _line(name: str, pairs: Sequence[Pair], alarms: Sequence[bool]) -> str:
    from scipy.stats import binomtest

    count = sum(alarms)
    reach = binomtest(count, len(alarms)).proportion_ci()
    apart = [alarm for pair, alarm in zip(pairs, alarms, strict=True) if pair.disjoint]
    share = f"{count / len(alarms):.1%} ({reach.low:.1%} to {reach.high:.1%})"
    return f"{name:32} {f'{count} of {len(alarms)}':>12}  {share:27}  {f'{sum(apart)} of {len(apart)}':>14}"


def _run_all(chosen: argparse.Namespace) -> list[Path]:
    from eval import datasets
    from eval.conducting import Plan, conduct
    from eval.laboratory import Laboratory
    from eval.strategies import chosen as strategies_named
    from rag.settings import load

    settings = load()
    work = (chosen.work or settings.home / "eval").expanduser().absolute()
    dataset = datasets.read(chosen.dataset or selfset.write(work / "datasets" / "cards"))
    folder = (chosen.folder or work / "selfcompare").absolute()
    names = [f"{chosen.strategy}:{seed}" for seed in range(1, chosen.seeds + 1)]
    paths = []
    with Laboratory(work) as laboratory:
        for strategy in strategies_named(names, chosen.strategies):
            done = conduct(Plan(dataset), strategy, settings, laboratory, folder, own_name=True)
            print(f"  {done.path}: {done.seconds:.0f} s", file=sys.stderr, flush=True)
            paths.append(done.path)
    return paths


if __name__ == "__main__":
    sys.exit(main())
