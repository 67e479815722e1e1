"""Every judge against the hand-labelled pairs: how far it agrees with a person, by language.

The figures of pairs that were held out are the honest ones: words and thresholds were chosen with the others
in sight.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from eval.judges.agreement import FIT, Agreement, agreement
from eval.judges.pairs import Pair, pairs
from eval.judges.verdict import SUPPORTS, Judge, Verdict

GROUPS: Mapping[str, Callable[[Pair], bool]] = {
    "all": lambda pair: True,
    "held out": lambda pair: pair.held_out,
    "en": lambda pair: pair.lang == "en",
    "zh": lambda pair: pair.lang == "zh",
    "cross": lambda pair: pair.lang == "cross",
}
"""cross: fact and answer in different languages."""


@dataclass(frozen=True, slots=True)
class Checked:
    """groups: name of GROUPS → agreement. waver: mean share of a judge's votes that differ from its verdict.

    binary: kappa of "support" against anything less, over all pairs.
    """

    judge: str
    groups: Mapping[str, Agreement]
    binary: float
    waver: float

    @property
    def unfit(self) -> list[str]:
        """The groups in which it must not be relied on."""
        return [name for name, found in self.groups.items() if found.pairs and found.kappa < FIT]

    def as_json(self) -> dict[str, Any]:
        return {
            "judge": self.judge,
            "labels": list(SUPPORTS),
            "groups": {
                name: {**asdict(found), "confusion": [list(row) for row in found.confusion]}
                for name, found in self.groups.items()
            },
            "binary": self.binary,
            "waver": self.waver,
            "unfit": self.unfit,
        }


def check(judge: Judge, over: Sequence[Pair] | None = None) -> Checked:
    """Judges every pair (all of pairs.toml by default)."""
    over = pairs() if over is None else over
    verdicts = [judge.judge(pair.question, [pair.nugget], pair.answer)[0] for pair in over]
    return Checked(
        judge=judge.id,
        groups={name: _agreed(over, verdicts, chosen) for name, chosen in GROUPS.items()},
        binary=_binary(over, verdicts),
        waver=sum(1 - verdict.agreement for verdict in verdicts) / len(verdicts),
    )


def remembered(judge: Judge, folder: Path) -> dict[str, Any]:
    """`check(judge)` as JSON, kept in `folder` under the judge's id and the pairs, so it is measured once."""
    text = (Path(__file__).parent / "pairs.toml").read_bytes()
    key = hashlib.sha256(judge.id.encode() + code().encode() + text).hexdigest()[:16]
    path = folder / f"{judge.name}-{key}.json"
    if path.is_file():
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return found
    checked = check(judge).as_json()
    folder.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".new")
    temporary.write_text(json.dumps(checked, ensure_ascii=False), encoding="utf-8")
    temporary.replace(path)
    return checked


def code() -> str:
    """A hash over the judges' code and data: with other rules a verdict is another one."""
    total = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.*")):
        if path.suffix in (".py", ".toml"):
            total.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return total.hexdigest()[:12]


def _agreed(over: Sequence[Pair], verdicts: Sequence[Verdict], chosen: Callable[[Pair], bool]) -> Agreement:
    places = [place for place, pair in enumerate(over) if chosen(pair)]
    return agreement([over[place].label for place in places], [verdicts[place].support for place in places])


def _binary(over: Sequence[Pair], verdicts: Sequence[Verdict]) -> float:
    def two(support: str) -> Any:
        return "support" if support == "support" else "none"

    return agreement([two(pair.label) for pair in over], [two(one.support) for one in verdicts]).kappa
