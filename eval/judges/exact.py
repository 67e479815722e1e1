"""The exact judge: every figure of the fact, and its words after normalisation; no model is asked.

The fact is taken clause by clause. A clause is stated by a run of one to three sentences of the answer that
holds all its figures (numbers with units, dates, codes, in any way of writing) and enough of its words, and
that does not negate it or put another figure in its place. Words that the question has already count little:
"up to 140 euros" answers "What is the hotel limit in Lyon?". Figures that the question has already, the name
of a machine or the year that is asked about, count like such words: naming them states nothing. Between
languages only figures and names can be compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from eval.judges.clauses import Clause, clauses, significant
from eval.judges.contrary import contrary
from eval.judges.figures import Compared, Figures, compared
from eval.judges.quantities import figures
from eval.judges.terms import mentioned, terms
from eval.judges.verdict import WORTH, Support, Verdict
from eval.judges.windows import statements, windows
from eval.matching import squeezed
from rag.text.folding import fold
from rag.text.language import language

VERSION = 2
ASKED = 0.2
"""What a word counts that stands in the question."""
CONTRADICTED = -1.0
_IS_ABOUT_IT = 0.3
"""Share of a clause's words below which the answer is about something else, and cannot contradict it."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Shares of a clause's words, calibrated on the labelled pairs.

    enough: for support, of a clause without figures. with_figures: of one whose figures all stand there.
    some: for partial support.
    """

    enough: float = 0.5
    with_figures: float = 0.05
    some: float = 0.45


@dataclass(frozen=True, slots=True)
class Asked:
    """What the question has already: words that carry meaning, figures, and names (eval.judges.terms)."""

    words: frozenset[str]
    figures: Figures
    names: frozenset[str]

    @classmethod
    def of(cls, question: str) -> Asked:
        return cls(significant(question), figures(question), terms(question))


class ExactJudge:
    name = "exact"

    def __init__(self, thresholds: Thresholds | None = None) -> None:
        self._thresholds = thresholds or Thresholds()

    @property
    def id(self) -> str:
        chosen = self._thresholds
        return f"exact@{VERSION}:{chosen.enough}/{chosen.with_figures}/{chosen.some}"

    def judge(self, question: str, facts: Sequence[str], answer: str) -> list[Verdict]:
        runs = windows(statements(answer))
        asked = Asked.of(question)
        return [self._one(asked, fact, runs) for fact in facts]

    def _one(self, asked: Asked, fact: str, runs: Iterable[str]) -> Verdict:
        best = Verdict("none")
        literal = squeezed(fold(fact)).rstrip(".")
        for run in runs:
            support = self._support(asked, fact, run, literal)
            if WORTH[support] > WORTH[best.support]:
                best = Verdict(support, run)
        return best

    def _support(self, asked: Asked, fact: str, run: str, literal: str) -> Support:
        if literal in squeezed(fold(run)) and not contrary(fact, run):
            return "support"
        return together([self._clause(asked, clause, run) for clause in clauses(fact)])

    def _clause(self, asked: Asked, clause: Clause, run: str) -> float:
        counts = compared(clause.figures, figures(run), asked.figures)
        if language(clause.text) != language(run):
            return self._abroad(asked, clause, run, counts)
        return judged_clause(
            self._thresholds,
            shared(clause.words, significant(run), asked.words),
            counts,
            telling=clause.figures.telling,
            contrary=any(contrary(clause.text, part) for part in _about(clause, run, asked.words)),
        )

    def _abroad(self, asked: Asked, clause: Clause, run: str, counts: Compared) -> float:
        """In the other language figures can be looked for, and names that are written alike in both."""
        if counts.replaced:
            return CONTRADICTED
        names = terms(clause.text) - asked.names
        there = mentioned(names, run)
        if contrary(clause.text, _naming(names, run)) and there:
            return CONTRADICTED
        wanted, found = counts.found + counts.missing + len(names), counts.found + there
        return 1.0 if wanted and found == wanted else 0.5 if there else 0.0


def judged_clause(
    thresholds: Thresholds, share: float, counts: Compared, *, telling: bool, contrary: bool
) -> float:
    """1: the clause is stated; 0.5: in part; 0: not; CONTRADICTED: something else is stated in its place.

    share: of its words, 0 … 1. telling, contrary: see Figures and eval.judges.contrary.
    """
    if (counts.replaced or contrary) and (share >= _IS_ABOUT_IT or counts.found):
        return CONTRADICTED
    if counts.replaced:
        return 0.0
    if counts.missing:
        return 0.5 if counts.found or share >= thresholds.some else 0.0
    if counts.found:
        return 1.0 if share >= thresholds.with_figures or telling else 0.0
    if share >= thresholds.enough:
        return 1.0
    return 0.5 if share >= thresholds.some else 0.0


def together(stated: Sequence[float]) -> Support:
    """The verdict on a fact from those on its clauses."""
    if not stated or CONTRADICTED in stated:
        return "none"
    if min(stated) == 1:
        return "support"
    return "partial" if max(stated) > 0 else "none"


def shared(wanted: frozenset[str], there: frozenset[str], asked: frozenset[str]) -> float:
    """The share of the wanted words that are there; words of the question count `ASKED`. 1 for no words."""
    weights = {word: ASKED if word in asked else 1.0 for word in wanted}
    total = sum(weights.values())
    return sum(weights[word] for word in wanted & there) / total if total else 1.0


def _naming(names: frozenset[str], run: str) -> str:
    """The clauses of the run that have one of the names."""
    return " ".join(part.text for part in clauses(run) if mentioned(names, part.text))


def _about(clause: Clause, run: str, asked: frozenset[str]) -> list[str]:
    """The clauses of the run that share most with `clause`: a negation elsewhere says nothing of it."""
    parts = clauses(run)
    overlaps = [
        shared(clause.words, part.words, asked) + compared(clause.figures, part.figures).found
        for part in parts
    ]
    most = max(overlaps, default=0.0)
    return [part.text for part, overlap in zip(parts, overlaps, strict=True) if most and overlap == most]
