"""`python -m eval retrieval DATASET`: is what the questions need among what retrieval gives?"""

from __future__ import annotations

import argparse
import hashlib
import time
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eval.commands.arguments import add_work_option, positive, say, work_folder
from rag.cli import frame
from rag.cli.amounts import amount

if TYPE_CHECKING:
    from eval.datasets import Dataset
    from eval.retrieval import Count, Measured, Measurement
    from rag.embedding.protocol import Embedder
    from rag.engine.protocol import Engine
    from rag.settings import Settings

BUDGETS = (2048, 4096, 8192)
UNITS = {"engine": "tokens", "embedder": "embedder tokens"}
"""Whose tokenizer counts, and what its columns are called."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("dataset", type=Path, metavar="DATASET", help="folder with docs/ and questions.jsonl")
    parser.add_argument(
        "--questions",
        type=Path,
        action="append",
        metavar="FILE",
        help="score this file of questions instead of the folder's own; may be repeated",
    )
    parser.add_argument("--limit", type=positive, default=8, help="also count the first LIMIT passages")
    parser.add_argument(
        "--budget",
        type=positive,
        nargs="*",
        default=list(BUDGETS),
        metavar="TOKENS",
        help="token budgets to pack for (default: 2048 4096 8192); none without a number, which spares "
        "loading the engine",
    )
    parser.add_argument(
        "--tokenizer",
        nargs="+",
        choices=tuple(UNITS),
        default=list(UNITS),
        help="whose tokens the budgets count (default: both, a column each); `embedder` alone spares "
        "loading the engine",
    )
    parser.add_argument(
        "-o", dest="run", type=Path, metavar="RUN", help="run file to write, a line a question"
    )
    add_work_option(parser)


def run(chosen: argparse.Namespace) -> int:
    from eval import datasets, runs, summary
    from eval.remembering import RememberingEmbedder
    from eval.retrieval import Measurement
    from eval.scratch import prepare
    from rag import embedding, engine
    from rag.library import DEFAULT_COLLECTION, Library

    began = time.monotonic()
    settings = frame.settings_of(chosen)
    dataset = datasets.read(chosen.dataset, chosen.questions or ())
    work = work_folder(chosen, settings)
    with (
        closing(RememberingEmbedder(embedding.load(settings), work / "vectors.sqlite")) as embedder,
        closing(engine.load(settings)) as generator,
    ):
        scratch = prepare(dataset, settings, embedder, work)
        by_engine = bool(chosen.budget) and "engine" in chosen.tokenizer
        if by_engine:
            say(f"loading {settings.engine.model} to count tokens")
            generator.start()
        with closing(Library.open(scratch.settings)) as library:
            measurement = Measurement(
                library,
                embedder,
                scratch.settings,
                [DEFAULT_COLLECTION],
                limit=chosen.limit,
                budgets=chosen.budget,
                counts=_counts(chosen, generator, embedder),
            )
            measured = _ask_all(measurement, dataset)
        tokenizer = generator.info().model if by_engine else None
        embedder_id = embedder.id
    result = {
        "dataset": dataset.name,
        "documents": scratch.report["documents"],
        "chunks": scratch.report["chunks"],
        "skipped": scratch.report["skipped"],
        "failed": scratch.report["failed"],
        "embedder": embedder_id,
        "tokenizer": tokenizer,
        "files": summary.summarise([item.outcome for item in measured]),
        "seconds": round(time.monotonic() - began, 1),
    }
    path = chosen.run or work / "runs" / f"retrieval-{dataset.name}-{datetime.now(UTC):%Y%m%dT%H%M%SZ}.jsonl"
    head = runs.header(
        "retrieval",
        dataset.name,
        settings=_measured_settings(settings),
        limit=chosen.limit,
        budgets=chosen.budget,
        hashes={"docs": scratch.docs, "questions": _question_hashes(dataset)},
        result=result,
    )
    runs.write(path, head, [item.line for item in measured])
    result["run"] = str(path)
    if chosen.json:
        frame.write_json(result)
    else:
        print(_heading(result))
        print()
        print(summary.table(result["files"]))
    say(f"a line a question: {path}")
    return frame.SOME_FAILED if result["failed"] else frame.DONE


def _counts(chosen: argparse.Namespace, generator: Engine, embedder: Embedder) -> dict[str, Count]:
    def by_embedder(texts: Sequence[str]) -> list[int]:
        return [len(embedder.token_offsets(text)) for text in texts]

    known: dict[str, Count] = {"engine": generator.count, "embedder": by_embedder}
    return {UNITS[name]: known[name] for name in UNITS if name in chosen.tokenizer}


def _ask_all(measurement: Measurement, dataset: Dataset) -> list[Measured]:
    total = sum(len(file.questions) for file in dataset.files)
    measured: list[Measured] = []
    last = time.monotonic()
    for file in dataset.files:
        for question in file.questions:
            measured.append(measurement.ask(file.name, question))
            if time.monotonic() - last >= 5:
                last = time.monotonic()
                say(f"  {len(measured)} of {total} questions")
    say(f"  {amount(total, 'question')} asked")
    return measured


def _heading(result: dict[str, Any]) -> str:
    lines = [
        f"{result['dataset']}: {amount(result['documents'], 'document')}, {amount(result['chunks'], 'chunk')}"
        f", {result['embedder']}" + (f", tokens of {result['tokenizer']}" if result["tokenizer"] else "")
    ]
    for state in ("skipped", "failed"):
        lines += [f"  {state}: {item['path']}: {item['reason']}" for item in result[state]]
    return "\n".join(lines)


def _measured_settings(settings: Settings) -> dict[str, Any]:
    """Those that can change a figure."""
    return {
        section: getattr(settings, section).model_dump(mode="json")
        for section in ("embedding", "ingest", "retrieval", "engine")
    }


def _question_hashes(dataset: Dataset) -> dict[str, str]:
    return {file.name: hashlib.sha256(file.path.read_bytes()).hexdigest() for file in dataset.files}
