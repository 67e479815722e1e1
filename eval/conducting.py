"""A whole run of one strategy: prepared, asked, judged, kept with everything that is needed to repeat it."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eval import runs
from eval.answering import Runner, sampled
from eval.datasets import Dataset
from eval.journal import Journal, fingerprint
from eval.judges import checking
from eval.judges.choose import USUAL, judges
from eval.measures import means
from eval.strategies import Strategy

if TYPE_CHECKING:
    from eval.laboratory import Laboratory, Resident
    from rag.settings import Settings

_PROJECT = Path(__file__).parent.parent
_DECIDES = ("rag", "ingest", "eval/measures.py", "eval/answering.py", "eval/tuned.py", "eval/judges")
"""Code that can change a figure: with other code it is another run."""
_SECTIONS = ("engine", "embedding", "ingest", "retrieval", "answering")

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """judges: names, the first one makes the recall figures. collections: of an existing library; none: the
    data set's own documents. sample: questions of each file, None: all."""

    dataset: Dataset
    judges: Sequence[str] = USUAL
    collections: Sequence[str] = ()
    sample: int | None = None


@dataclass(frozen=True, slots=True)
class Conducted:
    """resumed: questions that were there already. failed: questions without an answer."""

    strategy: str
    path: Path
    questions: int
    resumed: int
    failed: int
    means: dict[str, float]
    seconds: float

    def as_json(self) -> dict[str, Any]:
        return {
            "strategy": self.strategy,
            "run": str(self.path),
            "questions": self.questions,
            "resumed": self.resumed,
            "failed": self.failed,
            "means": self.means,
            "seconds": self.seconds,
        }


def conduct(
    plan: Plan,
    strategy: Strategy,
    settings: Settings,
    laboratory: Laboratory | Resident,
    folder: Path,
    *,
    own_name: bool = False,
    progress: Progress = lambda done, total: None,
    stopping: Callable[[], bool] = lambda: False,
) -> Conducted:
    """Runs `strategy`, or what is missing of it. The run file is <folder>/<data set>-<strategy>-<fingerprint>
    .jsonl; with own_name <folder>/<strategy>.jsonl, which must then not hold another run (UsageError)."""
    began = time.monotonic()
    settings = strategy.applied(settings)
    bench = laboratory.bench(plan.dataset, settings, plan.collections)
    engine = laboratory.engine(settings)
    engine.start()
    chosen = judges(plan.judges, bench.embedder, engine)
    head = header(plan, strategy, settings, bench.docs, bench.report, bench.embedder.id, engine)
    head |= {
        "judges": [judge.id for judge in chosen],
        "judges_code": checking.code(),
    }
    head["fingerprint"] = fingerprint(decisive(head))
    head["agreement"] = [checking.remembered(judge, laboratory.work / "judges") for judge in chosen]
    plain = strategy.name.replace(":", "-seed-")
    name = plain if own_name else f"{plan.dataset.name}-{plain}-{head['fingerprint'][:8]}"
    files = sampled(plan.dataset.files, plan.sample)
    order = [(file.name, question.id) for file in files for question in file.questions]
    runner = Runner(
        strategy, bench.settings, bench.library, bench.embedder, engine, bench.collections, chosen
    )
    with Journal(folder / f"{name}.jsonl", head) as journal:
        resumed = len(journal.lines)
        failed = runner.run(files, journal, progress, stopping)
        lines = journal.finish(order)
    return Conducted(
        strategy=strategy.name,
        path=journal.path,
        questions=len(lines),
        resumed=resumed,
        failed=failed,
        means=means(lines),
        seconds=round(time.monotonic() - began, 1),
    )


_NOT_DECISIVE = ("created", "report", "system")


def decisive(head: Mapping[str, Any]) -> dict[str, Any]:
    """What of a header can change an answer or a verdict; how a strategy is described cannot."""
    kept = {name: head[name] for name in head if name not in _NOT_DECISIVE}
    return kept | {"strategy": {name: value for name, value in head["strategy"].items() if name != "about"}}


def header(
    plan: Plan,
    strategy: Strategy,
    settings: Settings,
    docs: str,
    report: dict[str, Any],
    embedder: str,
    engine: Any,
) -> dict[str, Any]:
    """Everything that can change a figure, in the words of the settings."""
    effective = {name: getattr(settings, name).model_dump(mode="json") for name in _SECTIONS}
    return runs.header(
        "answers",
        plan.dataset.name,
        strategy=strategy.model_dump(mode="json"),
        settings=effective,
        collections=list(plan.collections),
        sample=plan.sample,
        hashes={
            "docs": docs,
            "questions": {
                file.name: hashlib.sha256(file.path.read_bytes()).hexdigest() for file in plan.dataset.files
            },
            "code": code_hash(),
            "model": runs.model_hash(settings),
        },
        model=engine.info().model,
        embedder=embedder,
        report={
            "documents": report["documents"],
            "chunks": report["chunks"],
            "failed": len(report["failed"]),
        },
        system=runs.system(),
    )


@cache
def code_hash() -> str:
    total = hashlib.sha256()
    for name in _DECIDES:
        place = _PROJECT / name
        for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if path.suffix in (".py", ".toml", ".sql", ".md"):
                total.update(str(path.relative_to(_PROJECT)).encode() + b"\0" + path.read_bytes() + b"\0")
    return total.hexdigest()[:16]
