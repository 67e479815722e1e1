"""The hand-labelled pairs of pairs.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from eval.judges.verdict import Support

_LABELS: dict[str, Support] = {"s": "support", "p": "partial", "n": "none"}


@dataclass(frozen=True, slots=True)
class Pair:
    """fact: number of the fact, shared by all its answers. lang: "en", "zh", or "cross" where fact and answer
    are in different languages. kind: what makes the pair easy or hard. held_out: nothing was fitted to it."""

    fact: int
    lang: str
    kind: str
    question: str
    nugget: str
    answer: str
    label: Support
    held_out: bool


@cache
def pairs() -> tuple[Pair, ...]:
    table = tomllib.loads((files("eval.judges") / "pairs.toml").read_text(encoding="utf-8"))
    return tuple(
        Pair(
            fact=number,
            lang="cross" if kind == "cross" else each["lang"],
            kind=kind,
            question=each["question"],
            nugget=each["nugget"],
            answer=answer,
            label=_LABELS[label],
            held_out=each.get("held_out", False),
        )
        for number, each in enumerate(table["fact"])
        for label, kind, answer in each["answers"]
    )
