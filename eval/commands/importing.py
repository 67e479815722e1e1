"""Makes a data set of a table of questions: CSV or XLSX with the columns question, answer and, if there are,
facts, document, page, quote, lang, kind, answerable (also in Chinese: 问题、答案、要点、文档、页码、引文 …).
"""

from __future__ import annotations

import argparse
import shlex
import shutil
from pathlib import Path

from eval.commands.arguments import say
from rag.cli import frame
from rag.cli.amounts import amount
from rag.errors import UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("table", type=Path, metavar="TABLE", help="CSV or XLSX, headings in the first row")
    parser.add_argument(
        "-o", dest="dataset", type=Path, required=True, metavar="DATASET", help="the new folder"
    )
    parser.add_argument(
        "--docs",
        type=Path,
        metavar="FOLDER",
        help="the documents to ask; without them, ask a collection with eval answers --collection",
    )
    parser.add_argument("--copy", action="store_true", help="copy the documents instead of linking to them")
    parser.add_argument("--force", action="store_true", help="replace the questions that are there")


def run(arguments: argparse.Namespace) -> int:
    from eval.commands.validate import validated
    from eval.tables import questions_of, rows_of
    from eval.validating import as_lines, dumped

    settings = frame.settings_of(arguments)
    folder = arguments.dataset.absolute()
    target = folder / "questions.jsonl"
    if target.exists() and not arguments.force:
        raise UsageError(f"{target} exists.", fix="Name another folder, or pass --force to replace it.")
    questions = questions_of(rows_of(arguments.table), str(arguments.table))
    folder.mkdir(parents=True, exist_ok=True)
    if arguments.docs is not None:
        _docs(arguments.docs.absolute(), folder / "docs", copy=arguments.copy)
    target.write_text("".join(map(dumped, questions)), encoding="utf-8")
    _, problems = validated(folder, [target], settings)
    if arguments.json:
        frame.write_json(
            {
                "dataset": str(folder),
                "questions": len(questions),
                "problems": [problem.as_json() for problem in problems],
            }
        )
    else:
        if problems:
            say(as_lines(problems))
        print(f"{amount(len(questions), 'question')}: {target}")
        where = shlex.quote(str(arguments.dataset))
        asked = "" if arguments.docs is not None or (folder / "docs").exists() else " --collection NAME"
        say(f"next: python -m eval answers {where} --strategy quick --strategy complete{asked}")
    return frame.SOME_FAILED if any(problem.weight == "error" for problem in problems) else frame.DONE


def _docs(source: Path, target: Path, *, copy: bool) -> None:
    if not source.is_dir():
        raise UsageError(f"{source} is no folder.", fix="Name the folder of the documents.")
    if target.is_symlink():
        target.unlink()
    elif target.exists():
        raise UsageError(f"{target} exists.", fix="Leave --docs out to keep the documents that are there.")
    if copy:
        shutil.copytree(source, target)
    else:
        target.symlink_to(source, target_is_directory=True)
