"""Checks a data set: types and names, ids twice, quotes that do not stand in their document or on their page.

Exit code 3 if anything would spoil a figure; warnings alone leave it 0.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from eval.commands.arguments import add_questions_option
from eval.presence import must_exist
from rag.cli import frame
from rag.errors import UsageError

if TYPE_CHECKING:
    from eval.validating import Problem
    from rag.settings import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("dataset", type=Path, metavar="DATASET", help="folder with docs/ and questions.jsonl")
    add_questions_option(parser)


def run(arguments: argparse.Namespace) -> int:
    from eval.validating import as_lines

    settings = frame.settings_of(arguments)
    must_exist(arguments.dataset)
    folder = arguments.dataset.absolute()
    files, problems = validated(folder, arguments.questions or (), settings)
    errors = sum(problem.weight == "error" for problem in problems)
    if arguments.json:
        frame.write_json(
            {
                "dataset": folder.name,
                "ok": not errors,
                "files": [{"file": name, "questions": count} for name, count in files],
                "problems": [problem.as_json() for problem in problems],
            }
        )
    else:
        if problems:
            print(as_lines(problems))
        counted = ", ".join(f"{name}: {count} questions" for name, count in files)
        print(f"{counted}; {errors} errors, {len(problems) - errors} warnings")
    return frame.SOME_FAILED if errors else frame.DONE


def validated(
    folder: Path, questions: Sequence[Path], settings: Settings
) -> tuple[list[tuple[str, int]], list[Problem]]:
    """Each file of questions with their number, and the problems of all (eval.validating)."""
    from eval.datasets import DEFAULT_FILES
    from eval.validating import look_through
    from ingest.reading import Bounds, Reader

    docs = folder / "docs" if (folder / "docs").is_dir() else None
    paths = [path if path.exists() else folder / path for path in questions]
    paths = paths or [folder / name for name in DEFAULT_FILES if (folder / name).is_file()]
    if not paths:
        raise UsageError(
            f"{folder} has no {DEFAULT_FILES[0]}.", fix="Name a file of questions with --questions."
        )
    files: list[tuple[str, int]] = []
    problems: list[Problem] = []
    with Reader(Bounds.of(settings)) if docs else nullcontext() as reader:
        for path in paths:
            count, found = look_through(path, docs, reader)
            files.append((path.name, count))
            problems += found
    return files, problems
