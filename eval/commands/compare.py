"""Is run B really better than run A? Both over the same questions; differences are B − A."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from rag.cli import frame

if TYPE_CHECKING:
    from eval.comparing import Comparison, Row


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("a", type=Path, metavar="RUN_A")
    parser.add_argument("b", type=Path, metavar="RUN_B")
    parser.add_argument("--seed", type=int, default=0, help="of the resampling (default: %(default)s)")


def run(arguments: argparse.Namespace) -> int:
    from eval import comparing

    a, b = comparing.read(arguments.a), comparing.read(arguments.b)
    found = comparing.comparison(a, b, seed=arguments.seed)
    if arguments.json:
        frame.write_json(found.as_json())
    else:
        print(_text(found))
    return frame.DONE


def _text(found: Comparison) -> str:
    from eval.report.sentence import sentence

    lines = [sentence(found, "en"), ""]
    heads = f"{'':24} {'A':>9} {'B':>9} {'B-A':>9}   {'95 % interval':^19} {'p':>6}"
    lines.append(f"{heads}  {'win/tie/loss':>12}  could show")
    lines += [_line(row) for row in found.rows]
    if found.groups:
        lines += ["", f"{found.headline.measure.key} by language and kind:"]
        lines += [_line(row) for row in found.groups]
    if found.left_out:
        lines += ["", f"{found.left_out} questions stand in one run only, or failed, and were left out."]
    return "\n".join(lines)


def _line(row: Row) -> str:
    paired = row.paired
    shown = "" if paired.detectable is None else f"{paired.detectable:.3f}"
    counts = f"{row.gains}/{paired.ties}/{row.setbacks}"
    name = row.group or row.measure.key
    return (
        f"{name:24} {paired.mean_a:9.3f} {paired.mean_b:9.3f} {paired.difference:+9.3f}"
        f"   {paired.low:+9.3f} {paired.high:+9.3f} {row.corrected:6.3f}  {counts:>12}  {shown}"
        f"{'' if row.verdict == 'unclear' else '  ' + row.verdict}"
    )
