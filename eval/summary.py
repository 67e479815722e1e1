"""Figures of single questions → means by file, language and kind, and the table that a person reads."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, median

from rag.text.context import columns


@dataclass(frozen=True, slots=True)
class Outcome:
    """One question, measured.

    shares: measure → share of its gold quotes that were found; empty where it has no quotes to find.
    evidence: passages that the search found relevant enough. milliseconds: step → time taken.
    documents: the share of the documents named by its evidence among the first 8 passages, quotes or not.
    """

    file: str
    id: str
    lang: str
    kind: str
    answerable: bool
    evidence: int
    shares: Mapping[str, float] = field(default_factory=dict)
    milliseconds: Mapping[str, float] = field(default_factory=dict)
    documents: float | None = None


Row = dict[str, float | int]


def summarise(outcomes: Sequence[Outcome]) -> list[dict[str, object]]:
    """For each file, in order of first appearance:

    scored: answerable questions with quotes; without_quotes: answerable ones that cannot be scored;
    answerable_silent: answerable questions that got no evidence; unanswerable, unanswerable_silent;
    documents: the mean share of the documents that evidence names, and of how many questions;
    overall, by_lang, by_kind: {"questions": n, measure: mean share, …}; above_better_leg: see
    `above_better_leg`; milliseconds: step → p50, p95.
    """
    result: list[dict[str, object]] = []
    for name in dict.fromkeys(outcome.file for outcome in outcomes):
        mine = [outcome for outcome in outcomes if outcome.file == name]
        answerable = [outcome for outcome in mine if outcome.answerable]
        scored = [outcome for outcome in answerable if outcome.shares]
        result.append(
            {
                "file": name,
                "questions": len(mine),
                "scored": len(scored),
                "without_quotes": len(answerable) - len(scored),
                "answerable_silent": sum(not outcome.evidence for outcome in answerable),
                "unanswerable": len(mine) - len(answerable),
                "unanswerable_silent": sum(not o.evidence for o in mine if not o.answerable),
                "documents": _documents(answerable),
                "overall": means(scored),
                "above_better_leg": above_better_leg(means(scored)),
                "by_lang": grouped(scored, lambda outcome: outcome.lang),
                "by_kind": grouped(scored, lambda outcome: outcome.kind),
                "milliseconds": timings(mine),
            }
        )
    return result


def _documents(outcomes: Iterable[Outcome]) -> dict[str, float | int]:
    shares = [outcome.documents for outcome in outcomes if outcome.documents is not None]
    return {"questions": len(shares), "share": round(fmean(shares), 4)} if shares else {"questions": 0}


def means(outcomes: Sequence[Outcome]) -> Row:
    row: Row = {"questions": len(outcomes)}
    for measure in dict.fromkeys(name for outcome in outcomes for name in outcome.shares):
        row[measure] = round(fmean(outcome.shares[measure] for outcome in outcomes), 4)
    return row


def above_better_leg(row: Mapping[str, float | int]) -> dict[str, float]:
    """ "ranked@N" (the fused ranking alone) and "fused@N" (after the evidence test): so much above the better
    one of "dense@N" and "keyword@N". Below 0: that leg alone would have found more."""
    found = {}
    for measure in row:
        what, _, cutoff = measure.partition("@")
        if what in ("ranked", "fused") and f"dense@{cutoff}" in row:
            better = max(row[f"dense@{cutoff}"], row[f"keyword@{cutoff}"])
            found[measure] = round(row[measure] - better, 4)
    return found


def grouped(outcomes: Sequence[Outcome], key: Callable[[Outcome], str]) -> dict[str, Row]:
    return {
        name: means([outcome for outcome in outcomes if key(outcome) == name])
        for name in sorted({key(outcome) for outcome in outcomes})
    }


def timings(outcomes: Iterable[Outcome]) -> dict[str, dict[str, float]]:
    steps: dict[str, list[float]] = {}
    for outcome in outcomes:
        for step, taken in outcome.milliseconds.items():
            steps.setdefault(step, []).append(taken)
    return {
        step: {"p50": round(median(values), 1), "p95": round(percentile(values, 0.95), 1)}
        for step, values in steps.items()
    }


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` of the values do not exceed."""
    ordered = sorted(values)
    return ordered[math.ceil(share * len(ordered)) - 1]


def table(summary: Sequence[Mapping[str, object]]) -> str:
    """The summary as aligned text: a block a file, a line a group, a column a measure."""
    blocks = []
    for part in summary:
        overall = part["overall"]
        assert isinstance(overall, dict)
        measures = [name for name in overall if name != "questions"]
        lines = [["", "n", *measures], ["all", *_cells(overall, measures)]]
        for title in ("by_lang", "by_kind"):
            groups = part[title]
            assert isinstance(groups, dict)
            if len(groups) > 1:
                lines += [[f"  {name}", *_cells(row, measures)] for name, row in groups.items()]
        widths = [max(columns(line[index]) for line in lines) for index in range(len(lines[0]))]
        text = [_notes(part)]
        for line in lines:
            cells = [line[0] + " " * (widths[0] - columns(line[0]))]
            cells += [cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True)]
            text.append("  ".join(cells).rstrip())
        blocks.append("\n".join(text))
    return "\n\n".join(blocks)


def _cells(row: Mapping[str, float | int], measures: Sequence[str]) -> list[str]:
    return [str(row["questions"]), *(f"{row[name]:.3f}" if name in row else "–" for name in measures)]


def _notes(part: Mapping[str, object]) -> str:
    line = f"{part['file']}: {part['scored']} of {part['questions']} questions scored"
    if part["without_quotes"]:
        line += f", {part['without_quotes']} without quotes"
    line += f"; no evidence for {part['answerable_silent']} answerable"
    if part["unanswerable"]:
        line += f" and {part['unanswerable_silent']} of {part['unanswerable']} unanswerable"
    line += " ones"
    documents = part["documents"]
    assert isinstance(documents, dict)
    if documents["questions"]:
        share, questions = documents["share"], documents["questions"]
        line += f"\nof the documents that evidence names, {share:.3f} among the first 8 passages"
        line += f" ({questions} questions)"
    above = part["above_better_leg"]
    assert isinstance(above, dict)
    if above:
        line += "\nabove the better leg: " + ", ".join(
            f"{name} {value:+.3f}" for name, value in above.items()
        )
    return line
