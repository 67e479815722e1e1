"""Drafts questions and facts from documents with the local model, for a person to correct.

Every draft carries "draft": true, and `eval validate` points at it until that is taken away. A demo model is
too weak to write questions: then drafts are made of the documents' own sentences, and that is said.
"""

from __future__ import annotations

import argparse
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from eval.commands.arguments import positive, say
from rag.cli import frame
from rag.errors import NothingToWorkOn, UsageError

if TYPE_CHECKING:
    from eval.drafting import Source
    from rag.settings import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("docs", type=Path, metavar="FOLDER", help="the documents")
    parser.add_argument(
        "-o", dest="dataset", type=Path, required=True, metavar="DATASET", help="the new folder"
    )
    parser.add_argument("--count", type=positive, default=10, help="questions (default: %(default)s)")


def run(arguments: argparse.Namespace) -> int:
    from eval.drafting import drafts
    from eval.validating import dumped
    from rag import engine

    settings = frame.settings_of(arguments)
    folder = arguments.dataset.absolute()
    target = folder / "questions.jsonl"
    if target.exists():
        raise UsageError(
            f"{target} exists.", fix="Name another folder: corrected questions are not replaced."
        )
    sources = _sources(arguments.docs.absolute(), settings)
    with closing(engine.load(settings)) as generator:
        info = generator.info()
        if info.demo:
            say(
                f"{info.model} is a demo model, too weak to write questions: these drafts are made of the "
                "documents' own sentences."
            )
        made = list(drafts(sources, arguments.count, generator))
    if not made:
        raise NothingToWorkOn(
            f"No document under {arguments.docs} has a sentence to ask about.", fix="Name other documents."
        )
    folder.mkdir(parents=True, exist_ok=True)
    docs = folder / "docs"
    if not docs.exists():
        docs.symlink_to(arguments.docs.absolute(), target_is_directory=True)
    target.write_text("".join(map(dumped, made)), encoding="utf-8")
    if arguments.json:
        frame.write_json({"dataset": str(folder), "questions": len(made), "extractive": info.demo})
    else:
        print(f'{len(made)} drafts: {target}\nCorrect each, then remove its "draft": true.')
    return frame.DONE


def _sources(docs: Path, settings: Settings) -> list[Source]:
    from eval.drafting import Source
    from ingest.reading import Bounds, Reader
    from ingest.walk import walk

    found = []
    with Reader(Bounds.of(settings)) as reader:
        for each in walk(docs):
            if each.skip is None:
                reading = reader.read(each.path)
                if reading.document is not None:
                    found.append(Source(str(each.relative), reading.document))
    return found
