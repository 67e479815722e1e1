"""Measures the engine by context, cache type and batch: memory predicted and used, prompt and decode speed,
seconds to the first word cold and warm. Every combination is loaded, measured and closed.
"""

from __future__ import annotations

import argparse
import json
from datetime import UTC, datetime
from pathlib import Path

from eval.commands.arguments import (
    add_language_option,
    add_work_option,
    locale_language,
    positive,
    say,
    work_folder,
)
from rag.cli import frame
from rag.errors import UsageError

CONTEXTS, KVS, BATCHES = (4096, 8192), ("f16", "q8_0", "q4_0"), (512,)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", metavar="NAME|FILE", help="default: the model of the settings")
    parser.add_argument(
        "--context", type=positive, nargs="+", default=list(CONTEXTS), help="tokens (default: 4096 8192)"
    )
    parser.add_argument("--kv", nargs="+", choices=KVS, default=list(KVS), help="cache types (default: all)")
    parser.add_argument(
        "--batch", type=positive, nargs="+", default=list(BATCHES), help="micro-batches (default: 512)"
    )
    parser.add_argument(
        "--filled",
        type=_share,
        default=0.75,
        metavar="SHARE",
        help="how much of the context the prompt fills (default: %(default)s)",
    )
    parser.add_argument("-o", dest="file", type=Path, metavar="FILE.html", help="where the drawn table goes")
    add_language_option(parser)
    add_work_option(parser)


def _share(text: str) -> float:
    share = float(text)
    if not 0 < share <= 1:
        raise argparse.ArgumentTypeError("expected a share above 0, at most 1")
    return share


def run(arguments: argparse.Namespace) -> int:
    from eval import runs
    from eval.enginebench import graphics, measure, setups
    from eval.report.engine import page, table

    settings = frame.settings_of(arguments)
    if settings.engine.server:
        raise UsageError(
            "A server's memory and caches cannot be measured from here.",
            fix="Take engine.server out of the settings: this measures the local engine.",
        )
    if arguments.model:
        settings = settings.model_copy(
            update={"engine": settings.engine.model_copy(update={"model": arguments.model})}
        )
    work = work_folder(arguments, settings)
    head = runs.header(
        "engine",
        settings.engine.model,
        settings={"engine": settings.engine.model_dump(mode="json")},
        filled=arguments.filled,
        hashes={"model": runs.model_hash(settings)},
        system={**runs.system(), "gpus": graphics()},
    )
    if arguments.file is not None:
        arguments.file.parent.mkdir(parents=True, exist_ok=True)
    log = runs.Growing(work / "runs" / f"engine-{datetime.now(UTC):%Y%m%dT%H%M%S%f}.jsonl", head)
    language = arguments.lang or locale_language()
    lines = []
    wanted = setups(arguments.context, arguments.kv, arguments.batch)
    for line in measure(wanted, settings, filled=arguments.filled):
        lines.append(line)
        log.add(line.as_json())
        shown = {name: value for name, value in line.as_json().items() if value not in (None, "")}
        say(f"  {len(lines)} of {len(wanted)}: {json.dumps(shown, ensure_ascii=False)}")
        if arguments.file is not None:  # as far as it is: a long measurement may be cut short
            arguments.file.write_text(page(head, lines, language), encoding="utf-8")
    if arguments.file is not None:
        say(f"written: {arguments.file}")
    if arguments.json:
        frame.write_json({"run": str(log.path), "lines": [line.as_json() for line in lines]})
    else:
        print(table(lines))
        say(f"a line a combination: {log.path}")
    return frame.SOME_FAILED if any(line.problem for line in lines) else frame.DONE
