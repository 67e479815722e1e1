"""`python -m benchmarks.statistics`: do the intervals cover, how often is there a false alarm?

Prints a line for each number of questions and true difference. Exit code 1 if a promise is broken: false
alarms above 5 % (plus what luck allows in that many tries), coverage below 94 %.
"""

from __future__ import annotations

import argparse
import math
import sys
import time

from eval.statistics.simulation import Promise, promise

QUESTIONS = (20, 40, 100, 200)
SHIFTS = (0.0, 0.05, 0.15)
ALARMS, COVERED = 0.05, 0.94


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.statistics", description=__doc__)
    parser.add_argument("--tries", type=int, default=2000, help="simulated comparisons a line (default 2000)")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args(arguments)
    began, kept = time.monotonic(), True
    print(f"{'questions':>9}  {'true':>6}  {'tries':>5}  {'spoke of a difference':>21}  {'covered':>7}")
    for questions in QUESTIONS:
        for shift in SHIFTS:
            found = promise(questions, shift, chosen.tries, seed=chosen.seed)
            good = keeps(found)
            kept &= good
            print(
                f"{found.questions:>9}  {found.true:>6.3f}  {found.tries:>5}  {found.alarms:>21.1%}"
                f"  {found.covered:>7.1%}{'' if good else '  broken'}",
                flush=True,
            )
    print(f"{time.monotonic() - began:.0f} s", file=sys.stderr)
    return 0 if kept else 1


def keeps(found: Promise) -> bool:
    """Whether a line keeps the promises, two standard errors of luck allowed."""
    luck = 2 * math.sqrt(ALARMS * (1 - ALARMS) / found.tries)
    quiet = found.true != 0 or found.alarms <= ALARMS + luck
    return quiet and found.covered >= COVERED - luck


if __name__ == "__main__":
    sys.exit(main())
