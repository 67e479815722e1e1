"""Judges the answers of a run again; without a run: how far each judge agrees with a person.

A run that was judged by other judges, or by an older version of them, can so be compared with a newer one
without asking its questions again.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from eval.commands.arguments import add_work_option, say, work_folder
from rag.cli import frame
from rag.errors import UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", nargs="?", type=Path, metavar="RUN", help="a run of eval answers")
    parser.add_argument("-o", dest="new", type=Path, metavar="NEW", help="where the run goes, judged anew")
    parser.add_argument(
        "--judge",
        action="append",
        metavar="NAME",
        help="semantic, exact or model; the first one makes the recall figures (default: semantic, exact)",
    )
    add_work_option(parser)


def run(arguments: argparse.Namespace) -> int:
    from eval.judges import checking
    from eval.judges.choose import USUAL, judges
    from eval.laboratory import Laboratory
    from eval.rejudging import rejudged

    if (arguments.run is None) != (arguments.new is None):
        raise UsageError("Give both RUN and -o NEW, or neither.", fix="See python -m eval judge --help.")
    settings = frame.settings_of(arguments)
    work = work_folder(arguments, settings)
    with Laboratory(work) as laboratory:
        embedder, engine = laboratory.embedder(settings), laboratory.engine(settings)
        chosen = judges(arguments.judge or USUAL, embedder, engine)
        agreement = [checking.remembered(judge, work / "judges") for judge in chosen]
        result: dict[str, Any] = {"judges": agreement}
        if arguments.run is not None:
            result |= rejudged(arguments.run, arguments.new, chosen, agreement)
            say(f"written: {arguments.new}")
    if arguments.json:
        frame.write_json(result)
    else:
        print("\n\n".join(map(_text, agreement)))
    return frame.DONE


def _text(judge: dict[str, Any]) -> str:
    lines = [judge["judge"]]
    for name, group in judge["groups"].items():
        if not group["pairs"]:
            continue
        unfit = "  unfit" if name in judge["unfit"] else ""
        lines.append(f"  {name:9} n {group['pairs']:3}  kappa {group['kappa']:5.2f}{unfit}")
    lines.append(f"  stated or not, all pairs: kappa {judge['binary']:.2f}")
    if judge["waver"]:
        lines.append(f"  disagrees with itself in {judge['waver']:.0%} of its votes")
    for name in ("en", "zh"):
        lines.append(f"  {name}: label (rows), verdict (columns): {' '.join(judge['labels'])}")
        for label, row in zip(judge["labels"], judge["groups"][name]["confusion"], strict=True):
            lines.append(f"    {label:8}" + "".join(f"{cell:8}" for cell in row))
    return "\n".join(lines)
