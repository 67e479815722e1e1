"""Data sets and runs of the data folder, as far as an asker may see them.

A run holds passages of the collections it asked: whoever may not read one of them does not see the run.
Questions come with their answers, which may be of documents that not everybody may read: where people have
names, each has data sets and runs of their own.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rag.access import ANYONE, Asker
from rag.errors import NothingToWorkOn, RagError
from rag.settings import Settings

SAMPLES = "samples"
_EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "questions.toml"


@dataclass(frozen=True, slots=True)
class KnownRun:
    """name: of its file, without the ending. failed: unanswered questions. complete: all were asked."""

    name: str
    dataset: str
    strategy: str
    created: str
    questions: int
    failed: int
    headline: float | None
    complete: bool


class Runs:
    """Of one asker."""

    def __init__(self, settings: Settings, asker: Asker = ANYONE) -> None:
        self.work = settings.home / "eval"
        # A digest: a name may be longer than a folder's may be, and look like a path.
        digest = hashlib.sha256((asker.name or "").encode()).hexdigest()[:32]
        own = self.work / "people" / digest if asker.name else self.work
        self.datasets_folder = own / "datasets"
        self.folder = own / "runs"

    def datasets(self) -> list[str]:
        """Names of the folders with questions; the sample questions first."""
        found = sorted(path.parent.name for path in self.datasets_folder.glob("*/questions.jsonl"))
        return ([SAMPLES] if _EXAMPLES.is_file() and SAMPLES not in found else []) + found

    def dataset(self, name: str) -> Any:
        """The data set of that name, its documents being those of the library. Raises NothingToWorkOn."""
        from eval import datasets

        if name == SAMPLES and _EXAMPLES.is_file():
            self._write_samples()
        if name not in self.datasets():
            raise NothingToWorkOn(f"There is no data set {name!r}.")
        return datasets.read(self.datasets_folder / name, needs_docs=False)

    def known(self, readable: Collection[str]) -> list[KnownRun]:
        """Runs of answers over collections that are all readable, the newest first."""
        found = []
        for path in self.folder.glob("*.jsonl"):
            run = _known(path, readable)
            if run is not None:
                found.append(run)
        return sorted(found, key=lambda run: run.created, reverse=True)

    def path(self, name: str, readable: Collection[str]) -> Path:
        """The file of a run that the asker may see. Raises NothingToWorkOn."""
        path = self.folder / f"{name}.jsonl"
        if "/" in name or "\\" in name or not path.is_file() or _known(path, readable) is None:
            raise NothingToWorkOn(f"There is no run {name!r}.")
        return path

    def take_table(self, name: str, content: bytes) -> tuple[str, int]:
        """A table of questions (CSV, XLSX) as a data set; its name and how many questions it has.

        Raises UsageError naming row and column.
        """
        from eval.tables import questions_of, rows_of
        from eval.validating import dumped

        stem = Path(name).stem or "questions"
        folder = self.datasets_folder / stem
        folder.mkdir(parents=True, exist_ok=True)
        table = folder / name
        table.write_bytes(content)
        try:
            questions = questions_of(rows_of(table), name)
        except RagError:
            table.unlink()
            if not any(folder.iterdir()):
                folder.rmdir()
            raise
        (folder / "questions.jsonl").write_text("".join(map(dumped, questions)), encoding="utf-8")
        return stem, len(questions)

    def _write_samples(self) -> None:
        import tomllib

        from eval.validating import dumped

        questions = tomllib.loads(_EXAMPLES.read_text(encoding="utf-8"))["question"]
        for question in questions:
            question.pop("opening", None)
        folder = self.datasets_folder / SAMPLES
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "questions.jsonl").write_text("".join(map(dumped, questions)), encoding="utf-8")


def _known(path: Path, readable: Collection[str]) -> KnownRun | None:
    """The run of a file; None if it is none, or the asker may not read all that it asked."""
    values = []
    questions = failed = 0
    try:
        with path.open(encoding="utf-8") as file:
            head = json.loads(file.readline())
            for line in file:
                questions += 1
                told = json.loads(line)
                failed += "error" in told
                figures = told.get("figures", {})
                if "vital" in figures:
                    values.append(figures["vital"])
    except (OSError, ValueError):
        return None
    asked = set(head.get("collections", ()))
    # A run of the command line over documents of its own asked no collection: nobody's rights cover it.
    if head.get("command") != "answers" or not asked or not asked <= set(readable):
        return None
    return KnownRun(
        name=path.stem,
        dataset=head["dataset"],
        strategy=head["strategy"]["name"],
        created=head["created"],
        questions=questions,
        failed=failed,
        headline=sum(values) / len(values) if values else None,
        complete=bool(head.get("complete")),
    )
