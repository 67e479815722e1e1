"""How sure one can be that B differs from A, over the same questions.

paired       one measure of two runs: mean difference, interval, permutation test, what could have been seen
several      when many comparisons are made at once
simulation   whether all that keeps its promises: coverage, false alarms, power
"""

from eval.statistics.paired import ALPHA, Paired, compare
from eval.statistics.several import holm

__all__ = ["ALPHA", "Paired", "compare", "holm"]
