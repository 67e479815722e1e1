"""The semantic judge: nearness in meaning where the words differ, guarded by figures and negation.

Like the exact judge clause by clause, but how far a run of sentences states a clause is the mean of shared
words and likeness. Likeness: the cosine of the two, scaled so that unrelated sentences of the same two
languages are 0 and equal ones 1 (embedders crowd their cosines, each in another corner). Alone it cannot
tell 25 days from 30 days, nor "is paid" from "is not paid" (kappa 0.2 on the labelled pairs): so a run that
lacks a figure of the clause, has another in its place, or negates it, does not state it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from eval.judges.clauses import Clause, clauses, significant
from eval.judges.contrary import contrary
from eval.judges.exact import Asked, Thresholds, judged_clause, shared, together
from eval.judges.figures import compared
from eval.judges.pairs import pairs
from eval.judges.quantities import figures
from eval.judges.verdict import WORTH, Verdict
from eval.judges.windows import statements, windows
from rag.embedding.any_length import beginning
from rag.text.language import language

if TYPE_CHECKING:
    from rag.embedding.protocol import Embedder, Vectors

VERSION = 2
_BACKGROUND_STEP = 5
"""Each fact is compared with the answers to every fifth other: enough for a mean."""


class SemanticJudge:
    """embedder: any; the background is measured with it at the first verdict (about 200 short texts)."""

    name = "semantic"

    def __init__(self, embedder: Embedder, thresholds: Thresholds | None = None) -> None:
        self._embedder = embedder
        self._thresholds = thresholds or Thresholds(enough=0.5, with_figures=0.05, some=0.45)
        self._vectors: dict[str, Vectors] = {}

    @property
    def id(self) -> str:
        chosen = self._thresholds
        return (
            f"semantic@{VERSION}:{chosen.enough}/{chosen.with_figures}/{chosen.some} with {self._embedder.id}"
        )

    def judge(self, question: str, facts: Sequence[str], answer: str) -> list[Verdict]:
        runs = windows(statements(answer))
        wanted = [clause.text for fact in facts for clause in clauses(fact)]
        self._embed([*wanted, *runs, *(part.text for run in runs for part in clauses(run))])
        asked = Asked.of(question)
        return [self._one(asked, fact, runs) for fact in facts]

    def _one(self, asked: Asked, fact: str, runs: Sequence[str]) -> Verdict:
        best = Verdict("none")
        for run in runs:
            support = together([self._clause(asked, clause, run) for clause in clauses(fact)])
            if WORTH[support] > WORTH[best.support]:
                best = Verdict(support, run)
        return best

    def _clause(self, asked: Asked, clause: Clause, run: str) -> float:
        parts = [part.text for part in clauses(run)] or [run]
        likeness = [self._likeness(clause.text, part) for part in parts]
        nearest = parts[int(np.argmax(likeness))]
        most = max(*likeness, self._likeness(clause.text, run))
        abroad = language(clause.text) != language(run)
        words = most if abroad else shared(clause.words, significant(run), asked.words)
        return judged_clause(
            self._thresholds,
            (words + most) / 2,
            compared(clause.figures, figures(run), asked.figures),
            telling=clause.figures.telling,
            contrary=not abroad and contrary(clause.text, nearest),
        )

    def _likeness(self, one: str, other: str) -> float:
        cosine = float(self._vectors[one] @ self._vectors[other])
        usual = self._background[language(one), language(other)]
        return max(0.0, (cosine - usual) / (1 - usual))

    @cached_property
    def _background(self) -> dict[tuple[str, str], float]:
        """The mean cosine of facts with sentences of other facts' answers, by their languages."""
        firsts = [(pair, found[0]) for pair in pairs() if (found := statements(pair.answer))]
        self._embed([text for pair, first in firsts for text in (pair.nugget, first)])
        seen: dict[tuple[str, str], list[float]] = defaultdict(list)
        for one, _ in firsts:
            for other, first in firsts:
                if one.fact != other.fact and (one.fact - other.fact) % _BACKGROUND_STEP == 0:
                    cosine = float(self._vectors[one.nugget] @ self._vectors[first])
                    seen[language(one.nugget), language(first)].append(cosine)
        return {languages: float(np.mean(values)) for languages, values in seen.items()}

    def _embed(self, texts: Sequence[str]) -> None:
        missing = list(dict.fromkeys(text for text in texts if text not in self._vectors))
        if missing:
            # A run of long table rows may be longer than that; its sentences are compared one by one as well.
            vectors = self._embedder.embed_queries([beginning(text, self._embedder) for text in missing])
            self._vectors.update(zip(missing, vectors, strict=True))
