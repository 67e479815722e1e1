"""The measures of an answer: what each is called, which way is better, and how it is computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Literal

from eval.datasets import Question
from eval.judges.verdict import WORTH, Verdict
from eval.matching import Shown, found
from rag.citations.claims import claims
from rag.records import Answer

Better = Literal["more", "less", "neither"]


@dataclass(frozen=True, slots=True)
class Measure:
    """key: in run files. better: which way. span: the largest possible difference, None if there is none.

    unit: how it is written: share (as percent), count, seconds, tokens.
    """

    key: str
    better: Better
    unit: Literal["share", "count", "seconds", "tokens"] = "share"
    span: float | None = 1.0


MEASURES = (
    Measure("fused@8", "more"),
    Measure("vital", "more"),
    Measure("vital_half", "more"),
    Measure("facts", "more"),
    Measure("facts_half", "more"),
    Measure("evidence", "more"),
    Measure("citation_precision", "more"),
    Measure("citation_recall", "more"),
    Measure("gold_cited", "more"),
    Measure("refused_wrongly", "less"),
    Measure("refused_rightly", "more"),
    Measure("unsupported", "less", "count", None),
    Measure("characters", "neither", "count", None),
    Measure("answer_tokens", "neither", "tokens", None),
    Measure("prompt_tokens", "less", "tokens", None),
    Measure("first_token_s", "less", "seconds", None),
    Measure("total_s", "less", "seconds", None),
)
"""In the order of reports; the first one that two runs share is the headline. fused@8: of retrieval runs."""
BY_KEY: Mapping[str, Measure] = {measure.key: measure for measure in MEASURES}


def measure_of(key: str) -> Measure:
    """Shares of retrieval runs ("dense@20", "2048 tokens") are measures too; of what the evidence test takes
    away ("refused@8") less is better."""
    return BY_KEY.get(key, Measure(key, "less" if key.startswith("refused@") else "more"))


@dataclass(frozen=True, slots=True)
class Fact:
    text: str
    vital: bool


def facts_of(question: Question) -> tuple[Fact, ...]:
    """The nuggets; where there are none, the reference answers as ways of saying the one vital fact."""
    if question.nuggets:
        return tuple(Fact(nugget.text, nugget.vital) for nugget in question.nuggets)
    return tuple(Fact(text, True) for text in question.answers)


def recalls(question: Question, verdicts: Sequence[Verdict]) -> dict[str, float]:
    """vital, facts: share of (vital) facts that are stated whole. …_half: partly stated ones count a half.

    Of reference answers without nuggets the best one counts. Nothing for questions without facts or answer.
    """
    if not question.answerable or not verdicts:
        return {}
    facts = facts_of(question)
    worth = [WORTH[verdict.support] for verdict in verdicts]
    if not question.nuggets:
        best = max(worth)
        whole = float(best == 1)
        return {"vital": whole, "vital_half": best, "facts": whole, "facts_half": best}
    vital = [value for fact, value in zip(facts, worth, strict=True) if fact.vital]
    result = {"facts": fmean(value == 1 for value in worth), "facts_half": fmean(worth)}
    if vital:
        result |= {"vital": fmean(value == 1 for value in vital), "vital_half": fmean(vital)}
    return result


def figures(question: Question, answer: Answer, paths: Mapping[str, frozenset[str]]) -> dict[str, float]:
    """Everything that needs no judge. paths: document (sha256) → the paths under which it was ingested."""
    golds = [gold for gold in question.evidence if gold.quote]
    result: dict[str, float] = {}
    if question.answerable:
        result["refused_wrongly"] = float(not answer.found)
        if golds:
            shown = [
                Shown(paths.get(document, frozenset()), pages, one.text)
                for one in answer.evidence
                for document, pages in [
                    (one.document, one.pages),
                    *((copy.document, copy.pages) for copy in one.copies if copy.whole),
                ]
            ]
            result["evidence"] = fmean(found(golds, shown))
    else:
        result["refused_rightly"] = float(not answer.found)
    if answer.found:
        result |= _citation_figures(question, answer)
        result["unsupported"] = float(len(answer.unsupported))
    usage, timing = answer.usage, answer.timing
    return result | {
        "characters": float(len(answer.text)),
        "answer_tokens": float(usage.answer_tokens),
        "prompt_tokens": float(usage.prompt_tokens),
        "first_token_s": round(timing.first_token_s, 4),
        "total_s": round(timing.total_s, 4),
    }


def _citation_figures(question: Question, answer: Answer) -> dict[str, float]:
    """citation_precision: share of citations whose words stand in the cited text. citation_recall: share of
    the stating sentences with one such citation. gold_cited: share of the gold places that are cited."""
    result: dict[str, float] = {}
    if answer.citations:
        result["citation_precision"] = fmean(citation.verified for citation in answer.citations)
    verified = {citation.n for citation in answer.citations if citation.verified}
    stating = [claim for claim in claims(answer.text) if claim.stating]
    if stating:
        result["citation_recall"] = fmean(bool(verified & set(claim.numbers)) for claim in stating)
    places = {(gold.doc, gold.page) for gold in question.evidence}
    if question.answerable and places:
        cited = {(citation.path, citation.page) for citation in answer.citations if citation.verified}
        documents = {path for path, _ in cited}
        result["gold_cited"] = fmean(
            (doc, page) in cited if page is not None else doc in documents for doc, page in places
        )
    return result


def means(lines: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """The mean of each measure over the items that have it, in the order of MEASURES."""
    result = {}
    keys = [measure.key for measure in MEASURES]
    keys += [
        key for key in dict.fromkeys(key for line in lines for key in line["figures"]) if key not in keys
    ]
    for key in keys:
        values = [line["figures"][key] for line in lines if key in line["figures"]]
        if values:
            result[key] = round(fmean(values), 4)
    return result
