"""A comparison in one sentence, with how sure one can be."""

from __future__ import annotations

from eval.comparing import Comparison
from eval.report.contents import Contents
from eval.report.words import Language, Words, number, p_text, points


def sentence(found: Comparison, language: Language) -> str:
    """What is better, by how much, within what, over how many questions; and whether answers got longer."""
    words = Words(language)
    row = found.headline
    paired, measure = row.paired, row.measure
    unit = " pp" if measure.unit == "share" and language == "en" else ""
    unit = " 个百分点" if measure.unit == "share" and language == "zh" else unit
    name = "unclear" if row.verdict in ("unclear", "different") else row.verdict
    if name == "unclear" and paired.detectable is None:
        name = "unclear_small"
    told = words(
        name,
        a=found.a.name,
        b=found.b.name,
        measure=words.measure(measure.key),
        difference=points(abs(paired.difference), measure, signed=False) + unit,
        signed=points(paired.difference, measure) + unit,
        low=points(paired.low, measure),
        high=points(paired.high, measure),
        p=p_text(row.corrected) + (words("corrected") if row.corrected > paired.p else ""),
        n=paired.n,
        detectable=points(paired.detectable or 0.0, measure, signed=False) + unit,
    )
    between = "" if language == "zh" else " "
    return f"{told}{between}{_length(found, words)}".strip()


def _length(found: Comparison, words: Words) -> str:
    """Longer answers state more facts: so it is said in the same breath."""
    for row in found.rows:
        if row.measure.key == "characters" and row.paired.mean_a > 0:
            change = row.paired.mean_b / row.paired.mean_a - 1
            if abs(change) < 0.02:
                return words("length_same")
            return words(
                "length_longer" if change > 0 else "length_shorter",
                b=found.b.name,
                percent=f"{100 * abs(change):.0f} %",
            )
    return ""


def alone(found: Contents, words: Words) -> str:
    """A single run in one sentence."""
    mean, low, high, n = found.alone
    measure = found.headline
    return words(
        "alone",
        a=found.runs[0].name,
        measure=words.measure(measure.key),
        mean=number(mean, measure),
        low=number(low, measure),
        high=number(high, measure),
        n=n,
    )


def made(found: Contents, words: Words) -> str:
    """How many questions, runs and documents."""
    head = found.runs[0].head
    documents = head.get("report", head.get("result", {})).get("documents", "–")
    return words(
        "made" if len(found.runs) > 1 else "made_one",
        questions=len(found.runs[0].lines),
        runs=len(found.runs),
        documents=documents,
    )
