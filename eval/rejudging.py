"""The answers of a run judged again, as a run of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from eval import runs
from eval.answering import facts_with, judged
from eval.datasets import Nugget, Question
from eval.journal import fingerprint
from eval.judges import checking
from eval.judges.verdict import Judge
from eval.measures import means, recalls
from rag.errors import UsageError


def rejudged(
    run: Path, new: Path, judges: Sequence[Judge], agreement: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Writes `new`. Raises UsageError if `run` is no run of answers, or `new` exists."""
    head, lines = runs.read(run)
    if head.get("command") != "answers":
        raise UsageError(f"{run} is a run of {head.get('command')}, not of answers.", fix="Name another run.")
    if new.exists():
        raise UsageError(f"{new} exists.", fix="Name a file that does not.")
    fresh = [line if "error" in line else _line(line, judges) for line in lines]
    head = {
        **head,
        "judges": [judge.id for judge in judges],
        "judges_code": checking.code(),
        "agreement": list(agreement),
        "answered_as": head.get("fingerprint"),
    }
    head["fingerprint"] = fingerprint({name: head[name] for name in ("answered_as", "judges", "judges_code")})
    runs.write(new, head, fresh)
    return {"run": str(new), "means": means([line for line in fresh if "error" not in line])}


def _line(line: Mapping[str, Any], judges: Sequence[Judge]) -> dict[str, Any]:
    references = tuple(line.get("reference", ()))
    facts = [(fact["text"], fact["vital"]) for fact in line["facts"]]
    # Facts that are the reference answers stood for a question without nuggets.
    own = not references or [text for text, _ in facts] != list(references)
    question = Question(
        id=line["id"],
        question=line["question"],
        answerable=line["answerable"],
        lang=line["lang"],
        kind=line["kind"],
        answers=references,
        nuggets=tuple(Nugget(text, vital) for text, vital in facts) if own else (),
        evidence=(),
    )
    verdicts = {judge.name: judged(judge, question, line["answer"], line["found"]) for judge in judges}
    kept = {
        name: value
        for name, value in line["figures"].items()
        if name not in ("vital", "vital_half", "facts", "facts_half")
    }
    return {
        **line,
        "facts": facts_with(question, verdicts),
        "figures": {**recalls(question, next(iter(verdicts.values()), [])), **kept},
    }
