"""Two runs, question by question: which measures differ, how surely, and on which questions most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from eval import runs
from eval.measures import MEASURES, Measure, measure_of
from eval.statistics import ALPHA, Paired, compare, holm
from rag.errors import NothingToWorkOn, UsageError

Key = tuple[str, str]

FEWEST = 6
"""Questions below which a group (a language, a kind) gets no comparison of its own: nothing could be said."""


@dataclass(frozen=True, slots=True)
class Run:
    """A run file. name: its strategy's name, or the file's. lines: by (file, id); figures under "figures"."""

    path: Path
    head: Mapping[str, Any]
    lines: Mapping[Key, Mapping[str, Any]]

    @property
    def name(self) -> str:
        strategy = self.head.get("strategy")
        return str(strategy["name"]) if strategy else self.path.stem

    @property
    def failed(self) -> int:
        return sum("error" in line for line in self.lines.values())


@dataclass(frozen=True, slots=True)
class Row:
    """One measure of two runs. corrected: p after Holm's correction over what was compared with it.

    verdict: "better", "worse" (B against A, by what the measure says is better), "different" where neither
    way is better, "unclear": this data set shows no difference.
    """

    measure: Measure
    group: str
    paired: Paired
    corrected: float

    @property
    def verdict(self) -> str:
        if self.corrected > ALPHA or not self.paired.certain:
            return "unclear"
        if self.measure.better == "neither":
            return "different"
        up = self.paired.difference > 0
        return "better" if up == (self.measure.better == "more") else "worse"

    @property
    def gains(self) -> int:
        """Questions on which B is better (higher, unless less is better)."""
        return self.paired.losses if self.measure.better == "less" else self.paired.wins

    @property
    def setbacks(self) -> int:
        return self.paired.wins if self.measure.better == "less" else self.paired.losses

    def as_json(self) -> dict[str, Any]:
        return {
            "measure": self.measure.key,
            "group": self.group,
            **{name: _rounded(value) for name, value in asdict(self.paired).items()},
            "wins": self.gains,
            "losses": self.setbacks,
            "p_corrected": _rounded(self.corrected),
            "verdict": self.verdict,
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """headline: the first measure both runs have. groups: the headline by language and kind of question.

    left_out: questions that only one of the runs has, or that failed in one.
    """

    a: Run
    b: Run
    keys: Sequence[Key]
    left_out: int
    headline: Row
    rows: Sequence[Row]
    groups: Sequence[Row]

    def as_json(self) -> dict[str, Any]:
        return {
            "a": {"name": self.a.name, "run": str(self.a.path)},
            "b": {"name": self.b.name, "run": str(self.b.path)},
            "questions": len(self.keys),
            "left_out": self.left_out,
            "headline": self.headline.as_json(),
            "measures": [row.as_json() for row in self.rows],
            "groups": [row.as_json() for row in self.groups],
        }


def read(path: Path) -> Run:
    """Raises UsageError if it is no run file, or one without figures of single questions."""
    head, lines = runs.read(path)
    kept = {}
    for line in lines:
        figures = line.get("figures", line.get("shares"))
        if figures is None:
            raise UsageError(f"{path} has lines without figures.", fix="Name a run of answers or retrieval.")
        if line.get("documents_found") is not None:
            figures = {**figures, "documents_found": line["documents_found"]}
        kept[line["file"], line["id"]] = {**line, "figures": figures}
    if not kept:
        raise NothingToWorkOn(f"{path} has no questions.", fix="Finish the run first.")
    return Run(path, head, kept)


def comparable(a: Run, b: Run) -> None:
    """Raises UsageError naming what makes the two runs answers to different questions."""
    for name, what in (("command", "commands"), ("dataset", "data sets")):
        if a.head.get(name) != b.head.get(name):
            raise UsageError(
                f"{a.path} and {b.path} are of different {what}: {a.head.get(name)}, {b.head.get(name)}.",
                fix="Compare runs over the same questions.",
            )
    mine, theirs = a.head.get("hashes", {}), b.head.get("hashes", {})
    shared = mine.get("questions", {}).keys() & theirs.get("questions", {}).keys()
    if any(mine["questions"][name] != theirs["questions"][name] for name in shared):
        raise UsageError(
            f"The questions have changed between {a.path} and {b.path}.", fix="Run the older one again."
        )
    if mine.get("docs") != theirs.get("docs"):
        raise UsageError(
            f"The documents have changed between {a.path} and {b.path}.", fix="Run the older one again."
        )
    if a.head.get("judges", [None])[:1] != b.head.get("judges", [None])[:1] or a.head.get(
        "judges_code"
    ) != b.head.get("judges_code"):
        raise UsageError(
            f"{a.path} and {b.path} were judged differently.", fix="Judge both again: eval judge RUN -o NEW."
        )


def comparison(a: Run, b: Run, *, seed: int = 0) -> Comparison:
    """Raises UsageError if the runs cannot be compared, NothingToWorkOn if they share no question."""
    return comparisons(a, [b], seed=seed)[0]


def comparisons(base: Run, others: Sequence[Run], *, seed: int = 0) -> list[Comparison]:
    """Each of `others` against `base`.

    The headline's p values are corrected for the number of others; all further measures, and all groups, for
    the number of their own kind in all comparisons together.
    """
    for other in others:
        comparable(base, other)
    drafts = [_draft(base, other, seed) for other in others]
    first = holm([draft.headline.paired.p for draft in drafts])
    further = iter(holm([row.paired.p for draft in drafts for row in draft.rows[1:]]))
    grouped = iter(holm([row.paired.p for draft in drafts for row in draft.groups]))
    finished = []
    for draft, p in zip(drafts, first, strict=True):
        headline = _with(draft.headline, p)
        finished.append(
            Comparison(
                a=draft.a,
                b=draft.b,
                keys=draft.keys,
                left_out=draft.left_out,
                headline=headline,
                rows=[headline, *(_with(row, next(further)) for row in draft.rows[1:])],
                groups=[_with(row, next(grouped)) for row in draft.groups],
            )
        )
    return finished


def worst(found: Comparison, count: int = 5) -> list[Key]:
    """The questions on which B lost most by the headline, largest loss first; no ties or wins."""
    key, sign = found.headline.measure.key, -1.0 if found.headline.measure.better == "less" else 1.0

    def change(place: Key) -> float:
        a, b = found.a.lines[place]["figures"], found.b.lines[place]["figures"]
        return sign * (b[key] - a[key]) if key in a and key in b else 0.0

    return sorted((place for place in found.keys if change(place) < 0), key=change)[:count]


def _draft(a: Run, b: Run, seed: int) -> Comparison:
    both = [
        key
        for key in a.lines
        if key in b.lines and "error" not in a.lines[key] and "error" not in b.lines[key]
    ]
    if not both:
        raise NothingToWorkOn(f"{a.path} and {b.path} have no answered question in common.")
    names = [measure.key for measure in MEASURES]
    seen = dict.fromkeys(name for key in both for name in a.lines[key]["figures"])
    names += [name for name in seen if name not in names]
    rows = [row for name in names if (row := _row(a, b, both, measure_of(name), "", seed)) is not None]
    if not rows:
        raise NothingToWorkOn(f"{a.path} and {b.path} share no measure.")
    headline = rows[0]
    groups = []
    for title in ("lang", "kind"):
        values = sorted({str(a.lines[key][title]) for key in both})
        for value in values if len(values) > 1 else ():
            mine = [key for key in both if str(a.lines[key][title]) == value]
            row = _row(a, b, mine, headline.measure, value, seed)
            if row is not None and row.paired.n >= FEWEST:
                groups.append(row)
    left_out = len(a.lines.keys() | b.lines.keys()) - len(both)
    return Comparison(a, b, both, left_out, headline, rows, groups)


def _row(a: Run, b: Run, keys: Sequence[Key], measure: Measure, group: str, seed: int) -> Row | None:
    pairs = [
        (a.lines[key]["figures"][measure.key], b.lines[key]["figures"][measure.key])
        for key in keys
        if measure.key in a.lines[key]["figures"] and measure.key in b.lines[key]["figures"]
    ]
    if not pairs:
        return None
    first, second = zip(*pairs, strict=True)
    span = measure.span or max(1.0, max(map(abs, (*first, *second))))
    paired = compare(first, second, seed=seed, span=span)
    return Row(measure, group, paired, paired.p)


def _with(row: Row, p: float) -> Row:
    return Row(row.measure, row.group, row.paired, p)


def _rounded(value: Any) -> Any:
    return round(value, 5) if isinstance(value, float) else value


def is_drawn(row: Row) -> bool:
    """Whether a row belongs into the forest plot: shares, all on one scale, of enough questions."""
    return row.measure.unit == "share" and row.paired.n >= FEWEST
