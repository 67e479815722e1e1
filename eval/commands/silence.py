"""`python -m eval silence DATASET --foreign OTHER…`: no evidence for questions that the documents of
DATASET do not answer, evidence for those that they do. No model is asked."""

from __future__ import annotations

import argparse
import time
from contextlib import closing
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from eval.commands.arguments import add_work_option, positive, say, work_folder
from rag.cli import frame


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("dataset", type=Path, metavar="DATASET", help="folder with docs/ and questions.jsonl")
    parser.add_argument(
        "--foreign",
        type=Path,
        nargs="+",
        default=[],
        metavar="OTHER",
        help="data sets whose questions are asked of these documents; they need no docs/",
    )
    parser.add_argument(
        "--small",
        type=positive,
        metavar="N",
        help="also make N libraries of one document and of a dozen, and ask each a few questions",
    )
    parser.add_argument(
        "-o", dest="run", type=Path, metavar="RUN", help="run file to write, a line a question"
    )
    add_work_option(parser)


def run(chosen: argparse.Namespace) -> int:
    from eval import datasets, runs, silence
    from eval.remembering import RememberingEmbedder
    from eval.scratch import prepare
    from rag import embedding
    from rag.library import Library

    began = time.monotonic()
    settings = frame.settings_of(chosen)
    dataset = datasets.read(chosen.dataset)
    foreign = silence.foreign_of([datasets.read(path, needs_docs=False) for path in chosen.foreign])
    work = work_folder(chosen, settings)
    with closing(RememberingEmbedder(embedding.load(settings), work / "vectors.sqlite")) as embedder:
        scratch = prepare(dataset, settings, embedder, work)
        with closing(Library.open(scratch.settings)) as library:
            questions = [*silence.own_of(dataset), *foreign]
            say(f"asking {len(questions)} questions")
            heard = list(silence.ask(library, embedder, scratch.settings, dataset.name, questions))
        if chosen.small:
            say(f"making {chosen.small} small libraries")
            heard += silence.small_libraries(dataset, foreign, chosen.small, settings, embedder, work)
        embedder_id = embedder.id
    found = silence.rows(heard)
    result = {
        "dataset": dataset.name,
        "embedder": embedder_id,
        "rows": found,
        "seconds": round(time.monotonic() - began, 1),
    }
    path = chosen.run or work / "runs" / f"silence-{dataset.name}-{datetime.now(UTC):%Y%m%dT%H%M%SZ}.jsonl"
    head = runs.header(
        "silence",
        dataset.name,
        settings=settings.retrieval.model_dump(mode="json"),
        foreign=[str(path.name) for path in chosen.foreign],
        result=result,
    )
    runs.write(path, head, [asdict(one) for one in heard])
    if chosen.json:
        frame.write_json({**result, "run": str(path)})
    else:
        print(silence.table(found))
    say(f"a line a question: {path}")
    return frame.DONE
