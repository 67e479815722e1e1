"""Answers the questions of DATASET with each strategy, judges every fact of every answer, and keeps it all.

A run that was interrupted goes on where it was when the same command is given again; a finished one is not
asked again. Compare runs with `eval compare`, read them with `eval report`.
"""

from __future__ import annotations

import argparse
import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eval.commands.arguments import add_questions_option, add_work_option, positive, say, work_folder
from rag.cli import frame

if TYPE_CHECKING:
    from eval.conducting import Conducted


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("dataset", type=Path, metavar="DATASET", help="folder with docs/ and questions.jsonl")
    parser.add_argument(
        "--strategy",
        action="append",
        metavar="NAME",
        help="a name of eval/strategies.toml or of --strategies; NAME:3 draws with seed 3; may be repeated "
        "(default: quick)",
    )
    parser.add_argument("--strategies", type=Path, metavar="FILE", help="TOML file of strategies of your own")
    add_questions_option(parser)
    parser.add_argument(
        "--sample", type=positive, metavar="N", help="N questions of each file, always the same ones"
    )
    parser.add_argument(
        "--judge",
        action="append",
        metavar="NAME",
        help="semantic, exact or model; the first one makes the recall figures (default: semantic, exact)",
    )
    parser.add_argument(
        "--collection",
        action="append",
        default=[],
        metavar="NAME",
        help="ask the documents of this collection of your library instead of DATASET/docs",
    )
    parser.add_argument("-o", dest="folder", type=Path, metavar="FOLDER", help="where the run files go")
    add_work_option(parser)


def run(arguments: argparse.Namespace) -> int:
    from eval import datasets
    from eval.conducting import Plan, conduct
    from eval.judges.choose import USUAL
    from eval.laboratory import Laboratory
    from eval.strategies import chosen

    settings = frame.settings_of(arguments)
    strategies = chosen(arguments.strategy or ["quick"], arguments.strategies)
    for strategy in strategies:
        strategy.applied(settings)  # a mistake is told before an hour of work, not after it
    dataset = datasets.read(arguments.dataset, arguments.questions or (), needs_docs=not arguments.collection)
    work = work_folder(arguments, settings)
    plan = Plan(dataset, arguments.judge or USUAL, arguments.collection, arguments.sample)
    began = time.monotonic()
    conducted: list[Conducted] = []
    with Laboratory(work) as laboratory:
        for strategy in strategies:
            say(f"{dataset.name}: {strategy.name}")
            conducted.append(
                conduct(
                    plan,
                    strategy,
                    settings,
                    laboratory,
                    (arguments.folder or work / "runs").absolute(),
                    own_name=arguments.folder is not None,
                    progress=_Shown(),
                )
            )
            say(f"  {conducted[-1].path}")
    result: dict[str, Any] = {
        "dataset": dataset.name,
        "runs": [each.as_json() for each in conducted],
        "seconds": round(time.monotonic() - began, 1),
    }
    if arguments.json:
        frame.write_json(result)
    else:
        print(_table(conducted))
        paths = " ".join(shlex.quote(str(each.path)) for each in conducted)
        say(f"next: python -m eval report {paths} -o report.html")
    return frame.SOME_FAILED if any(each.failed for each in conducted) else frame.DONE


class _Shown:
    """Says every few seconds how far it is."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self._last >= 5 or done == total:
            self._last = now
            say(f"  {done} of {total} questions")


_SHOWN = ("vital", "facts", "evidence", "citation_precision", "refused_wrongly", "refused_rightly")


def _table(conducted: list[Conducted]) -> str:
    width = max(len(each.strategy) for each in conducted)
    keys = [key for key in _SHOWN if any(key in each.means for each in conducted)]
    lines = [" " * width + "".join(f"  {key}" for key in ["n", *keys])]
    for each in conducted:
        cells = [f"{each.means[key]:.3f}" if key in each.means else "–" for key in keys]
        widths = [len(key) for key in keys]
        row = "".join(f"  {cell:>{w}}" for cell, w in zip(cells, widths, strict=True))
        lines.append(f"{each.strategy:<{width}}  {each.questions}{row}")
    return "\n".join(lines)
