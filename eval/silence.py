"""Does the evidence test keep silent about what a library does not hold, and speak about what it does?"""

from __future__ import annotations

import hashlib
import random
import shutil
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eval.datasets import Dataset, Question
from eval.scratch import prepare

if TYPE_CHECKING:
    from rag.embedding.protocol import Embedder
    from rag.library import Library
    from rag.settings import Settings

FEW = 12
"""Documents of a small library, at most."""
FOREIGN_OF_SMALL = 3
"""Foreign questions that are asked of each small library."""


@dataclass(frozen=True, slots=True)
class Heard:
    """One question asked of one library.

    whose: "own", "near miss" (own, but not answerable) or the name of the data set that it comes from.
    half: "a" or "b", by the question's id: what is fitted on one is shown on the other.
    """

    library: str
    whose: str
    file: str
    lang: str
    half: str
    id: str
    evidence: bool
    signals: dict[str, Any]


def half_of(question: Question) -> str:
    return "ab"[int(hashlib.md5(question.id.encode(), usedforsecurity=False).hexdigest(), 16) % 2]


def ask(
    library: Library, embedder: Embedder, settings: Settings, name: str, questions: Iterable[Asked]
) -> Iterator[Heard]:
    """Each question by the search that the product makes, without any model."""
    from dataclasses import asdict

    from rag.library import DEFAULT_COLLECTION
    from rag.retrieval import retrieve

    for asked in questions:
        found = retrieve(
            library, embedder, asked.question.question, [DEFAULT_COLLECTION], limit=1, settings=settings
        )
        yield Heard(
            library=name,
            whose=asked.whose,
            file=asked.file,
            lang=asked.question.lang,
            half=half_of(asked.question),
            id=asked.question.id,
            evidence=bool(found.passages),
            signals=asdict(found.signals) if found.signals else {},
        )


@dataclass(frozen=True, slots=True)
class Asked:
    whose: str
    file: str
    question: Question


def own_of(dataset: Dataset) -> list[Asked]:
    return [
        Asked("own" if question.answerable else "near miss", file.name, question)
        for file in dataset.files
        for question in file.questions
    ]


def foreign_of(datasets: Sequence[Dataset]) -> list[Asked]:
    """The answerable questions of other data sets: each has its answer, but somewhere else."""
    return [
        Asked(dataset.name, file.name, question)
        for dataset in datasets
        for file in dataset.files
        for question in file.questions
        if question.answerable
    ]


def small_libraries(
    dataset: Dataset,
    foreign: Sequence[Asked],
    count: int,
    settings: Settings,
    embedder: Embedder,
    work: Path,
    seed: int = 0,
) -> Iterator[Heard]:
    """`count` libraries in turn of one document and of `FEW`: what one own question needs, and others drawn
    at random. Each is asked that question and some foreign ones."""
    from rag.library import Library

    draw = random.Random(seed)
    own = [asked for asked in own_of(dataset) if asked.whose == "own" and asked.question.evidence]
    every = sorted(path.relative_to(dataset.docs) for path in dataset.docs.rglob("*") if path.is_file())
    for number, asked in enumerate(draw.sample(own, min(count, len(own)))):
        wanted = dict.fromkeys(Path(gold.doc) for gold in asked.question.evidence)
        if number % 2:
            more = min(max(0, FEW - len(wanted)), len(every))
            wanted |= dict.fromkeys(draw.sample(every, more))
        folder = work / "small" / f"{dataset.name}-{seed}-{number}"
        shutil.rmtree(folder, ignore_errors=True)
        for path in wanted:
            (folder / "docs" / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(dataset.docs / path, folder / "docs" / path)
        scratch = prepare(Dataset(folder), settings, embedder, work / "small")
        name = "one document" if len(wanted) == 1 else f"up to {FEW} documents"
        with closing(Library.open(scratch.settings)) as library:
            strangers = draw.sample(foreign, min(FOREIGN_OF_SMALL, len(foreign)))
            yield from ask(library, embedder, scratch.settings, name, [asked, *strangers])
        shutil.rmtree(folder)
        shutil.rmtree(scratch.settings.home)


def rows(heard: Sequence[Heard]) -> list[dict[str, Any]]:
    """A row a library, origin, file and language: n, and the share with evidence, of all and of each half."""
    groups: dict[tuple[str, str, str, str], list[Heard]] = defaultdict(list)
    for one in heard:
        groups[one.library, one.whose, one.file, one.lang].append(one)
    result = []
    for (library, whose, file, lang), members in groups.items():
        row: dict[str, Any] = {"library": library, "whose": whose, "file": file, "lang": lang}
        for name, part in (
            ("", members),
            ("_a", [one for one in members if one.half == "a"]),
            ("_b", [one for one in members if one.half == "b"]),
        ):
            row[f"n{name}"] = len(part)
            row[f"with_evidence{name}"] = sum(one.evidence for one in part) / len(part) if part else None
        result.append(row)
    return result


def table(found: Sequence[dict[str, Any]]) -> str:
    """As text: the share that got evidence (own) or got none (all others)."""
    head = ("library", "questions", "file", "lang", "n", "share", "half a", "half b")
    lines = [head]
    for row in found:
        own = row["whose"] == "own"
        shares = [row[f"with_evidence{name}"] for name in ("", "_a", "_b")]
        lines.append(
            (
                row["library"],
                row["whose"],
                row["file"],
                row["lang"],
                str(row["n"]),
                *("-" if share is None else f"{share if own else 1 - share:.3f}" for share in shares),
            )
        )
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    text = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in lines]
    return "\n".join([*text, "", "share: of own questions that got evidence, of all others that got none"])
