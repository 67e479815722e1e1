"""How early a ranking shows what is needed, of the ranks of the gold quotes (from 1; None: not found).

MRR: one over the rank of the first passage with a gold quote. nDCG: each quote counts 1/log2(1 + rank) at its
first passage, against all of them in the first passages (Järvelin, Kekäläinen, "Cumulated gain-based
evaluation of IR techniques", ACM TOIS 20, 2002, with one gain a quote). Quotes in one passage share its rank.
"""

from __future__ import annotations

import math
from collections.abc import Sequence


def reciprocal_rank(ranks: Sequence[int | None], cutoff: int) -> float:
    """0 … 1; 0 if no quote stands in the first `cutoff` passages.

    >>> reciprocal_rank([None, 4, 2], 8)
    0.5
    """
    found = [rank for rank in ranks if rank is not None and rank <= cutoff]
    return 1 / min(found) if found else 0.0


def ndcg(ranks: Sequence[int | None], cutoff: int) -> float:
    """0 … 1; 1 if every quote stands as early as it can: the n-th quote in passage n or before.

    >>> ndcg([1, 2], 8), ndcg([1, 1], 8), ndcg([None, None], 8)
    (1.0, 1.0, 0.0)
    """
    if not ranks:
        return 0.0
    gained = sum(1 / math.log2(1 + rank) for rank in ranks if rank is not None and rank <= cutoff)
    ideal = sum(1 / math.log2(1 + rank) for rank in range(1, min(len(ranks), cutoff) + 1))
    return min(1.0, gained / ideal)
